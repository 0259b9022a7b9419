import type { Context, Hono } from 'hono';

import { endpointPath } from '../../src/endpoints/endpoint';
import { type Settings, settingsFrom } from '../../src/model/config';
import type { ApiEnv } from './faulty';
import type { Listed } from './overview';
import type { Route } from './served';

/** Answers these calls of the SDK, under the paths that it uses with the settings of a project. */
export const mountRoutes = (app: Hono<ApiEnv>, routes: readonly Route[], setting: Settings): void => {
  for (const { endpoint, respond } of routes) {
    app.on(endpoint.method, patternOf(endpoint, setting), async (c) => {
      const text = await c.req.text();
      const answerHeaders = new Headers();
      const { searchParams: query } = new URL(c.req.url);
      const answer = await respond(
        {
          bytes: Buffer.byteLength(text),
          params: paramsOf(endpoint, c),
          query,
          headers: c.req.raw.headers,
          address: addressOf(c),
          answerHeaders,
        },
        text,
      );
      return answerWith(endpoint.responseType, answer, answerHeaders);
    });
  }
};

/** The settings that decide about paths: those of the project, and defaults. */
export const apiSettings = (config: Readonly<Record<string, unknown>> | undefined): Settings =>
  settingsFrom({ page: () => config, overrides: {}, project: {}, report: () => undefined });

/** The calls of these routes, as the overview shows them. */
export const listedRoutes = (routes: readonly Route[], setting: Settings): readonly Listed[] =>
  routes.map(({ endpoint }) => ({
    method: endpoint.method,
    path: endpointPath(endpoint, setting),
    note: [endpoint.host, endpoint.credentials && 'with credentials'].filter(Boolean).join(', '),
  }));

/** The path as Hono writes it; a parameter with text after it becomes a pattern for the whole segment. */
const patternOf = (endpoint: Route['endpoint'], setting: Settings): string =>
  endpointPath(endpoint, setting).replace(
    /:(\w+)([^/\w][^/]*)/,
    (_, name: string, rest: string) => `:${name}{[^/]+${rest.replaceAll('.', '\\.')}}`,
  );

const paramsOf = ({ path }: Route['endpoint'], c: Context<ApiEnv>): Readonly<Record<string, string>> => {
  const rest = /:\w+([^/\w][^/]*)/.exec(path)?.[1] ?? '';
  return Object.fromEntries(
    Object.entries(c.req.param()).map(([name, value]: [string, string]) => [
      name,
      rest === '' ? value : value.slice(0, -rest.length),
    ]),
  );
};

const answerWith = (responseType: Route['endpoint']['responseType'], answer: unknown, headers: Headers): Response => {
  if (responseType === 'json') return Response.json(answer, { headers });
  if (responseType === 'binary') headers.set('content-type', 'application/octet-stream');
  return new Response((answer ?? '') as string | ArrayBuffer, { headers });
};

const addressOf = (c: Context<ApiEnv>): string =>
  c.req.header('x-forwarded-for')?.split(',')[0]?.trim() ??
  (c.env as ApiEnv['Bindings'] | undefined)?.incoming?.socket.remoteAddress ??
  '127.0.0.1';
