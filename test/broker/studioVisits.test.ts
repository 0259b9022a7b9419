import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream } from '@nats-io/jetstream';

import { ensureStream, subject } from '../../demo/eventStream/stream';
import type { SizeLine } from '../../studio/protocol';
import { startStudio } from '../../studio/server/startStudio';
import { visitorsOf } from '../../studio/server/visits/eventTable';
import { openVisits, type Visits } from '../../studio/server/visits/openVisits';
import { pause } from '../browser/support/pause';
import { until } from '../browser/support/until';
import { definition } from '../command/support/called';
import { event } from '../demo/api/support/client';
import { type NatsServer, natsServer } from './support/natsServer';
import { type TestStream, testStream } from './support/stream';

let server: NatsServer;
let stream: TestStream | undefined;
const ended: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  server = await natsServer();
});
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
  await stream?.close();
  stream = undefined;
  await server.remove();
});

const begin = async (): Promise<void> => {
  await server.start();
  stream ??= await testStream(server.url);
};
const put = (id: string, user_id: string): Promise<unknown> =>
  jetstream(stream!.broker).publish(
    subject,
    JSON.stringify(event(id, { user_id, name: 'Pageview', time: '2026-09-07T12:00:00.000Z' })),
  );

/** Visits of the stream, whose events are counted at once. */
const opened = (): { readonly visits: Visits; readonly told: () => number } => {
  let told = 0;
  const visits = openVisits({ nats: server.url, onChange: () => told++, freshMs: 0 });
  ended.push(visits.close);
  return { visits, told: () => told };
};
/** Waits until so many events of so many visitors are counted. */
const untilCounted = (visits: Visits, events: number, visitors: number): Promise<true> =>
  until(async () => {
    const table = await visits.table();
    return (table.order.length === events && visitorsOf(table) === visitors) || undefined;
  }, `${events} events of ${visitors} visitors`);

describe('Visits of the collector’s stream', () => {
  it('are read from the first event on, each event once, and go on', async () => {
    await begin();
    await ensureStream(stream!.broker);
    for (let i = 0; i < 60; i++) await put(`a${i}`, `user-${i % 20}`);
    // A page that was opened again after days sends what it had left.
    await put('a1', 'user-1');
    const { visits } = opened();
    // The first table has all that there is: nothing is shown before it is read.
    const table = await visits.table();
    expect([table.order.length, visitorsOf(table)]).toEqual([60, 20]);
    expect(visits.said()).toBe(`the stream of ${server.url}: 60 events of 20 visitors`);
    await put('b', 'somebody new');
    await untilCounted(visits, 61, 21);
  });

  it('are there and empty where the stream has no event yet', async () => {
    await begin();
    await ensureStream(stream!.broker);
    const { visits } = opened();
    expect((await visits.table()).order).toHaveLength(0);
    expect(visits.said()).toBe(`the stream of ${server.url}: no events`);
    await put('a', 'ann');
    await untilCounted(visits, 1, 1);
  });

  it('wait for a stream that is not there yet, and say so once', async () => {
    await begin();
    const { visits, told } = opened();
    await until(
      () => Promise.resolve(visits.fault()?.startsWith('The stream is not readable') || undefined),
      'the fault',
    );
    const before = told();
    await pause(1500, 'the stream is asked for again in the meantime');
    expect(told()).toBe(before);
    await ensureStream(stream!.broker);
    await put('a', 'ann');
    await untilCounted(visits, 1, 1);
    expect(visits.fault()).toBeUndefined();
  });

  it('go on where they were after the server was away', async () => {
    await begin();
    await ensureStream(stream!.broker);
    await put('a', 'ann');
    const { visits } = opened();
    await untilCounted(visits, 1, 1);
    await server.kill();
    await begin();
    // The test’s own connection is not back at once.
    await until(() => put('b', 'bob').catch(() => undefined), 'the second event in the stream');
    await untilCounted(visits, 2, 2);
  });

  it('keep nothing of Studio waiting that does without them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'studio-stream-'));
    ended.push(async () => rm(folder, { recursive: true }));
    const file = join(folder, 'project.json');
    writeFileSync(file, definition());
    writeFileSync(join(folder, 'index.html'), '');
    const studio = await startStudio({ folder, file, port: 0, nats: server.url, page: folder, token: 'token' });
    ended.push(studio.close);
    const { origin } = new URL(studio.address);
    const headers = { 'content-type': 'application/json', 'x-studio-token': 'token' };
    const call = async (name: string, body: object = {}): Promise<string> =>
      (await fetch(`${origin}/api/${name}`, { method: 'POST', headers, body: JSON.stringify(body) })).text();
    const size = async (): Promise<SizeLine> => {
      const lines = (await call('size', { definition: { id: 'x', q: { event: 'Pageview' } } })).trim().split('\n');
      return JSON.parse(lines.at(-1) ?? '') as SizeLine;
    };
    await until(async () => (await call('project')).includes('No connection to') || undefined, 'the fault');
    expect(JSON.parse(await call('vocabulary'))).toEqual({ events: [] });
    expect(await call('compare')).toContain('"changes"');
    const refused = await size();
    expect(refused.type === 'refused' && refused.message).toMatch(/^The visits cannot be read: No connection to nats:/);
    await begin();
    await ensureStream(stream!.broker);
    await put('a', 'ann');
    await until(async () => (await call('project')).includes('1 event of 1 visitor') || undefined, 'the event');
    expect(await size()).toMatchObject({ type: 'sized', visitors: 1, members: 1 });
    expect(await call('vocabulary')).toContain('"Pageview"');
  });
});
