import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { batchEvents } from '../../../src/endpoints/batchEvents';
import { client, event } from './support/client';

const path = '/v2.0/batch/events?enrich=false&sdkp=true&k=key';

describe('an event that is nested deeply', () => {
  const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

  it.each([101, 5_000, 50_000])('%p levels: is refused, and the others of its batch are kept', async (levels) => {
    const api = client();
    const body = JSON.stringify([event('a')]).replace(
      /\]$/,
      `,${JSON.stringify(event('deep')).replace('"properties":{}', `"properties":{"a":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`)}]`,
    );
    const answer = await api.app.request('/v2.0/batch/events?k=key', { method: 'POST', body });
    expect(await answer.json()).toMatchObject([{ code: 200 }, { code: 400 }]);
    expect(await api.get('/good')).toMatchObject({ count: 1, events: [{ id: 'a' }] });
    expect(await api.get('/bad')).toMatchObject({
      rejected: [{ message: 'nested deeper than 100 levels', input: null }],
    });
  });

  it('is kept while it is as deep as the SDK sends', async () => {
    const api = client();
    await api.call(batchEvents, { body: [event('a', { properties: nested(64) as Record<string, unknown> })] });
    expect(await api.get('/good')).toMatchObject({ count: 1 });
  });
});

describe('POST /v2.0/batch/events', () => {
  it('confirms each event in order', async () => {
    const api = client();
    const answer = await api.call(batchEvents, { body: [event('a'), event('b')] });

    expect(answer).toEqual(['a', 'b'].map((id) => ({ code: 200, body: { id, time: '2026-01-01T00:00:00.000Z' } })));
    expect(await api.get('/good')).toEqual({ count: 2, duplicates: 0, events: [event('a'), event('b')] });
    expect(await api.get('/bad')).toEqual({ count: 0, rejected: [] });
  });

  it('refuses a bad event alone', async () => {
    const api = client();
    const response = await api.post(path, [event('a'), { ...event('b'), segments: ['101'] }, event('c')]);

    expect(await response.json()).toMatchObject([
      { code: 200, body: { id: 'a' } },
      { code: 400, body: { error: { status: 400, code: 1000, message: 'segments/0: expected number' } } },
      { code: 200, body: { id: 'c' } },
    ]);
    expect(await api.get('/good')).toMatchObject({ count: 2 });
    expect(await api.get('/bad')).toMatchObject({
      count: 1,
      rejected: [
        {
          call: 'POST batch/events',
          status: 400,
          errors: [{ path: 'segments/0', expected: 'number' }],
          input: { id: 'b' },
        },
      ],
    });
  });

  it('counts a repeated id once', async () => {
    const api = client();
    await api.call(batchEvents, { body: [event('a'), event('a')] });
    const again = await api.call(batchEvents, { body: [event('a'), event('b')] });

    expect(again).toMatchObject([{ code: 200 }, { code: 200 }]);
    expect(await api.get('/good')).toMatchObject({ count: 2, duplicates: 2 });
  });

  it.each([
    ['in their order', [0, 1]],
    ['the other way round', [1, 0]],
  ])('counts the latest completion of a view that is completed again: %s', async (_, order) => {
    const api = client();
    const completion = (id: string, view_id: string, second: number) =>
      event(id, { name: 'PageviewComplete', view_id, time: `2026-01-01T00:00:0${second}.000Z` });
    const ofView = [completion('a', 'v', 1), completion('b', 'v', 2)];
    const others = [completion('c', 'w', 0), event('d', { name: 'Pageview', view_id: 'v' })];
    await api.call(batchEvents, { body: [...others, ...order.map((i) => ofView[i]!)] });

    expect(await api.get('/good')).toMatchObject({ count: 3, duplicates: 0, events: [...others, ofView[1]] });
    expect(await api.get('/good?all=true')).toMatchObject({ count: 4 });
  });

  it('refuses more than 100 events as a whole', async () => {
    const api = client();
    const events = Array.from({ length: 101 }, (_, i) => event(String(i)));
    expect((await api.post(path, events)).status).toBe(413);
    expect((await api.post(path, events.slice(1))).status).toBe(200);
    expect(await api.get('/good')).toMatchObject({ count: 100 });
    expect(await api.get('/bad')).toMatchObject({ rejected: [{ status: 413, message: '101 events, at most 100' }] });
  });

  it('refuses more than 512 KiB as a whole', async () => {
    const api = client();
    const filled = (bytes: number) => {
      const short = JSON.stringify([event('a', { properties: { text: '' } })]).length;
      return [event('a', { properties: { text: 'x'.repeat(bytes - short) } })];
    };
    expect((await api.post(path, filled(512 * 1024 + 1))).status).toBe(413);
    expect(await api.get('/good')).toMatchObject({ count: 0 });
    expect((await api.post(path, filled(512 * 1024))).status).toBe(200);
  });

  it.each(['{"cut', '', '{}', 'null'])('refuses a body that is no list: %s', async (body) => {
    const api = client();
    const response = await api.post(path, body);

    expect(response.status).toBe(400);
    expect(await api.get('/bad')).toMatchObject({
      rejected: [{ call: 'POST /v2.0/batch/events', errors: [{ path: '', expected: 'UploadedEvent[]' }], input: body }],
    });
  });
});

