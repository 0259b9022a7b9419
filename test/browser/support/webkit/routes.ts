import { readFileSync } from 'node:fs';

import { type Answer, type Fate, fromServer, type ProxiedRequest } from './proxy';

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

/** What a server has answered, as Playwright tells it. */
interface Fetched {
  readonly status: () => number;
  readonly headers: () => Readonly<Record<string, string>>;
  readonly text: () => Promise<string>;
  readonly json: () => Promise<unknown>;
}

interface Fulfilment extends Answer {
  /** The answer that this one differs from. */
  readonly response?: Fetched;
  readonly path?: string;
  readonly contentType?: string;
  readonly json?: unknown;
}

/** A request as the tests' handlers see it. */
export const seenRequest = ({ url, method, headers, body }: ProxiedRequest) => ({
  url: () => url,
  method: () => method,
  headers: () => headers,
  headerValue: (name: string) => Promise.resolve(headers[name] ?? null),
  postData: () => (body.length > 0 ? body.toString() : null),
  postDataBuffer: () => (body.length > 0 ? body : null),
  /** WebKit says in a header what a request is for; `empty` is for a script that reads the answer. */
  resourceType: () => (headers['sec-fetch-dest'] === 'empty' ? 'fetch' : headers['sec-fetch-dest']),
});

const textOf = ({ body, json, path, response }: Fulfilment): string | Buffer | Promise<string> => {
  if (path !== undefined) return readFileSync(path);
  if (json !== undefined) return JSON.stringify(json);
  return body ?? response?.text() ?? '';
};

const answerOf = async (fulfilment: Fulfilment): Promise<Answer> => {
  const { json, contentType, response } = fulfilment;
  const status = fulfilment.status ?? response?.status() ?? 200;
  const headers = fulfilment.headers ?? response?.headers() ?? {};
  const type = contentType ?? (json === undefined ? undefined : 'application/json');
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    status,
    headers: { ...Object.fromEntries(named), ...(type !== undefined && { 'content-type': type }) },
    body: await textOf(fulfilment),
  };
};

interface Changes {
  readonly postData?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Route {
  readonly request: () => ReturnType<typeof seenRequest>;
  readonly abort: () => Promise<void>;
  readonly continue: () => Promise<void>;
  readonly fallback: () => Promise<void>;
  readonly fulfill: (answer: Fulfilment) => Promise<void>;
  readonly fetch: (changes?: Changes) => Promise<Fetched>;
}
export type Handler = (route: Route, request: ReturnType<typeof seenRequest>) => unknown;

const unsized = ({ headers }: ProxiedRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-length'));

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
      fallback: () => decide('fallback'),
      fulfill: async (answer) => decide(await answerOf(answer)),
      fetch: async ({ postData, headers = request.headers } = {}) => {
        const changed = { ...request, headers };
        const answer = await fromServer(
          postData === undefined ? changed : { ...changed, body: Buffer.from(postData), headers: unsized(changed) },
        );
        const text = answer.body.toString();
        return {
          status: () => answer.status,
          headers: () => answer.headers,
          text: () => Promise.resolve(text),
          json: () => Promise.resolve(JSON.parse(text) as unknown),
        };
      },
    };
    Promise.resolve(handler(route, seen)).catch(reject);
  });
