import { project as sample } from '../../../demo/project/project';
import { batchEvents } from '../../../src/endpoints/batchEvents';
import { identify } from '../../../src/endpoints/identify';
import { reset } from '../../../src/endpoints/reset';
import { stateSync } from '../../../src/endpoints/stateSync';
import { client, event } from './support/client';

describe('what is not accepted', () => {
  it('names path and type, and is kept', async () => {
    const api = client();
    const response = await api.post('/v2.0/identify?k=key', {
      user_id: 'u',
      aliases: [{ tag: 'default', id: 7, priority: 0 }],
    });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { status: 400, code: 1000, message: 'aliases/0/id: expected string' },
    });
    expect(await api.get('/bad')).toMatchObject({
      count: 1,
      rejected: [{ call: 'POST /v2.0/identify', errors: [{ path: 'aliases/0/id', expected: 'string' }] }],
    });
  });

  it.each([
    ['GET', '/v2.0/identify'],
    ['POST', '/v2.0/nothing'],
    ['GET', '/models/v2/other-models.bin'],
    ['GET', '/models/other-models.json'],
    ['GET', '/queries/other-amp.json'],
    ['GET', '/models/v2/workspace-models-bin'],
  ])('there is no %s %s', async (method, path) => {
    const api = client();
    const response = await api.app.request(path, { method });

    expect(response.status).toBe(404);
    expect(await api.get('/bad')).toMatchObject({ rejected: [{ call: `${method} ${path}`, status: 404 }] });
  });
});

describe('GET /requests', () => {
  it('logs what came and what was answered', async () => {
    const api = client();
    await api.app.request('/v2.0/identify?k=key', {
      method: 'POST',
      body: '{"é',
      headers: { 'content-type': 'text/plain', cookie: 'pxid=7', origin: 'http://localhost:8080' },
    });
    await api.call(batchEvents, {
      query: [
        ['enrich', 'true'],
        ['sdkp', 'true'],
      ],
      body: [event('a')],
    });

    expect(await api.get('/requests')).toMatchObject({
      count: 2,
      requests: [
        {
          method: 'POST',
          path: '/v2.0/identify',
          query: '?k=key',
          contentType: 'text/plain',
          cookie: true,
          origin: 'http://localhost:8080',
          bytes: 4,
          body: '{"é',
          status: 400,
        },
        {
          method: 'POST',
          path: '/v2.0/batch/events',
          query: '?enrich=true&sdkp=true&k=key',
          cookie: false,
          origin: null,
          body: null,
          status: 200,
        },
      ],
    });
    expect(await api.get('/requests?path=identify')).toMatchObject({ count: 1 });
    expect(await api.get('/requests?since=1')).toMatchObject({ count: 2, requests: [{ path: '/v2.0/batch/events' }] });
  });
});

describe('POST /reset', () => {
  it('empties everything', async () => {
    const api = client();
    const alias = { tag: 'default', id: 'reader', priority: 0 };
    await api.call(identify, { body: { user_id: 'first', aliases: [alias] } });
    await api.call(batchEvents, { body: [event('a')] });
    await api.call(stateSync, {
      body: { group_id: 'g', event_source_id: 's1', state: '{"v":2,"q":{"1":["c",[1]]}}', last_seen_offset: 0 },
    });
    await api.post('/v2.0/identify', 'bad');
    await api.post('/faults', [{ match: {}, action: { status: 500 } }]);
    expect((await api.post('/reset', '')).status).toBe(200);

    expect(await api.get('/good')).toEqual({ count: 0, duplicates: 0, events: [] });
    expect(await api.get('/bad')).toEqual({ count: 0, rejected: [] });
    expect(await api.get('/requests')).toEqual({ count: 0, underWay: 0, requests: [] });
    expect(await api.get('/faults')).toEqual([]);
    await expect(api.call(identify, { body: { user_id: 'second', aliases: [alias] } })).resolves.toEqual({
      user_id: 'second',
    });
    await expect(
      api.call(stateSync, {
        query: [['fetch_unseen', 'true']],
        body: { group_id: 'g', event_source_id: 's2', state: '{}', last_seen_offset: 1 },
      }),
    ).resolves.toEqual({ state: '{}', state_offset: 0 });
  });

  it('is not the reset of the SDK', async () => {
    const api = client();
    await api.call(batchEvents, { body: [event('a')] });
    await api.call(reset);
    expect(await api.get('/good')).toMatchObject({ count: 1 });
  });
});

