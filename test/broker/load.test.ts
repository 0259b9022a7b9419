import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom, merge, mergeMap, NEVER, type Observable, of, tap, toArray } from 'rxjs';

import { memoryJournal } from '../../src/fakePlatform/memoryJournal';
import { json } from '../../src/hardening/plainJson';
import type { Delivery } from '../../src/model/delivery';
import type { QueuedEvent } from '../../src/model/queuedEvent';
import { fetchHttp } from '../../src/platform/http';
import { type DeliveryInput, newDelivery } from '../../src/sinks/delivery/deliveryState';
import { refusalStep } from '../../src/sinks/delivery/refusalStep';
import { attempts, runDelivery } from '../../src/sinks/delivery/runDelivery';
import { onlySent, uploadItemOf } from '../../src/sinks/delivery/uploadItem';
import { until } from '../browser/support/until';
import { noon, queuedOf } from '../support/events';
import { settingsOf } from '../support/settings';
import { cohortSizesCommand } from './support/cohortSizesCommand';
import { natsServer } from './support/natsServer';
import { command } from './support/running';
import { testStream } from './support/stream';

const pages = 20;
const eventCount = 100_000;
const userCount = 4999;

/** Numbers of 0 to 1 that look random, and are the same in each run. */
const numbers = (seed: number) => () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;

/** Events of many users, in the order of their times. All pages send events of each user, so they come in any order. */
const events = (): readonly QueuedEvent[] => {
  const random = numbers(1);
  return Array.from({ length: eventCount }, (_, i) =>
    queuedOf(randomUUID(), {
      user_id: `user ${i % userCount}`,
      time: new Date(noon + i).toISOString(),
      cohorts: Array.from({ length: 20 }, (_, cohort) => String(cohort)).filter(() => random() < 0.2),
    }),
  );
};

/** Users by cohort, where the last event of each user counts. */
const sizesOf = (sent: readonly QueuedEvent[]) => {
  const last = new Map(sent.map(({ user_id, cohorts }) => [user_id, cohorts]));
  const cohorts: Record<string, number> = {};
  for (const cohort of [...last.values()].flat()) cohorts[cohort] = (cohorts[cohort] ?? 0) + 1;
  return { users: last.size, cohorts };
};

interface WithId {
  readonly id: string;
}

/** What the pages have seen. */
interface Seen {
  settled: number;
  /** How often which status was answered; `none`: no answer. */
  readonly answers: Record<string, number>;
}

/** Sends events as a page does, by the SDK's own delivery: each again until it is answered for. */
const page = (address: string, sent: readonly QueuedEvent[], seen: Seen): Observable<Delivery> => {
  const http = fetchHttp({ fetch });
  const count = (answer: string): void => void (seen.answers[answer] = (seen.answers[answer] ?? 0) + 1);
  const report = (): void => undefined;
  const accepted: DeliveryInput = {
    type: 'accepted',
    items: sent.map((each) => uploadItemOf(each, json, onlySent)),
    isUrgent: false,
    isUnloading: false,
  };
  return runDelivery(of(accepted), newDelivery('page', null), {
    http: {
      ...http,
      send: (request) =>
        http.send(request).pipe(tap({ next: ({ status }) => count(String(status)), error: () => count('none') })),
    },
    setting: settingsOf({ apiProtocol: 'http', apiHost: address }),
    json,
    report,
    attempt: attempts(report),
    journal: memoryJournal(),
    random: Math.random,
    now: Date.now,
    online$: NEVER,
    loadJudge$: of(refusalStep),
  }).pipe(
    mergeMap(({ commands }) => commands.flatMap((each) => (each.type === 'settle' ? [each.delivery] : []))),
    tap(() => (seen.settled += 1)),
  );
};

/** The events that are not among these. */
const missing = (events: readonly WithId[], among: readonly WithId[]): readonly WithId[] => {
  const ids = new Set(among.map(({ id }) => id));
  return events.filter(({ id }) => !ids.has(id));
};

/** All that an observable emits. */
const all = <A>(source$: Observable<A>): Promise<A[]> => lastValueFrom(source$.pipe(toArray()), { defaultValue: [] });

let started: (() => unknown)[] = [];
const atEnd = (remove: () => unknown): void => void started.push(remove);
afterEach(async () => {
  for (const remove of started.reverse()) await remove();
  started = [];
});

it('loses no event and has none twice, while server, processes and reader are killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cohort-sizes-'));
  atEnd(() => rmSync(folder, { recursive: true }));
  const server = await natsServer();
  atEnd(server.remove);
  await server.start();
  const api = command('demo/api/main.ts', '--port', '0', '--nats', server.url, '--processes', '2');
  atEnd(() => api.end('SIGKILL'));
  let reader = cohortSizesCommand(server.url, folder);
  atEnd(() => reader.end('SIGKILL'));
  const [, address = ''] = await api.says(/http:\/\/([\d.:]+)/);

  const sent = events();
  const seen: Seen = { settled: 0, answers: {} };
  const settled = (count: number): Promise<unknown> =>
    until(() => (seen.settled >= count ? true : undefined), `${count} events`, 120_000);
  const answered = (answer: string, more: number): Promise<unknown> => {
    const before = seen.answers[answer] ?? 0;
    return until(() => ((seen.answers[answer] ?? 0) >= before + more ? true : undefined), `answers ${answer}`);
  };
  const parts = Array.from({ length: pages }, (_, i) => sent.filter((_each, j) => j % pages === i));
  const delivered = all(merge(...parts.map((part) => page(address, part, seen))));

  await settled(0.2 * eventCount);
  await server.kill();
  await answered('503', pages);
  await server.start();
  await settled(0.4 * eventCount);
  await reader.end('SIGKILL');
  // A process may have nothing under way when it is killed. Then the next one is, until a page gets no answer. The one
  // before has begun again by then, because the collector loses its port while no process listens.
  const killed = new Set<string>();
  let killedAt = 0;
  await until(() => {
    if ((seen.answers['none'] ?? 0) > 0) return true;
    if (Date.now() - killedAt < 2000) return undefined;
    const listening = Array.from(api.said().matchAll(/process (\d+) listens/g), ([, pid = '']) => pid);
    const next = listening.find((pid) => !killed.has(pid));
    if (next === undefined) return undefined;
    killed.add(next);
    killedAt = Date.now();
    process.kill(Number(next), 'SIGKILL');
    return undefined;
  }, 'a request without an answer');
  reader = cohortSizesCommand(server.url, folder);
  await settled(0.7 * eventCount);
  await server.kill();
  await answered('503', 1);
  await server.start();

  const deliveries = await delivered;
  expect(missing(sent, deliveries)).toEqual([]);
  // Each event has one end, and no error.
  expect(deliveries).toHaveLength(eventCount);
  expect(deliveries.filter(({ error }) => error !== undefined)).toEqual([]);
  const stream = await testStream(server.url);
  atEnd(stream.close);
  expect((await stream.info()).state).toMatchObject({ messages: eventCount, last_seq: eventCount });
  expect(
    missing(
      sent,
      (await stream.ids()).map((id) => ({ id })),
    ),
  ).toEqual([]);
  expect(await reader.sizesAfter(eventCount)).toEqual(sizesOf(sent));
  // A page that was away sends all of its events again.
  await all(page(address, sent.slice(0, 1000), seen));
  expect((await stream.info()).state.messages).toBe(eventCount);
  expect(await api.end('SIGTERM')).toBe(0);
}, 300_000);
