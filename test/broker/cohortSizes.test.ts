import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';

import { ensureStream, subject } from '../../demo/eventStream/stream';
import type { UploadedEvent } from '../../src/endpoints/batchEvents';
import { until } from '../browser/support/until';
import { event } from '../demo/api/support/client';
import { type CohortSizes, cohortSizesCommand } from './support/cohortSizesCommand';
import { type NatsServer, natsServer } from './support/natsServer';
import { type TestStream, testStream } from './support/stream';

let folder: string;
let server: NatsServer;
let stream: TestStream;
let reader: CohortSizes;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cohort-sizes-'));
  server = await natsServer();
  await server.start();
  stream = await testStream(server.url);
  await ensureStream(stream.broker);
  reader = cohortSizesCommand(server.url, join(folder, 'data'));
});
afterEach(async () => {
  await reader.end('SIGKILL');
  await stream.close();
  await server.remove();
  rmSync(folder, { recursive: true });
});

const publish = (data: string, msgID: string): Promise<unknown> =>
  jetstream(stream.broker).publish(subject, data, { msgID });
const put = (id: string, user_id: string, second: number, ...cohorts: readonly string[]): Promise<unknown> => {
  const stored: UploadedEvent = event(id, { user_id, time: `2026-01-01T00:00:0${second}.000Z`, cohorts: [...cohorts] });
  return publish(JSON.stringify(stored), id);
};

it('counts the users who have a cohort in their latest event', async () => {
  await put('a', 'ann', 1, '1', '2');
  await put('b', 'bob', 3, '2', 'x');
  await put('c', 'ann', 5, '2');
  // It comes later, and is earlier.
  await put('d', 'bob', 2, '1', '2');
  await publish('no event', 'e');

  expect(await reader.sizesAfter(5)).toEqual({ users: 2, cohorts: { '2': 2, x: 1 } });
});

it('goes on after it was killed, and counts nobody twice', async () => {
  await put('a', 'ann', 1, '1');
  await reader.sizesAfter(1);
  await reader.end('SIGKILL');
  await put('b', 'bob', 1, '1');
  await put('c', 'ann', 2);

  reader = cohortSizesCommand(server.url, join(folder, 'data'));
  expect(await reader.sizesAfter(3)).toEqual({ users: 2, cohorts: { '1': 1 } });
});

it('reads everything again where its file was lost', async () => {
  await put('a', 'ann', 1, '1');
  await reader.sizesAfter(1);
  await reader.end('SIGTERM');

  reader = cohortSizesCommand(server.url, join(folder, 'other'));
  expect(await reader.sizesAfter(1)).toEqual({ users: 1, cohorts: { '1': 1 } });
});

it('counts a user once whose event is in the stream twice, because it came again after the window', async () => {
  await stream.update({ duplicate_window: nanos(100) });
  const sent = [put('a', 'ann', 1, '1'), put('b', 'ann', 2, '2')];
  await Promise.all(sent);
  const messages = await until(async () => {
    await put('a', 'ann', 1, '1');
    const { state } = await stream.info();
    return state.messages > 2 ? state.messages : undefined;
  }, 'the end of the window');

  expect(await reader.sizesAfter(messages)).toEqual({ users: 1, cohorts: { '2': 1 } });
});

it('reads on after the death of the server', async () => {
  await put('a', 'ann', 1, '1');
  await reader.sizesAfter(1);
  await server.kill();
  await server.start();
  await until(
    () =>
      put('b', 'bob', 1, '1')
        .then(() => true)
        .catch(() => undefined),
    'the server',
  );

  expect(await reader.sizesAfter(2)).toEqual({ users: 2, cohorts: { '1': 2 } });
});

it.each([
  ['', () => undefined],
  [', though the server is away', () => server.kill()],
])('ends when it is asked to%s', async (_, first) => {
  await put('a', 'ann', 1, '1');
  await reader.sizesAfter(1);
  await first();
  expect(await reader.end('SIGTERM')).toBe(0);
});
