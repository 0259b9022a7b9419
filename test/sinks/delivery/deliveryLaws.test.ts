import * as fc from 'fast-check';

import { json } from '../../../src/hardening/plainJson';
import { placeOf, uploadedMark } from '../../../src/model/delivery';
import { NetworkError, StatusError } from '../../../src/model/errors';
import { tookRecord } from '../../../src/sinks/delivery/backlog';
import {
  type DeliveryCommand,
  type DeliveryEvent,
  type DeliveryEvents,
  type DeliveryInput,
  type DeliveryRequest,
  type DeliveryState,
  type EventState,
  newDelivery,
} from '../../../src/sinks/delivery/deliveryState';
import { deliveryStep } from '../../../src/sinks/delivery/deliveryStep';
import { refusalStep } from '../../../src/sinks/delivery/refusalStep';
import { onlySent, type UploadItem, uploadItemOf } from '../../../src/sinks/delivery/uploadItem';
import { noon, queuedOf } from '../../support/events';
import { law } from '../../support/laws';

/** What happens next, to one of two tabs. Numbers choose among requests, timers or records. */
type Move =
  | { readonly type: 'accept'; readonly count: number; readonly waits: boolean; readonly large: boolean }
  | { readonly type: 'timer'; readonly which: number }
  | { readonly type: 'answer'; readonly which: number; readonly codes: readonly number[] }
  | { readonly type: 'count'; readonly which: number }
  | { readonly type: 'fail'; readonly which: number; readonly status: number }
  | { readonly type: 'hide' | 'unload' | 'return' | 'crash' | 'takeOver' };

interface Tab {
  readonly page: string;
  state: DeliveryState;
  /** Requests that have not ended. */
  open: DeliveryRequest[];
  /** Those of them that a page which unloads takes with it, in most browsers. */
  abandoned: readonly DeliveryRequest[];
  timers: DeliveryInput[];
  isAlive: boolean;
}

interface StoredRecord {
  readonly events: readonly { readonly id: string }[];
  readonly places: readonly (readonly [number: number, marks: number])[];
}
const recordIn = (text: string): StoredRecord => JSON.parse(text) as StoredRecord;
const textsIn = (text: string): readonly string[] => recordIn(text).events.map(({ id }) => id);

const states: readonly EventState[] = ['unfilled', 'fresh', 'waiting', 'sent', 'resting', 'settled', 'uncounted'];

/** Each group has the events that a look at all of them finds; those of a record are in the order of all. */
const checkGroups = (events: DeliveryEvents): void => {
  const all = [...events.values()];
  const groups = new Map<EventState | number | `/${string}`, DeliveryEvent[]>(states.map((state) => [state, []]));
  for (const event of all)
    for (const group of [event.request || event.state, `/${event.record}`] as const)
      if (!groups.get(group)?.push(event)) groups.set(group, [event]);
  const wrong = [...groups].filter(([group, found]) => {
    const given = events.in(group);
    const isSame = String(group).startsWith('/')
      ? given.every((event, i) => event === found[i])
      : found.every((event) => given.includes(event));
    return !isSame || given.length !== found.length || events.count(group) !== found.length;
  });
  expect(wrong).toEqual([]);
  expect(events.bytes).toBe(
    all.reduce((sum, { state, bytes }) => sum + (state === 'settled' || state === 'uncounted' ? 0 : bytes), 0),
  );
};

