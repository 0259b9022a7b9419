import { listen, type Listening } from '../../../demo/api/listen';
import { until } from '../../support/waiting';
import { client, event } from './support/client';

describe('POST /faults', () => {
  it('answers with a status, headers and body for as often as it says', async () => {
    const api = client();
    await api.post('/faults', [
      {
        match: { path: 'batch/events' },
        action: { status: 503, body: { error: 'busy' }, headers: { 'Retry-After': '2' } },
        times: 2,
      },
    ]);
    const answers = [];
    for (let i = 0; i < 3; i += 1) answers.push(await api.post('/v2.0/batch/events', [event(String(i))]));

    expect(answers.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(answers[0]?.headers.get('retry-after')).toBe('2');
    expect(await answers[0]?.json()).toEqual({ error: 'busy' });
    expect(await api.get('/good')).toMatchObject({ count: 1 });
    expect(await api.get('/requests')).toMatchObject({ requests: [{ status: 503 }, { status: 503 }, { status: 200 }] });
    expect(await api.get('/faults')).toEqual([]);
  });

  it('lasts until it is deleted where it gives no number', async () => {
    const api = client();
    await api.post('/faults', [{ match: {}, action: { status: 500, body: 'down' } }]);
    expect((await api.post('/v2.0/reset', '')).status).toBe(500);
    expect(await (await api.post('/v2.0/reset', '')).text()).toBe('down');
    await api.app.request('/faults', { method: 'DELETE' });
    expect((await api.post('/v2.0/reset', '')).status).toBe(200);
  });

  it('matches method, path and query', async () => {
    const api = client();
    await api.post('/faults', [{ match: { method: 'POST', path: 'reset?k=7' }, action: { status: 500 } }]);
    expect((await api.post('/v2.0/reset?k=7', '')).status).toBe(500);
    expect((await api.post('/v2.0/reset?k=8', '')).status).toBe(200);
    expect((await api.app.request('/v2.0/reset?k=7')).status).toBe(404);
  });

  it('uses the older switch first', async () => {
    const api = client();
    await api.post('/faults', [{ match: {}, action: { status: 500 }, times: 1 }]);
    await api.post('/faults', [{ match: {}, action: { status: 502 }, times: 1 }]);
    expect([(await api.post('/v2.0/reset', '')).status, (await api.post('/v2.0/reset', '')).status]).toEqual([
      500, 502,
    ]);
  });

  it('delays', async () => {
    const api = client();
    await api.post('/faults', [{ match: {}, action: { delayMs: 60 }, times: 1 }]);
    const answered: string[] = [];
    const ask = async (name: string): Promise<void> => {
      expect((await api.post('/v2.0/reset', '')).status).toBe(200);
      answered.push(name);
    };
    await Promise.all([ask('delayed'), ask('next')]);
    expect(answered).toEqual(['next', 'delayed']);
  });

  it('cuts the answer off after the work is done', async () => {
    const api = client();
    await api.post('/faults', [{ match: {}, action: { malformed: true } }]);
    const text = await (await api.post('/v2.0/batch/events', [event('a')])).text();

    expect(text).toMatch(/^\[\{/);
    expect(() => void JSON.parse(text)).toThrow(SyntaxError);
    expect(await api.get('/good')).toMatchObject({ count: 1 });
  });

  it('breaks the connection without doing the work', async () => {
    const api = client();
    await api.post('/faults', [{ match: {}, action: { reset: true } }]);
    await expect(api.post('/v2.0/batch/events', [event('a')])).rejects.toThrow();
    expect(await api.get('/good')).toMatchObject({ count: 0 });
    expect(await api.get('/requests')).toMatchObject({ underWay: 0, requests: [{ status: null }] });
  });

  it('says how many requests have no answer yet', async () => {
    const api = client();
    await api.post('/faults', [{ match: {}, action: { delayMs: 300 }, times: 1 }]);
    const answer = api.post('/v2.0/batch/events', [event('a')]);
    let seen = await api.get('/requests');
    while ((seen as { readonly count: number }).count === 0) seen = await api.get('/requests');
    expect(seen).toMatchObject({ count: 1, underWay: 1 });
    await answer;
    expect(await api.get('/requests')).toMatchObject({ underWay: 0 });
  });

  it('loses the answer after the work is done', async () => {
    const api = client();
    await api.post('/faults', [{ match: {}, action: { ignoreAnswer: true } }]);
    await expect(api.post('/v2.0/batch/events', [event('a')])).rejects.toThrow();
    expect(await api.get('/good')).toMatchObject({ count: 1 });
  });

  it.each([[{}], [[{}]], [[{ match: {}, action: {} }]], [[{ match: {}, action: { hang: false } }]], ['no JSON']])(
    'refuses %j',
    async (body) => {
      const api = client();
      expect((await api.post('/faults', body)).status).toBe(400);
      expect(await api.get('/faults')).toEqual([]);
    },
  );
});

describe('over a real connection', () => {
  let api: ReturnType<typeof client>;
  let server: Listening;
  const post = (signal?: AbortSignal): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}/v2.0/batch/events`, {
      method: 'POST',
      body: JSON.stringify([event('a')]),
      ...(signal && { signal }),
    });

  beforeEach(async () => {
    api = client();
    server = await listen(api.app, 0);
  });
  afterEach(() => server.close());

  it('answers', async () => expect((await post()).status).toBe(200));

  it.each([
    [{ reset: true }, 0],
    [{ ignoreAnswer: true }, 1],
  ])('breaks: %j', async (action, count) => {
    await api.post('/faults', [{ match: {}, action, times: 1 }]);
    await expect(post()).rejects.toThrow('fetch failed');
    expect(await api.get('/good')).toMatchObject({ count });
    expect(await api.get('/requests')).toMatchObject({ requests: [{ status: null }] });
    expect((await post()).status).toBe(200);
  });

  it('hangs until the client leaves, and ends with the server', async () => {
    await api.post('/faults', [{ match: { method: 'POST' }, action: { hang: true } }]);
    await expect(post(AbortSignal.timeout(100))).rejects.toHaveProperty('name', 'TimeoutError');
    const hanging = expect(post()).rejects.toThrow();
    const requests = async (): Promise<readonly unknown[]> =>
      ((await api.get('/requests')) as { readonly requests: readonly unknown[] }).requests;
    await until(async () => (await requests()).length === 2);
    expect(await requests()).toMatchObject([{ status: null }, { status: null }]);
    // Nobody waits for an answer that does not come.
    expect(await api.get('/requests')).toMatchObject({ underWay: 0 });
    await server.close();
    await hanging;
  });

  it('gives a bad answer', async () => {
    await api.post('/faults', [{ match: {}, action: { malformed: true } }]);
    const response = await post();
    expect(response.status).toBe(200);
    await expect(response.json()).rejects.toThrow('JSON');
  });
});