describe('CORS', () => {
  const origin = 'http://localhost:8080';

  it.each(['/good', '/v2.0/geoip', '/v2.0/nothing'])(
    'lets a page of this machine read %s, with credentials',
    async (path) => {
      const { headers } = await client().app.request(path, { headers: { origin } });

      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(headers.get('access-control-expose-headers')).toBe('Retry-After');
      expect(headers.get('vary')).toMatch(/origin/i);
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    },
  );

  it('lets a page read an answer that a fault made up', async () => {
    const api = client();
    await api.post('/faults', [{ match: {}, action: { status: 429, headers: { 'Retry-After': '3' } } }]);
    const { status, headers } = await api.app.request('/v2.0/reset', { method: 'POST', headers: { origin } });

    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('3');
    expect(headers.get('access-control-allow-origin')).toBe(origin);
  });

  it('lets a page read an error', async () => {
    const { status, headers } = await client().app.request('/v2.0/identify', {
      method: 'POST',
      body: '{',
      headers: { origin },
    });
    expect(status).toBe(400);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
  });

  it('answers a preflight for any path, and does not log it', async () => {
    const api = client();
    const { status, headers } = await api.app.request('/any/path', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });

    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-methods')).toContain('POST');
    expect(headers.get('access-control-allow-headers')).toBe('content-type');
    expect(await api.get('/requests')).toMatchObject({ count: 0 });
  });

  it.each(['https://evil.example', 'https://localhost.evil.example', 'https://127.0.0.1.nip.io', 'null', 'file://'])(
    'lets no page of %s read anything',
    async (foreign) => {
      const { headers } = await client().app.request('/requests', { headers: { origin: foreign } });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it.each(['http://127.0.0.1:1', 'http://localhost', 'http://site.localhost:1', 'http://[::1]:1'])(
    'lets a page of %s read',
    async (near) => {
      const { headers } = await client().app.request('/requests', { headers: { origin: near } });
      expect(headers.get('access-control-allow-origin')).toBe(near);
    },
  );

  it('answers under no name that leads to this machine, unless it is told to', async () => {
    const at = async (host: string, hosts: readonly string[] = []) =>
      (await client({ hosts }).app.request(`http://${host}/v2.0/geoip`)).status;
    expect(await Promise.all(['evil.example', 'localhost.evil.example'].map((host) => at(host)))).toEqual([403, 403]);
    expect(await Promise.all(['localhost:1', '127.0.0.1', '[::1]'].map((host) => at(host)))).toEqual([200, 200, 200]);
    expect(await at('api.lan', ['api.lan'])).toBe(200);
  });

  it.each(['/v2.0/identify', '/faults', '/nothing'])('refuses a body of more than 1 MB: %s', async (path) => {
    const { status } = await client().app.request(path, { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) });
    expect(status).toBe(413);
  });

  it('can be limited to some origins', async () => {
    const { app } = client({ cors: { origins: [origin] } });
    expect((await app.request('/good', { headers: { origin } })).headers.get('access-control-allow-origin')).toBe(
      origin,
    );
    expect(
      (await app.request('/good', { headers: { origin: 'https://other.example' } })).headers.get(
        'access-control-allow-origin',
      ),
    ).toBeNull();
  });
});

describe('GET /', () => {
  it('lists the calls', async () => {
    const page = await (await client().app.request('/')).text();
    expect(page).toContain('<code>/v2.0/batch/events</code>');
    expect(page).toContain('<code>/faults</code>');
  });
});

