import nock from 'nock';

import { Anything, readerOf } from '../../src/codecs/codecs';
import { batchEvents, type UploadedEvent } from '../../src/endpoints/batchEvents';
import { binaryModels } from '../../src/endpoints/binaryModels';
import { call } from '../../src/endpoints/call';
import type { Endpoint } from '../../src/endpoints/endpoint';
import { geoip } from '../../src/endpoints/geoip';
import { identify } from '../../src/endpoints/identify';
import { reportErrors } from '../../src/endpoints/reportErrors';
import { reset } from '../../src/endpoints/reset';
import { NetworkError, StatusError } from '../../src/model/errors';
import { fetchHttp } from '../../src/platform/http';
import { callDeps, valueOf } from './support/callDeps';

const api = 'https://api.permutive.com';
const alias = { tag: 'default', id: 'reader-7', priority: 0 };
const identity = { user_id: 'visitor', aliases: [alias] };
const event: UploadedEvent = {
  id: 'e1',
  user_id: 'visitor',
  name: 'Pageview',
  time: '2026-01-01T00:00:00.000Z',
  segments: [7],
  cohorts: ['7'],
  properties: {},
  session_id: 's',
  view_id: 'v',
};

const answerOf = <Body, Answer>(
  endpoint: Endpoint<Body, Answer>,
  input: Parameters<typeof call<Body, Answer>>[1] = {},
  config = {},
): Promise<Answer> => valueOf(call(endpoint, input, callDeps(config)));

const errorOf = async (answer: Promise<unknown>): Promise<Error> => {
  const [result] = await Promise.allSettled([answer]);
  if (result.status === 'fulfilled') throw new Error('An error was expected');
  return result.reason as Error;
};

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());
afterAll(() => {
  nock.enableNetConnect();
  nock.restore();
});

describe('call', () => {
  it('posts JSON as plain text and decodes the answer', async () => {
    const server = nock(api, { reqheaders: { 'content-type': 'text/plain' } })
      .post('/v2.0/identify?k=key', JSON.stringify(identity))
      .reply(200, { user_id: 'first' });

    await expect(answerOf(identify, { body: identity })).resolves.toEqual({ user_id: 'first' });
    expect(server.isDone()).toBe(true);
  });

  it('sends the fields of the codec and no others', async () => {
    nock(api)
      .post('/v2.0/batch/events?enrich=false&sdkp=true&k=key', JSON.stringify([event]))
      .reply(200, [{ code: 200, body: { id: 'e1', time: event.time } }]);

    const query = [
      ['enrich', 'false'],
      ['sdkp', 'true'],
    ] as const;
    await expect(
      answerOf(batchEvents, { query, body: [{ ...event, secret: true } as UploadedEvent] }),
    ).resolves.toMatchObject([{ code: 200 }]);
  });

  it('sends no body where there is none, and names the type all the same', async () => {
    nock(api, { reqheaders: { 'content-type': 'text/plain' } })
      .post('/v2.0/reset?k=key', '')
      .reply(200, 'ignored');

    await expect(answerOf(reset)).resolves.toBe('ignored');
  });

  it('keeps repeated query names in their order, the key last', async () => {
    const seen: unknown[] = [];
    const http = fetchHttp({ fetch: (input, init) => (seen.push(input), fetch(input, init)) });
    nock(api).get(/./).reply(200, {});

    await valueOf(
      call(
        geoip,
        {
          query: [
            ['include', 'geo'],
            ['include', 'isp'],
            ['include', 'ip_hash'],
          ],
        },
        { ...callDeps(), http },
      ),
    );
    expect(seen).toEqual(['https://api.permutive.com/v2.0/geoip?include=geo&include=isp&include=ip_hash&k=key']);
  });

  it('gives a binary answer as a buffer', async () => {
    nock('https://cdn.permutive.com')
      .get('/models/v2/w-models.bin?k=key')
      .reply(200, Buffer.from([2, 255]));

    const models = await answerOf(binaryModels, { params: { workspaceId: 'w' } });
    expect([...new Uint8Array(models)]).toEqual([2, 255]);
  });

  it('gives text as it is', async () => {
    nock(api).post('/sdk-errors/v2/errors?k=key').reply(200, 'OK');

    await expect(answerOf(reportErrors, { body: [] })).resolves.toBe('OK');
  });

  it('sends credentials only where the endpoint says so', async () => {
    const seen: unknown[] = [];
    const http = fetchHttp({ fetch: (input, init) => (seen.push(init?.credentials), fetch(input, init)) });
    nock(api).post(/./).twice().reply(200, { user_id: 'first' });

    await valueOf(call(identify, { body: identity }, { ...callDeps(), http }));
    await valueOf(call(reset, {}, { ...callDeps(), http }));
    expect(seen).toEqual(['include', 'omit']);
  });

  it('marks a request that may outlive the page', async () => {
    const seen: unknown[] = [];
    const http = fetchHttp({ fetch: (input, init) => (seen.push(init?.keepalive), fetch(input, init)) });
    nock(api).post(/./).twice().reply(200);

    await valueOf(call(reset, {}, { ...callDeps(), http }, { keepalive: true }));
    await valueOf(call(reset, {}, { ...callDeps(), http }));
    expect(seen).toEqual([true, undefined]);
  });

  it('sends nothing before someone subscribes', async () => {
    const server = nock(api).post('/v2.0/reset?k=key').reply(200);
    const answer$ = call(reset, {}, callDeps());
    expect(server.isDone()).toBe(false);

    await valueOf(answer$);
    expect(server.isDone()).toBe(true);
  });

  it('aborts when nobody waits any more', async () => {
    const aborted = new Promise((resolve) => {
      const http = fetchHttp({
        fetch: (_, init) => new Promise(() => init?.signal?.addEventListener('abort', resolve)),
      });
      call(reset, {}, { ...callDeps(), http })
        .subscribe()
        .unsubscribe();
    });
    await expect(aborted).resolves.toMatchObject({ type: 'abort' });
  });
});