describe('GET /good', () => {
  it('filters by name and user, and shows what is new since a count', async () => {
    const api = client();
    await api.call(batchEvents, {
      body: [event('a'), event('b', { name: 'LinkClick' }), event('c', { user_id: 'other' }), event('d')],
    });

    expect(await api.get('/good?name=LinkClick')).toMatchObject({ count: 1, events: [{ id: 'b' }] });
    expect(await api.get('/good?user_id=other')).toMatchObject({ count: 1, events: [{ id: 'c' }] });
    expect(await api.get('/good?name=Pageview&user_id=visitor&since=1')).toMatchObject({
      count: 2,
      events: [{ id: 'd' }],
    });
    expect(await api.get('/good?since=4')).toMatchObject({ count: 4, events: [] });
  });
});

describe('with a data folder', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = join(mkdtempSync(join(tmpdir(), 'reference-api-')), 'data');
  });
  afterEach(() => rmSync(join(dataDir, '..'), { recursive: true }));

  it('has the events again after a restart, and knows their ids', async () => {
    await client({ dataDir }).call(batchEvents, { body: [event('a'), event('b')] });

    const api = client({ dataDir });
    await api.call(batchEvents, { body: [event('b'), event('c')] });
    expect(await api.get('/good')).toEqual({ count: 3, duplicates: 1, events: [event('a'), event('b'), event('c')] });
    expect(readFileSync(join(dataDir, 'events.ndjson'), 'utf8').split('\n')).toHaveLength(4);
  });

  it('takes no event for known that could not be written', async () => {
    const api = client({ dataDir });
    const file = join(dataDir, 'events.ndjson');
    mkdirSync(file);
    const failed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const send = async (): Promise<number> => {
      const body = JSON.stringify([event('a')]);
      return (await api.app.request('/v2.0/batch/events?k=key', { method: 'POST', body })).status;
    };
    // An error of Node's own realm is none of Jest's, so Hono does not take it for one.
    expect(await send().catch(() => 500)).toBe(500);
    failed.mockRestore();
    rmSync(file, { recursive: true });
    expect(await send()).toBe(200);
    expect(readFileSync(file, 'utf8')).toContain('"id":"a"');
    expect(await api.get('/good')).toMatchObject({ count: 1, duplicates: 0 });
  });

  it('loses only the line that a crash cut off', async () => {
    await client({ dataDir }).call(batchEvents, { body: [event('a')] });
    appendFileSync(join(dataDir, 'events.ndjson'), JSON.stringify(event('cut')).slice(0, 40));

    await client({ dataDir }).call(batchEvents, { body: [event('b')] });
    expect(await client({ dataDir }).get('/good')).toMatchObject({ events: [{ id: 'a' }, { id: 'b' }] });
  });

  it('is emptied by a reset', async () => {
    const api = client({ dataDir });
    await api.call(batchEvents, { body: [event('a')] });
    await api.post('/reset', '');

    expect(await client({ dataDir }).get('/good')).toMatchObject({ count: 0 });
  });
});