describe('versions', () => {
  it('are the project’s', async () => {
    const { app } = client({ project: { workspaceId: 'w', config: { apiVersion: 'v3.0' } } });
    expect((await app.request('/v3.0/geoip')).status).toBe(200);
    expect((await app.request('/v2.0/geoip')).status).toBe(404);
  });
});

describe('the sample project', () => {
  it('has an API', async () => {
    const { app } = client({ project: sample });
    expect((await app.request(`/models/v2/${sample.workspaceId}-models.bin`)).status).toBe(200);
  });
});

describe('a call of a page', () => {
  const statusOf = async (headers: Record<string, string>, origins?: readonly string[]): Promise<number> => {
    const api = client(origins && { cors: { origins } });
    const { status } = await api.app.request('/v2.0/batch/events?enrich=false&sdkp=true&k=key', {
      method: 'POST',
      body: JSON.stringify([event('a')]),
      headers: { 'content-type': 'text/plain', ...headers },
    });
    // What is refused leaves nothing.
    expect(await api.get('/good')).toMatchObject({ count: status === 200 ? 1 : 0 });
    return status;
  };

  it.each<Record<string, string>>([
    {},
    { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-site' },
    { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://[::1]:8080' },
    // A page that wants no referrer.
    { origin: 'null', 'sec-fetch-site': 'same-site' },
  ])('of this machine is taken: %j', async (headers) => {
    expect(await statusOf(headers)).toBe(200);
  });

  it.each<Record<string, string>>([
    { origin: 'https://elsewhere.example' },
    { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' },
  ])('of another site is refused, and leaves nothing: %j', async (headers) => {
    expect(await statusOf(headers)).toBe(403);
  });

  it('of any site is taken where origins are named, because such an API is public', async () => {
    const origins = ['https://news.example'];
    expect(await statusOf({ origin: 'https://news.example', 'sec-fetch-site': 'cross-site' }, origins)).toBe(200);
    expect(await statusOf({ origin: 'null', 'sec-fetch-site': 'cross-site' }, origins)).toBe(200);
  });
});

describe('controls', () => {
  const ask = async (
    [method, path]: readonly [string, string],
    headers: Record<string, string>,
    host = 'localhost',
  ): Promise<number> =>
    (
      await client({ hosts: ['api.lan'], cors: { origins: ['https://news.example'] } }).app.request(
        `http://${host}${path}`,
        { method, headers, ...(method === 'POST' && { body: '[]' }) },
      )
    ).status;
  const all = [
    ['POST', '/reset'],
    ['POST', '/faults'],
    ['DELETE', '/faults'],
    ['GET', '/faults'],
    ['GET', '/good'],
    ['GET', '/bad'],
    ['GET', '/requests'],
  ] as const;

  it.each(all)('%s %s is for no page of another site, not even one that may read answers', async (...call) => {
    for (const origin of ['https://evil.example', 'https://news.example', 'null'])
      expect(await ask(call, { origin })).toBe(403);
    expect(await ask(call, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' })).toBe(403);
  });

  it.each(all)('%s %s is for this machine', async (...call) => {
    expect(await ask(call, {})).toBe(200);
    expect(await ask(call, { origin: 'http://localhost:8080', 'sec-fetch-site': 'cross-site' })).toBe(200);
    expect(await ask(call, {}, 'api.lan')).toBe(403);
  });

  it('can be reached by a link, which the page that has it cannot read', async () => {
    const followed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
    expect(await ask(['GET', '/good'], followed)).toBe(200);
    expect(await ask(['POST', '/reset'], followed)).toBe(403);
  });

  it('leave the data alone where they are refused', async () => {
    const api = client();
    await api.call(batchEvents, { body: [event('a')] });
    await api.app.request('/reset', { method: 'POST', headers: { origin: 'https://evil.example' } });
    expect(await api.get('/good')).toMatchObject({ count: 1 });
  });
});
