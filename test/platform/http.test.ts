import nock from 'nock';
import { firstValueFrom, lastValueFrom } from 'rxjs';

import { NetworkError } from '../../src/model/errors';
import { fetchHttp } from '../../src/platform/http';
import type { HttpAnswer, HttpRequest } from '../../src/platform/platform';

const site = 'https://api.example';
const http = fetchHttp({ fetch: (input, init) => fetch(input, init) });
const request = (changes: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'POST',
  url: `${site}/path`,
  responseType: 'json',
  ...changes,
});
// eslint-disable-next-line rxjs-x/no-ignored-default-value -- a request that ends without an answer fails its test
const answerTo = (asked: HttpRequest): Promise<HttpAnswer> => firstValueFrom(http.send(asked));

/** What fetch is called with. */
const initOf = (asked: HttpRequest): RequestInit => {
  const inits: RequestInit[] = [];
  const recording = fetchHttp({ fetch: (_, init) => (inits.push(init ?? {}), new Promise(() => undefined)) });
  recording.send(asked).subscribe();
  return inits[0] ?? {};
};

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());
afterAll(() => {
  nock.enableNetConnect();
  nock.restore();
});

describe('fetchHttp.send', () => {
  it('sends a body as plain text', async () => {
    const server = nock(site, { reqheaders: { 'content-type': 'text/plain' } })
      .post('/path', '{"a":1}')
      .reply(200, 'ok');
    await expect(answerTo(request({ body: '{"a":1}' }))).resolves.toEqual({ status: 200, body: 'ok' });
    expect(server.isDone()).toBe(true);
  });

  it('says so without a body too', async () => {
    nock(site, { reqheaders: { 'content-type': 'text/plain' } })
      .get('/path')
      .reply(200, '');
    await expect(answerTo(request({ method: 'GET' }))).resolves.toEqual({ status: 200, body: '' });
  });

  it.each([400, 404, 500, 503])('gives an answer of status %i like any other', async (status) => {
    nock(site).post('/path').reply(status, 'no');
    await expect(answerTo(request())).resolves.toEqual({ status, body: 'no' });
  });

  it.each([
    ['by its length', { 'content-length': '1000001' }, Buffer.alloc(1_000_001)],
    ['that says nothing of its length', {}, Buffer.alloc(1_000_001)],
  ])('fails for an answer of more than 1 MB, %s', async (_, headers, body) => {
    nock(site).post('/path').twice().reply(200, body, headers);
    for (const responseType of ['json', 'binary'] as const)
      await expect(answerTo(request({ responseType }))).rejects.toThrow('The answer is larger than 1 MB');
  });

  it('follows no redirect, and sends nothing to where one leads', async () => {
    const other = nock('https://other.example').get('/path').reply(200, '{}');
    nock(site).get('/path').reply(307, '', { Location: 'https://other.example/path' });
    await expect(answerTo(request({ method: 'GET' }))).rejects.toThrow('Network request failed');
    expect(other.isDone()).toBe(false);
  });

  it('reads an endless answer no further than it must', async () => {
    let [asked, isCancelled] = [0, false];
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => (controller.enqueue(new Uint8Array(100_000)), void (asked += 1)),
      cancel: () => void (isCancelled = true),
    });
    const server = fetchHttp({ fetch: () => Promise.resolve(new Response(endless)) });
    await expect(lastValueFrom(server.send(request()), { defaultValue: undefined })).rejects.toThrow(
      'The answer is larger than 1 MB',
    );
    expect(asked).toBeLessThan(15);
    expect(isCancelled).toBe(true);
  });

  it('gives an answer of 1 MB', async () => {
    nock(site).post('/path').reply(200, 'a'.repeat(1_000_000));
    expect((await answerTo(request())).body).toHaveLength(1_000_000);
  });

  it('gives an answer that comes in parts, also where a character is cut', async () => {
    const bytes = new TextEncoder().encode('née à Zürich');
    const inParts = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const server = fetchHttp({ fetch: () => Promise.resolve(new Response(inParts)) });
    await expect(lastValueFrom(server.send(request()), { defaultValue: undefined })).resolves.toEqual({
      status: 200,
      body: 'née à Zürich',
    });
  });

  it('gives the answer of a fetch of the page that has no stream', async () => {
    const { headers } = new Response();
    const own = { status: 200, ok: true, headers, text: () => Promise.resolve('own') } as Response;
    const server = fetchHttp({ fetch: () => Promise.resolve(own) });
    await expect(lastValueFrom(server.send(request()), { defaultValue: undefined })).resolves.toEqual({
      status: 200,
      body: 'own',
    });
  });

  it('gives a binary answer as a buffer', async () => {
    nock(site)
      .post('/path')
      .reply(200, Buffer.from([0, 255]));
    const { body } = await answerTo(request({ responseType: 'binary' }));
    expect([...new Uint8Array(body as ArrayBuffer)]).toEqual([0, 255]);
  });

  it('gives the text of a binary answer that failed', async () => {
    nock(site).post('/path').reply(404, 'not there');
    await expect(answerTo(request({ responseType: 'binary' }))).resolves.toEqual({ status: 404, body: 'not there' });
  });

  it.each([
    ['0', 0],
    ['7', 7000],
    ['999999', 999_999_000],
    ['1000000', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    ['', undefined],
  ])('reads Retry-After: %s', async (header, retryAfterMs) => {
    nock(site).post('/path').reply(503, '', { 'Retry-After': header });
    await expect(answerTo(request())).resolves.toEqual({
      status: 503,
      body: '',
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  });

  it('fails where no answer comes', async () => {
    nock(site).post('/path').replyWithError('connection refused');
    const error: unknown = await answerTo(request()).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ kind: 'failed', message: 'Network request failed' });
  });

  it('fails where a fetch of the page throws', async () => {
    const broken = fetchHttp({
      fetch: () => {
        throw new Error('of the page');
      },
    });
    // eslint-disable-next-line rxjs-x/no-ignored-default-value -- it fails
    await expect(firstValueFrom(broken.send(request()))).rejects.toMatchObject({ kind: 'failed' });
  });

  it.each([
    [{}, { method: 'POST', credentials: 'omit' }],
    [{ credentials: true }, { credentials: 'include' }],
    [{ credentials: false }, { credentials: 'omit' }],
    [{ keepalive: true }, { keepalive: true }],
    // The address of the page may hold secrets, which the SDK has removed from what it sends.
    [{}, { referrerPolicy: 'origin', redirect: 'error' }],
  ])('asks fetch for %p', (changes, expected) => {
    expect(initOf(request(changes))).toMatchObject(expected);
  });

  it('does not name keepalive where it is not asked for', () => {
    expect(initOf(request())).not.toHaveProperty('keepalive');
    expect(initOf(request({ keepalive: false }))).not.toHaveProperty('keepalive');
  });

  it('sends at each subscription, and not before', async () => {
    const server = nock(site).post('/path').twice().reply(200, 'ok');
    const answer$ = http.send(request());
    expect(server.isDone()).toBe(false);
    // eslint-disable-next-line rxjs-x/no-ignored-default-value -- both are answered
    await Promise.all([firstValueFrom(answer$), firstValueFrom(answer$)]);
    expect(server.isDone()).toBe(true);
  });

  it('aborts when unsubscribed', () => {
    const signals: (AbortSignal | null | undefined)[] = [];
    const recording = fetchHttp({ fetch: (_, init) => (signals.push(init?.signal), new Promise(() => undefined)) });
    const sending = recording.send(request()).subscribe();
    expect(signals[0]?.aborted).toBe(false);
    sending.unsubscribe();
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe('fetchHttp.beacon', () => {
  const beaconWith = (sendBeacon?: (url: string, body: string) => boolean): boolean =>
    fetchHttp({ fetch, ...(sendBeacon && { sendBeacon }) }).beacon(site, 'body');

  it('hands the text to the browser', () => {
    const sendBeacon = jest.fn(() => true);
    expect(beaconWith(sendBeacon)).toBe(true);
    expect(sendBeacon.mock.calls).toEqual([[site, 'body']]);
  });

  it('says where the browser refuses, throws, or has none', () => {
    expect(beaconWith(() => false)).toBe(false);
    expect(
      beaconWith(() => {
        throw new Error('blocked');
      }),
    ).toBe(false);
    expect(beaconWith()).toBe(false);
  });
});
