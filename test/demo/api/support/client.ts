import { firstValueFrom, from, map, mergeMap, type Observable } from 'rxjs';

import { type ApiOptions, createApi } from '../../../../demo/api/api';
import type { UploadedEvent } from '../../../../src/endpoints/batchEvents';
import { call } from '../../../../src/endpoints/call';
import type { Endpoint, Input } from '../../../../src/endpoints/endpoint';
import { json } from '../../../../src/hardening/plainJson';
import { settingsFrom } from '../../../../src/model/config';
import type { Http, HttpAnswer, HttpRequest } from '../../../../src/platform/platform';

export const project = {
  workspaceId: 'workspace',
  queries: [
    { id: '101', q: { thirdParty: { provider: 'acme', in: ['7001', '7002', '7003', '7004'] } } },
    {
      id: '102',
      q: {
        and: [
          { thirdParty: { provider: 'north', in: [50_007] } },
          { thirdParty: { provider: 'acme', in: [1], hashed: true } },
        ],
      },
    },
    { id: '20701', q: { lookalike: { model: '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d', gte: 0.9 } } },
  ],
  cohortCodes: { '10000015': 'mstk', '10000018': 'own' },
  platformCohorts: { amp: [101] },
  models: { '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d': 20_701 },
  tpdProviders: ['acme', 'north'],
};

export const event = (id: string, more: Partial<UploadedEvent> = {}): UploadedEvent => ({
  id,
  user_id: 'visitor',
  name: 'Pageview',
  time: '2026-01-01T00:00:00.000Z',
  segments: [101],
  cohorts: ['101'],
  properties: {},
  session_id: 's',
  view_id: 'v',
  ...more,
});

/** An API in memory, called as the SDK calls it, with all hosts on this machine. */
export const client = (options: Partial<ApiOptions> = {}) => {
  const app = createApi({ project, ...options });
  const setting = settingsFrom({
    page: () => ({ apiKey: 'key', pxidHost: 'pxid.example' }),
    overrides: {},
    project: {},
    report: () => undefined,
  });
  const http: Http = { send: (request) => send(app, request), beacon: () => false };
  return {
    app,
    call: <Body, Answer>(endpoint: Endpoint<Body, Answer>, input: Input<NoInfer<Body>> = {}): Promise<Answer> =>
      // eslint-disable-next-line rxjs-x/no-ignored-default-value -- a call that ends without an answer fails its test
      firstValueFrom(call(endpoint, input, { http, setting, json })),
    get: async (path: string): Promise<unknown> => (await app.request(path)).json(),
    post: (path: string, body: unknown): Promise<Response> =>
      Promise.resolve(
        app.request(path, {
          method: 'POST',
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: { 'content-type': 'text/plain' },
        }),
      ),
  };
};

const send = (
  app: ReturnType<typeof createApi>,
  { method, url, body, responseType }: HttpRequest,
): Observable<HttpAnswer> =>
  from(
    Promise.resolve(
      app.request(url.replace(/^https:\/\/[^/]+/, 'http://localhost'), { method, ...(body !== undefined && { body }) }),
    ),
  ).pipe(
    mergeMap((response) =>
      from(responseType === 'binary' && response.ok ? response.arrayBuffer() : response.text()).pipe(
        map((content) => ({ status: response.status, body: content })),
      ),
    ),
  );
