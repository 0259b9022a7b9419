import { readFileSync } from 'node:fs';

import type { Answer, Fate, ProxiedRequest } from './proxy';

/** Addresses as Playwright's tests name them: `*` within a folder, `**` across folders, `{a,b}` for either. */
export type Pattern = string | RegExp | ((url: URL) => boolean);

const expressionOf = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .replace(/[.+^$()|[\]\\?]/g, '\\$&')
      .replace(/\*\*\/?/g, '\u0000')
      .replace(/\*/g, '[^/]*')
      .replace(/\u0000/g, '.*')
      .replace(/\{([^}]*)\}/g, (_, names: string) => `(${names.split(',').join('|')})`)}$`,
  );

export const matches = (pattern: Pattern, url: string): boolean => {
  if (typeof pattern === 'function') return pattern(new URL(url));
  return (typeof pattern === 'string' ? expressionOf(pattern) : pattern).test(url);
};

interface Fulfilment extends Answer {
  readonly path?: string;
  readonly contentType?: string;
  readonly json?: unknown;
}

/** A request as the tests' handlers see it. */
export const seenRequest = ({ url, method, headers, body }: ProxiedRequest) => ({
  url: () => url,
  method: () => method,
  headers: () => headers,
  postData: () => (body.length > 0 ? body.toString() : null),
});

const answerOf = ({ status = 200, headers = {}, body = '', path, contentType, json }: Fulfilment): Answer => {
  const type = contentType ?? (json === undefined ? undefined : 'application/json');
  const text = json === undefined ? body : JSON.stringify(json);
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    status,
    headers: { ...Object.fromEntries(named), ...(type !== undefined && { 'content-type': type }) },
    body: path === undefined ? text : readFileSync(path),
  };
};

interface Route {
  readonly request: () => ReturnType<typeof seenRequest>;
  readonly abort: () => Promise<void>;
  readonly continue: () => Promise<void>;
  readonly fallback: () => Promise<void>;
  readonly fulfill: (answer: Fulfilment) => Promise<void>;
}
export type Handler = (route: Route, request: ReturnType<typeof seenRequest>) => unknown;

/** What the handler decides, once it has. */
export const decided = (handler: Handler, request: ProxiedRequest): Promise<Fate> =>
  new Promise((resolve, reject) => {
    const decide = (fate: Fate): Promise<void> => {
      resolve(fate);
      return Promise.resolve();
    };
    const seen = seenRequest(request);
    const route: Route = {
      request: () => seen,
      abort: () => decide('abort'),
      continue: () => decide('continue'),
      fallback: () => decide('continue'),
      fulfill: (answer) => decide(answerOf(answer)),
    };
    Promise.resolve(handler(route, seen)).catch(reject);
  });