describe('call, when no answer comes', () => {
  it('says that the network failed', async () => {
    nock(api).post(/./).replyWithError('connection refused');

    const error = await errorOf(answerOf(reset));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ message: 'Network request failed', kind: 'failed' });
  });

  it('gives up after requestTimeout', async () => {
    nock(api).post(/./).delay(2000).reply(200);

    const error = await errorOf(answerOf(reset, {}, { requestTimeout: 30 }));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ message: 'Network request timed out', kind: 'timeout' });
    nock.abortPendingRequests();
  });

  it('reads requestTimeout at each call', async () => {
    const config = { requestTimeout: 30 };
    const deps = callDeps(config);
    nock(api).post(/./).twice().delay(100).reply(200, 'late');

    await expect(errorOf(valueOf(call(reset, {}, deps)))).resolves.toHaveProperty('kind', 'timeout');
    config.requestTimeout = 5000;
    await expect(valueOf(call(reset, {}, deps))).resolves.toBe('late');
  });
});

describe('call, when the answer is of no use', () => {
  it.each([400, 404, 429, 500, 503])('names the status %d and gives the body', async (status) => {
    nock(api).post(/./).reply(status, 'what was wrong');

    const error = await errorOf(answerOf(identify, { body: identity }));
    expect(error).toBeInstanceOf(StatusError);
    expect(error).toMatchObject({ message: `Failed ajax request. Status code was ${status}. what was wrong`, status });
  });

  it('keeps Retry-After', async () => {
    nock(api).post(/./).reply(429, '', { 'Retry-After': '7' });

    await expect(errorOf(answerOf(reset))).resolves.toMatchObject({
      message: 'Failed ajax request. Status code was 429.',
      retryAfterMs: 7000,
    });
  });

  it('gives the text of a failure to a binary call', async () => {
    nock('https://cdn.permutive.com').get(/./).reply(404, 'no such file');

    const error = await errorOf(answerOf(binaryModels, { params: { workspaceId: 'w' } }));
    expect(error.message).toBe('Failed ajax request. Status code was 404. no such file');
  });

  it.each(['{"user_id": "cut', '<html>'])('quotes what is not JSON: %s', async (text) => {
    nock(api).post(/./).reply(200, text);

    const error = await errorOf(answerOf(identify, { body: identity }));
    expect(error.message).toBe(`Failed to parse response as JSON. Response was ${text}`);
  });

  it.each([
    ['64 levels', 64, undefined],
    ['65 levels', 65, 'The answer is larger than 64 levels'],
    ['100,000 levels', 100_000, 'The answer is larger than 64 levels'],
  ])('takes an answer as deep as an event may be: %s', async (_, levels, expected) => {
    const anything: Endpoint<never, unknown> = { ...geoip, answer: readerOf(Anything) };
    nock(api)
      .get(/./)
      .reply(200, `${'['.repeat(levels)}${']'.repeat(levels)}`);

    const [{ reason }] = (await Promise.allSettled([answerOf(anything)])) as [{ reason?: Error }];
    expect(reason?.message).toBe(expected);
  });

  it('takes an empty body for null', async () => {
    const anything: Endpoint<never, unknown> = { ...geoip, answer: readerOf(Anything) };
    nock(api).get(/./).reply(200, '');

    await expect(answerOf(anything)).resolves.toBeNull();
  });

  it('refuses null where something is expected', async () => {
    nock(api).post(/./).reply(200, '');

    const error = await errorOf(answerOf(identify, { body: identity }));
    expect(error).toMatchObject({ name: 'DecodeError', message: '(root): expected IdentifyAnswer' });
  });

  it('names path and type of what does not decode, never the value', async () => {
    nock(api)
      .post(/./)
      .reply(200, [
        { code: 200, body: {} },
        { code: 'reader@example.com', body: {} },
      ]);

    const error = await errorOf(answerOf(batchEvents, { body: [] }));
    expect(error).toMatchObject({ name: 'DecodeError', message: '1/code: expected number' });
    expect(JSON.stringify(error)).not.toContain('reader@example.com');
  });
});