/** Two tabs with one journal and one server. Checks after each move. */
const world = () => {
  const disk = new Map<string, string>();
  const accepted = new Map<string, UploadItem>();
  /** What the tabs have told of events. */
  const ends = new Map<string, string[]>();
  /** Events that an engine has. */
  const counted = new Set<string>();
  let [pageCount, eventCount, clock] = [0, 0, noon];
  const newTab = (): Tab => {
    const page = `page${(pageCount += 1)}`;
    return { page, state: newDelivery(page, null), open: [], abandoned: [], timers: [], isAlive: true };
  };
  const tabs = [newTab(), newTab()];

  const give = (tab: Tab, input: DeliveryInput): void => {
    const before = tab.state;
    const step = deliveryStep(before, input, { now: clock, random: 0.5 });
    tab.state = step.state;
    if (tab.state.isUnloading) tab.abandoned = tab.open.filter(({ keepalive }) => !keepalive);
    const { commands } = step;
    // A write is made before anything else of the step, and in one transaction.
    expect(commands.slice(1).filter(({ type }) => type === 'write')).toEqual([]);
    commands.forEach((command) => obey(tab, command, input));
  };
  const obey = (tab: Tab, command: DeliveryCommand, input: DeliveryInput): void => {
    switch (command.type) {
      case 'write':
        for (const [key, text] of command.changes)
          if (text === null) disk.delete(key);
          else disk.set(key, text);
        return;
      case 'send':
        sent(tab, command.request, input);
        return;
      case 'judge':
        give(tab, { type: 'judged', request: command.request, judge: refusalStep });
        return;
      case 'later':
        tab.timers.push(command.input);
        return;
      case 'wait':
        tab.timers.push({ type: 'waited', pause: command.pause, isOnline: false });
        return;
      case 'settle': {
        const { id, error = '' } = command.delivery;
        ends.set(id, [...(ends.get(id) ?? []), error]);
      }
    }
  };
  const sent = (tab: Tab, request: DeliveryRequest, input: DeliveryInput): void => {
    const ids = request.items.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThanOrEqual(100);
    if (ids.length > 1) expect(request.bytes).toBeLessThanOrEqual(512 * 1024);
    // A request has events that the server treats alike, and none twice.
    expect(new Set(request.items.map(({ flags }) => JSON.stringify(flags))).size).toBe(1);
    expect(new Set(ids).size).toBe(ids.length);
    // Never two requests for one event: only one that ends with a page that unloads may be repeated.
    for (const { open, abandoned } of tabs)
      for (const other of open) if (other.items.some(({ id }) => ids.includes(id))) expect(abandoned).toContain(other);
    // One ordinary request at a time, and none in a pause, but the neighbour of a single event that was refused.
    if (request.kind === 'turn') {
      expect([...tab.state.requests.values()].filter(({ kind }) => kind !== 'exit')).toHaveLength(1);
      expect(tab.state.waitsFor).toBeNull();
    }
    if (tab.state.waitsFor?.asked === true && tab.state.pause?.asked === true)
      expect([request.kind, input.type]).toEqual(['none in a pause that the server asks for', '']);
    const keptAlive = [...tab.open, request].filter(({ keepalive }) => keepalive);
    expect(keptAlive.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(60 * 1024);
    tab.open.push(request);
  };
  const ended = (tab: Tab, which: number): DeliveryRequest | undefined => {
    const request = tab.open[which % Math.max(1, tab.open.length)];
    tab.open = tab.open.filter((each) => each !== request);
    return request;
  };
  const takeAllOver = (tab: Tab): void => {
    const living = new Set(tabs.filter(({ isAlive }) => isAlive).map(({ page }) => page));
    const held = new Set([...tab.state.events.values()].map(({ record }) => record));
    for (const [key, text] of [...disk]) {
      const page = key.slice(0, key.lastIndexOf('/'));
      // Another tab may have taken the page over, and lives: then it holds the lock.
      const isHeld = tabs.some(
        (other) => other !== tab && [...other.state.events.values()].some(({ record }) => record === key),
      );
      if (living.has(page) || held.has(key) || isHeld) continue;
      const { events, places } = recordIn(text);
      const items = events.map(({ id }, n) => {
        const [number, marks] = places[n]!;
        return {
          ...accepted.get(id)!,
          waits: false,
          place: placeOf(page, number, false),
          isUploaded: (marks & uploadedMark) > 0,
        };
      });
      give(tab, tookRecord(key, items));
    }
  };

  /** An engine has the events of all pages up to one of those that wait for it. */
  const count = (tab: Tab, nth: number): void => {
    const waiting = [...tab.state.events.values()].flatMap(({ place }) => place ?? []);
    const last = waiting.at(nth)?.number ?? Infinity;
    const until = Object.fromEntries(waiting.map(({ page }) => [page, last]));
    for (const { id, place } of tab.state.events.values()) if (place && place.number <= last) counted.add(id);
    give(tab, { type: 'counted', until });
  };

  const play = (tab: Tab, i: number, move: Move): void => {
    clock += 1000;
    switch (move.type) {
      case 'accept': {
        const ids = Array.from({ length: move.count }, () => `e${(eventCount += 1)}`);
        const items = ids.map((id, n) => {
          const event = queuedOf(id, { requiresEnrichment: n % 3 === 0 });
          const place = n % 4 === 3 ? null : placeOf(tab.page, Number(id.slice(1)), false);
          if (place === null) counted.add(id);
          return {
            ...uploadItemOf(event, json, { ...onlySent, waits: move.waits, place }),
            ...(move.large && { bytes: 25_000 }),
          };
        });
        items.forEach((item) => accepted.set(item.id, item));
        give(tab, { type: 'accepted', items, isUrgent: false, isUnloading: false });
        if (move.waits)
          tab.timers.push({
            type: 'accepted',
            items: items.map((item) => ({ ...item, waits: false })),
            isUrgent: false,
            isUnloading: false,
          });
        return;
      }
      case 'count':
        count(tab, move.which);
        return;
      case 'timer': {
        const input = tab.timers[move.which % Math.max(1, tab.timers.length)];
        tab.timers = tab.timers.filter((each) => each !== input);
        if (input) give(tab, input);
        return;
      }
      case 'answer': {
        const request = ended(tab, move.which);
        const results = request?.items.map((_, n) => ({ code: move.codes[n % move.codes.length] ?? 200 })) ?? [];
        if (request) give(tab, { type: 'answered', request: request.number, results });
        return;
      }
      case 'fail': {
        const request = ended(tab, move.which);
        const error =
          move.status === 0
            ? new NetworkError('failed')
            : new StatusError(move.status, '', move.status === 429 ? 5000 : undefined);
        if (request) give(tab, { type: 'failed', request: request.number, error });
        return;
      }
      case 'hide':
      case 'unload':
        give(tab, { type: 'exit', isUnloading: move.type === 'unload' });
        return;
      case 'return':
        give(tab, { type: 'returned' });
        return;
      case 'takeOver':
        takeAllOver(tab);
        return;
      case 'crash':
        tab.isAlive = false;
        tabs[i] = newTab();
        takeAllOver(tabs[i]);
    }
  };

  /** Every accepted event is on disk, or was told and counted. One of these may still be on disk for a moment. */
  const check = (): void => {
    const stored = [...disk.values()].flatMap(textsIn);
    expect(new Set(stored).size).toBe(stored.length);
    const onDisk = new Set(stored);
    for (const id of accepted.keys())
      if (!onDisk.has(id)) expect([id, ends.has(id), counted.has(id)]).toEqual([id, true, true]);
    for (const { state } of tabs) checkGroups(state.events);
    for (const { state } of tabs)
      for (const event of state.events.values()) {
        const { id } = event;
        expect(event.id).toBe(id);
        expect(onDisk.has(id)).toBe(true);
        if (event.state !== 'settled') expect(event.state === 'sent').toBe(event.request > 0);
      }
  };

  /** Lets the server take everything, and all time pass, until nothing happens any more. */
  const finish = (): void => {
    for (let turn = 0; turn < 600; turn += 1) {
      clock += 400_000;
      for (const tab of tabs) {
        give(tab, { type: 'returned' });
        takeAllOver(tab);
        count(tab, 1000);
        give(tab, { type: 'gathered', state: 'fresh' });
        for (const input of tab.timers.splice(0)) give(tab, input);
        for (const { number, items } of tab.open.splice(0))
          give(tab, { type: 'answered', request: number, results: items.map(() => ({ code: 200 })) });
      }
      if (
        tabs.every(
          ({ state, timers, open }) => [...state.events.values()].length === 0 && timers.length + open.length === 0,
        )
      )
        return;
    }
  };
  return {
    tabs,
    play,
    check,
    finish,
    disk,
    /** Events that have no end. */
    lost: () => [...accepted.keys()].filter((id) => !ends.has(id)),
    ends,
  };
};

const which = fc.nat({ max: 9 });
const anyMove: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('accept' as const),
      count: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(120)),
      waits: fc.boolean(),
      large: fc.boolean(),
    }),
  },
  { weight: 8, arbitrary: fc.record({ type: fc.constant('timer' as const), which }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('count' as const), which }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('answer' as const),
      which,
      codes: fc.array(fc.constantFrom(200, 200, 200, 404, 429, 500), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('fail' as const),
      which,
      status: fc.constantFrom(0, 400, 413, 429, 403, 500, 503),
    }),
  },
  ...(['hide', 'unload', 'return', 'crash', 'takeOver'] as const).map((type) => ({
    weight: 1,
    arbitrary: fc.constant<Move>({ type }),
  })),
);

describe('Delivery, whatever happens', () => {
  it(
    'has each event on disk until it is settled and counted, sends it with one request at a time, and delivers all in the end',
    law(fc.array(fc.tuple(fc.nat({ max: 1 }), anyMove), { maxLength: 60 }), (moves) => {
      const { tabs, play, check, finish, lost, disk, ends } = world();
      for (const [i, move] of moves) {
        play(tabs[i]!, i, move);
        check();
      }
      // A page that has crashed cannot have told; a tab tells the end of an event once.
      const crashes = moves.filter(([, { type }]) => type === 'crash').length;
      finish();
      check();
      expect([lost(), disk.size]).toEqual([[], 0]);
      for (const told of ends.values()) expect(told.length).toBeLessThanOrEqual(1 + crashes);
    }),
  );
});
