import { createCollector } from '../../demo/api/collector';
import { keepInStream, type StreamKeeper } from '../../demo/eventStream/keepInStream';
import type { UploadedEvent } from '../../src/endpoints/batchEvents';
import { until } from '../browser/support/until';
import { event, project } from '../demo/api/support/client';
import { type NatsServer, natsServer } from './support/natsServer';
import { type TestStream, testStream } from './support/stream';

const path = '/v2.0/batch/events?enrich=false&sdkp=true&k=key';
const eventsOf = (...ids: readonly string[]): UploadedEvent[] => ids.map((id) => event(id));
const hundred = Array.from({ length: 100 }, (_, i) => event(`event-${i}`));

/** A collector in this process, on the server of the test. */
const collector = ({ url }: NatsServer) => {
  const report = jest.fn();
  const stream: StreamKeeper = keepInStream(url, report);
  const { app } = createCollector({ project, ...stream });
  open.push(stream);
  return {
    report,
    post: (body: readonly unknown[]): Promise<Response> =>
      Promise.resolve(app.request(path, { method: 'POST', body: JSON.stringify(body) })),
    status: async (address: string): Promise<number> => (await app.request(address)).status,
  };
};
const isReady = ({ status }: ReturnType<typeof collector>): Promise<true> =>
  until(async () => ((await status('/ready')) === 204 ? true : undefined), 'the stream');

let open: (Pick<StreamKeeper, 'close'> | TestStream)[] = [];
let server: NatsServer;
const begin = async (settings?: string): Promise<void> => {
  server = await natsServer(settings);
  await server.start();
};
const streamOf = async ({ url }: NatsServer): Promise<TestStream> => {
  const stream = await testStream(url);
  open.push(stream);
  return stream;
};
afterEach(async () => {
  server.resume();
  await Promise.all(open.map((each) => each.close()));
  open = [];
  await server.remove();
});

describe('a batch', () => {
  it('is answered when each event is in the stream, which drops repeats', async () => {
    await begin();
    const api = collector(server);
    await isReady(api);

    const answer = await api.post(eventsOf('a', 'b', 'a'));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject(['a', 'b', 'a'].map((id) => ({ code: 200, body: { id } })));
    expect((await api.post(eventsOf('b', 'c'))).status).toBe(200);
    const stream = await streamOf(server);
    expect(await stream.ids()).toEqual(['a', 'b', 'c']);
    expect((await stream.info()).config).toMatchObject({ storage: 'file', discard: 'new', duplicate_window: 7200e9 });
  });

  it('costs an event that no stream can keep, and no other', async () => {
    await begin('max_payload: 100KB');
    const api = collector(server);
    await isReady(api);

    const large = event('large', { properties: { text: 'x'.repeat(200_000) } });
    const answer = await api.post([event('a'), { id: 1 }, event('two\nlines'), large, event('b')]);
    expect(await answer.json()).toMatchObject([
      { code: 200 },
      { code: 400 },
      { code: 400, body: { error: { message: 'id: expected at most 128 visible characters of ASCII' } } },
      { code: 413 },
      { code: 200 },
    ]);
    expect(await (await streamOf(server)).ids()).toEqual(['a', 'b']);
  });

  it('costs an event that is too large for this stream, and no other', async () => {
    await begin();
    const api = collector(server);
    await isReady(api);
    const stream = await streamOf(server);
    await stream.update({ max_msg_size: 2000 });

    const large = event('large', { properties: { text: 'x'.repeat(4000) } });
    expect(await (await api.post([large, event('a')])).json()).toMatchObject([{ code: 413 }, { code: 200 }]);
    expect(await stream.ids()).toEqual(['a']);
  });

  it('is to be sent again where the stream has taken a part of it', async () => {
    await begin();
    const api = collector(server);
    await isReady(api);
    const stream = await streamOf(server);
    await stream.update({ max_msgs: 40 });

    const answer = await api.post(hundred);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await stream.info()).state.messages).toBe(40);
    await stream.update({ max_msgs: -1 });
    expect((await api.post(hundred)).status).toBe(200);
    expect([...(await stream.ids())].sort()).toEqual(hundred.map(({ id }) => id).sort());
  });

  it('is to be sent again where the server is slow, and is not there twice', async () => {
    await begin();
    const api = collector(server);
    await isReady(api);
    const stream = await streamOf(server);

    server.pause();
    const answer = await api.post(hundred);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    server.resume();
    expect((await api.post(hundred)).status).toBe(200);
    expect(await stream.ids()).toHaveLength(100);
  });
});

describe('a server that is away', () => {
  it('has batches sent again, at the start and later; what it has acknowledged survives its death', async () => {
    server = await natsServer();
    const api = collector(server);
    expect((await api.post(eventsOf('a'))).status).toBe(503);
    expect(await api.status('/ready')).toBe(503);

    await server.start();
    await isReady(api);
    expect((await api.post(eventsOf('a'))).status).toBe(200);
    await server.kill();
    expect((await api.post(eventsOf('a', 'b'))).status).toBe(503);
    await server.start();
    await until(async () => ((await api.post(eventsOf('a', 'b'))).status === 200 ? true : undefined), 'the server');
    expect(await (await streamOf(server)).ids()).toEqual(['a', 'b']);
    const [early, late, ...reports] = api.report.mock.calls.flat() as string[];
    expect([early, late].sort()).toEqual([
      expect.stringContaining('No connection to nats://127.0.0.1:'),
      'The event stream does not take events: Error: no connection',
    ]);
    expect(reports).toEqual([
      'The event stream takes events again',
      expect.stringContaining('The event stream does not take events'),
      'The event stream takes events again',
    ]);
  });

  it('without JetStream has batches sent again', async () => {
    await begin('jetstream: false');
    const api = collector(server);
    expect((await api.post(eventsOf('a'))).status).toBe(503);
  });
});

describe('the call of a service', () => {
  it('is answered where that needs no memory', async () => {
    await begin();
    const api = collector(server);
    expect(await api.status('/v2.0/geoip?k=key')).toBe(200);
    expect(await api.status('/v2.0/identify?k=key')).toBe(404);
    expect(await api.status('/good')).toBe(404);
  });
});
