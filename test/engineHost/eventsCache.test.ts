import * as fc from 'fast-check';
import { lastValueFrom, throwError } from 'rxjs';

import { type CachedEvent, chunked, excess, isCached, mergedById, withinTtl } from '../../src/engineHost/cachedEvent';
import { eventsCache } from '../../src/engineHost/eventsCache';
import { json } from '../../src/hardening/plainJson';
import { QuotaError } from '../../src/model/errors';
import type { KeptEvent, NumberedEvent } from '../../src/model/event';
import { dayMs, hourMs } from '../../src/primitives/duration';
import { eventOf, noon, numberedOf } from '../support/events';
import { type FakeStore, fullAt, keyValueStore } from '../support/keyValueStore';
import { law } from '../support/laws';
import { linesOf, reportMock } from '../support/reports';

const before = 'permutive-events-cache';
const thisPage = 'permutive-events-for-page';

/** An event of so many ms ago. */
const cached = (id: string, msAgo = 0, properties: CachedEvent['properties'] = {}): CachedEvent => ({
  ...eventOf(id, { time: new Date(noon - msAgo).toISOString(), properties }),
  cohorts: [],
  page: 'page',
});
const idsOf = (events: readonly { readonly id: string }[]): string => events.map(({ id }) => id).join('');

const world = (
  stored: Readonly<Record<string, unknown>> = {},
  limits: { readonly limitBytes?: number; readonly ttlDays?: number | null } = {},
) => {
  const store = keyValueStore(stored);
  const report = reportMock();
  const cache = eventsCache({
    store,
    json,
    now: () => noon,
    report,
    limitBytes: 0,
    ttlDays: null,
    page: 'page',
    ...limits,
  });
  // eslint-disable-next-line rxjs-x/no-ignored-default-value -- a load always answers
  const load = async (): Promise<string> => idsOf(await lastValueFrom(cache.load()));
  /** Why it failed, or nothing. */
  const done = (action$: ReturnType<typeof cache.save>): Promise<unknown> =>
    lastValueFrom(action$, { defaultValue: undefined });
  return {
    store,
    report,
    cache,
    load,
    done,
    kept: (key: string) => keptIn(store, key),
    messages: () => report.mock.calls.map(([message]) => message),
  };
};
const keptIn = ({ texts }: FakeStore, key: string): string =>
  idsOf(JSON.parse(texts.get(key) ?? '[]') as CachedEvent[]);
const never = (): undefined => undefined;

describe('loading', () => {
  it('has nothing on the first page', async () => {
    const { load, messages } = world();
    await expect(load()).resolves.toBe('');
    expect(messages()).toEqual([]);
  });

  it('moves what the last page left into the main cache, oldest first', async () => {
    const { load, kept } = world({
      [before]: [cached('a', 9), cached('c', 5)],
      [thisPage]: [cached('b', 7), cached('d', 3)],
    });
    await expect(load()).resolves.toBe('abcd');
    expect([kept(before), kept(thisPage)]).toEqual(['abcd', '']);
  });

  it('keeps each event once, though two tabs have moved it', async () => {
    const { load, kept } = world({
      [before]: [cached('a', 9), cached('b', 5)],
      [thisPage]: [cached('b', 5), cached('c', 3)],
    });
    await expect(load()).resolves.toBe('abc');
    expect(kept(before)).toBe('abc');
  });

  it.each([
    [null, 'abcd'],
    [0, 'abcd'],
    [-1, 'abcd'],
    [1, 'd'],
    [2, 'cd'],
    [0.5, ''],
    [10, 'bcd'],
  ])('drops what is older than a TTL of %p days', async (ttlDays, expected) => {
    const { load, kept } = world(
      {
        [before]: [
          cached('a', 11 * dayMs),
          cached('b', 2 * dayMs + 1),
          cached('c', 2 * dayMs - 1),
          cached('d', dayMs - 1),
        ],
      },
      { ttlDays },
    );
    await expect(load()).resolves.toBe(expected);
    expect(kept(before)).toBe(expected);
  });

  it('has events of a clock that was ahead as of the first load after it, and keeps them so', async () => {
    const { load, store } = world({ [before]: [cached('a', 1), cached('b', -dayMs)] });
    await expect(load()).resolves.toBe('ab');
    expect((JSON.parse(store.texts.get(before) ?? '[]') as CachedEvent[]).map(({ time }) => Date.parse(time))).toEqual([
      noon - 1,
      noon,
    ]);
  });

  it('drops the oldest in batches of 1, 2, 4 until the rest is within the limit', async () => {
    const events = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].map((id, i) => cached(id, 10 - i));
    const eventBytes = 2 * JSON.stringify(events[0]).length + 2;
    // Room for eight: one and two must go. Room for four: four more.
    const eight = world({ [before]: events }, { limitBytes: 8 * eventBytes + 2 });
    await expect(eight.load()).resolves.toBe('defghij');
    const four = world({ [before]: events }, { limitBytes: 4 * eventBytes + 2 });
    await expect(four.load()).resolves.toBe('hij');
    const all = world({ [before]: events }, { limitBytes: 10 * eventBytes + 2 });
    await expect(all.load()).resolves.toBe('abcdefghij');
    expect(all.kept(before)).toBe('abcdefghij');
  });

  it.each([
    ['no JSON', '['],
    ['no list', '{}'],
    ['what could not be deciphered', ''],
  ])('reports a record that cannot be read, once, and loses no other: %s', async (_, stored) => {
    const { load, report, kept } = world({ [before]: stored, [thisPage]: [cached('a')] });
    await expect(load()).resolves.toBe('a');
    expect(linesOf(report)).toEqual([`Error fetching data from store: ${before}: expected a list of events`]);
    expect([kept(before), kept(thisPage)]).toEqual(['a', '']);
    await expect(load()).resolves.toBe('a');
    expect(report).toHaveBeenCalledTimes(1);
  });

  it('reports a store that does not answer, and starts over', async () => {
    const { load, store, messages } = world({ [before]: [cached('a')] });
    store.unreadable = () => new Error('broken');
    await expect(load()).resolves.toBe('');
    expect(messages()).toEqual(['Error fetching data from store']);
    expect([...store.texts.keys()]).toEqual([]);
  });

  it('loses a broken event, and not its neighbours', async () => {
    const { load, report } = world({
      [before]: [cached('a', 3), null, { ...cached('x'), time: undefined }, cached('b', 1)],
    });
    await expect(load()).resolves.toBe('ab');
    expect(linesOf(report)).toEqual([
      `Error fetching data from store: ${before}/1: (root): expected an event (an object); ${before}/2: time: expected an ISO date`,
    ]);
  });

  it('loses an event whose time is none', async () => {
    const { load } = world({ [before]: [cached('a', 3), { ...cached('x'), time: 'yesterday' }, cached('b', 1)] });
    await expect(load()).resolves.toBe('ab');
  });
});

describe('a migration that fails', () => {
  it('is reported, and keeps the last page’s events for the next', async () => {
    const { load, kept, store, messages } = world({ [before]: [cached('a', 9)], [thisPage]: [cached('b', 7)] });
    store.refuse = (key) => (key === before ? new Error('broken') : undefined);
    await expect(load()).resolves.toBe('ab');
    expect(messages()).toEqual(['Migrate previous events failed.']);
    expect([kept(before), kept(thisPage)]).toEqual(['a', 'b']);
  });

  it('is tried with less where there is no room', async () => {
    const { load, store, kept, messages } = world({
      [before]: [cached('a', 9), cached('b', 8)],
      [thisPage]: [cached('c', 7)],
    });
    store.refuse = fullAt(2 * JSON.stringify(cached('a')).length);
    await load();
    expect([kept(before), kept(thisPage), messages()]).toEqual(['c', '', []]);
  });

  it('drops of the others only what the move adds, where there is no room', async () => {
    const others = Array.from({ length: 100 }, (_, i) => cached(`a${i}`.padEnd(200, '.'), 900 - i));
    const moved = Array.from({ length: 50 }, (_, i) => cached(`b${i}`.padEnd(200, '.'), 99 - i));
    const { load, store } = world({ [before]: others, [thisPage]: moved });
    let refusals = 1;
    store.refuse = () => (refusals-- > 0 ? new QuotaError() : undefined);
    await load();
    const left = [...store.texts.values()].flatMap((text) => JSON.parse(text) as CachedEvent[]);
    // 1.2 events of the others, in batches of 1 and 2.
    expect(left.length).toBe(147);
  });

  it('is left to the next page where there is no room at all', async () => {
    const { load, store, kept, messages } = world({
      [before]: [cached('a', 9), cached('b', 8)],
      [thisPage]: [cached('c', 7)],
    });
    store.refuse = () => new QuotaError();
    await expect(load()).resolves.toBe('abc');
    expect(store.tried).toHaveLength(10);
    expect([kept(before), kept(thisPage), messages()]).toEqual(['ab', 'c', ['Migrate previous events failed.']]);
    store.refuse = never;
    await expect(load()).resolves.toBe('abc');
    expect([kept(before), kept(thisPage)]).toEqual(['abc', '']);
  });
});

describe('saving', () => {
  it('keeps this page’s events apart from those before', async () => {
    const { cache, load, done, kept } = world({ [before]: [cached('a')] });
    await load();
    cache.add(cached('b'));
    await done(cache.save());
    cache.add(cached('c'));
    await done(cache.save());
    expect([kept(before), kept(thisPage)]).toEqual(['a', 'bc']);
  });

  it('does not keep an event twice that is evaluated again', async () => {
    const { cache, load, done, kept } = world({ [before]: [cached('a')], [thisPage]: [cached('b')] });
    await load();
    for (const id of ['a', 'b', 'c']) cache.add(cached(id));
    await done(cache.save());
    expect([kept(before), kept(thisPage)]).toEqual(['ab', 'c']);
  });

  it('saves nothing of nothing', async () => {
    const { cache, done, store } = world();
    await done(cache.save());
    expect(store.tried).toEqual([]);
  });

  it('stays within the limit, by dropping the oldest of previous pages first', async () => {
    const eventBytes = 2 * JSON.stringify(cached('a')).length + 2;
    const { cache, load, done, kept } = world(
      { [before]: [cached('a', 9), cached('b', 8)] },
      { limitBytes: 4 * eventBytes },
    );
    await load();
    const sizes: number[] = [];
    for (const id of ['c', 'd', 'e', 'f', 'g', 'h']) {
      cache.add(cached(id));
      await done(cache.save());
      sizes.push((kept(before) + kept(thisPage)).length);
    }
    expect(sizes.every((count) => count <= 3)).toBe(true);
    expect([kept(before), kept(thisPage)]).toEqual(['', 'fgh']);
  });

  it('keeps the newest of what is more than the limit by itself', async () => {
    const eventBytes = 2 * JSON.stringify(cached('a')).length + 2;
    const { cache, done, kept } = world({}, { limitBytes: 2 * eventBytes + 2 });
    for (const id of ['a', 'b', 'c']) cache.add(cached(id));
    await done(cache.save());
    expect(kept(thisPage)).toBe('bc');
  });

  it('drops 1.2 times what it needs of previous pages, from the oldest, where there is no room', async () => {
    const events = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, i) => cached(id, 10 - i));
    const { cache, load, done, store, kept } = world({ [before]: events });
    await load();
    cache.add(cached('g'));
    // No room for a new list until the first one has shrunk to four.
    store.refuse = (key) => (key === thisPage && kept(before).length > 4 ? new QuotaError() : undefined);
    await expect(done(cache.save())).resolves.toBeUndefined();
    // 1.2 events are two: first one, then one of two more, in batches of 1 and 2.
    expect([kept(before), kept(thisPage)]).toEqual(['def', 'g']);
  });

  it('drops the oldest of its own where there is no other', async () => {
    const { cache, done, store, kept } = world();
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) cache.add(cached(id));
    // Room for three of the eight: each retry drops three, in batches of 1 and 2.
    store.refuse = fullAt(3 * (JSON.stringify(cached('a')).length + 1) + 1);
    await expect(done(cache.save())).resolves.toBeUndefined();
    expect(store.tried.map(([, text]) => idsOf(JSON.parse(text) as CachedEvent[]))).toEqual([
      'abcdefgh',
      'defgh',
      'gh',
    ]);
    expect(kept(thisPage)).toBe('gh');
  });

  it('tries again 9 times, then says so', async () => {
    const { cache, done, store } = world();
    store.refuse = () => new QuotaError();
    for (let i = 0; i < 100; i += 1) cache.add(cached(`e${i}`));
    await expect(done(cache.save())).resolves.toEqual(new QuotaError());
    expect(store.tried).toHaveLength(10);
  });

  it('does not try again where another error comes', async () => {
    const { cache, done, store } = world();
    store.refuse = () => new Error('broken');
    cache.add(cached('a'));
    await expect(done(cache.save())).resolves.toEqual(new Error('broken'));
    expect(store.tried).toHaveLength(1);
  });

  it('loses nothing of this page by a failed save', async () => {
    const { cache, done, store, kept } = world();
    cache.add(cached('a'));
    store.refuse = () => new Error('broken');
    await done(cache.save());
    store.refuse = never;
    cache.add(cached('b'));
    await done(cache.save());
    expect(kept(thisPage)).toBe('ab');
  });
});

describe('a reset', () => {
  it('forgets what is stored and what waits', async () => {
    const { cache, load, done, kept } = world({ [before]: [cached('a')] });
    await load();
    cache.add(cached('b'));
    await done(cache.save());
    cache.add(cached('c'));
    await done(cache.reset());
    expect([kept(before), kept(thisPage)]).toEqual(['', '']);
    cache.add(cached('d'));
    await done(cache.save());
    expect(kept(thisPage)).toBe('d');
  });
});

describe('a reset that fails', () => {
  it('is reported', async () => {
    const { store, report } = world();
    const cache = eventsCache({
      store: { ...store, clear: () => throwError(() => new Error('broken')) },
      json,
      now: () => noon,
      report,
      page: 'page',
      limitBytes: 0,
      ttlDays: null,
    });
    await lastValueFrom(cache.reset(), { defaultValue: undefined });
    expect(linesOf(report)).toEqual([`Events cache failed to put ${before}.: broken`]);
  });
});

describe('chunked', () => {
  it(
    'keeps all texts in order, in lists of no more than 16 kB where one text alone is not',
    law(fc.array(fc.nat(20_000)), (lengths) => {
      const texts = lengths.map((length, i) => `"${i} ${'x'.repeat(length)}"`);
      const chunks = chunked(texts);
      expect(chunks.flatMap((chunk) => JSON.parse(chunk) as string[])).toEqual(
        texts.map((text) => JSON.parse(text) as string),
      );
      // The brackets of the list come on top.
      for (const chunk of chunks)
        expect(chunk.length <= 16_002 || (JSON.parse(chunk) as string[]).length === 1).toBe(true);
      // No two neighbours would fit in one.
      for (let i = 1; i < chunks.length; i += 1)
        expect(chunks[i - 1]!.length + texts.find((text) => chunks[i]!.startsWith(`[${text}`))!.length).toBeGreaterThan(
          16_000,
        );
    }),
  );
});

describe('events that are never cached', () => {
  it.each([
    'AdRequest',
    'PageviewEngagement',
    'PrebidAuctions',
    'Reaction',
    'SegmentEntry',
    'SegmentExit',
    'SlotRendered',
    'ThirdPartySegments',
    'VideoEngagement',
  ])('%s', (name) => {
    expect(isCached(name)).toBe(false);
  });

  it.each([
    'Pageview',
    'PageviewComplete',
    'LinkClick',
    'FormSubmission',
    'SlotViewable',
    'SlotClicked',
    'PrebidBid',
    'adrequest',
    '',
  ])('are not %p', (name) => {
    expect(isCached(name)).toBe(true);
  });
});

describe('excess', () => {
  const texts = fc.array(fc.string({ maxLength: 20 }));

  it(
    'leaves what is within the limit, and drops 1, 3, 7, … or all',
    law(fc.tuple(texts, fc.integer({ min: 1, max: 500 })), ([list, limit]) => {
      const dropped = excess(list, limit);
      const bytes = (count: number): number => 2 * JSON.stringify(list.slice(count)).length;
      expect(dropped === list.length || Number.isInteger(Math.log2(dropped + 1))).toBe(true);
      const kept = list.slice(dropped);
      if (kept.length > 0) expect(2 * `[${kept.join(',')}]`.length).toBeLessThanOrEqual(limit + 4);
      expect(bytes(dropped)).toBeLessThanOrEqual(bytes(0));
    }),
  );

  it(
    'drops nothing without a limit',
    law(fc.tuple(texts, fc.integer({ max: 0 })), ([list, limit]) => {
      expect(excess(list, limit)).toBe(0);
    }),
  );
});

describe('mergedById', () => {
  it('puts the events of one millisecond into the order in which their page has made them', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => numberedOf(id)) as [NumberedEvent, NumberedEvent, NumberedEvent];
    expect(mergedById<KeptEvent>([b, c, eventOf('old')], [a, b]).map(({ id }) => id)).toEqual(['old', 'a', 'b', 'c']);
  });

  const events = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(5)).map(([id, ago]) => cached(id, ago)));

  it(
    'has each event once, oldest first',
    law(fc.tuple(events, events), ([one, other]) => {
      const merged = mergedById(one, other);
      expect(new Set(merged.map(({ id }) => id)).size).toBe(merged.length);
      expect(new Set(merged.map(({ id }) => id))).toEqual(new Set([...one, ...other].map(({ id }) => id)));
      const times = merged.map(({ time }) => Date.parse(time));
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }),
  );
});

describe('withinTtl', () => {
  it(
    'never keeps what a shorter TTL drops',
    law(
      fc.tuple(fc.array(fc.nat(100)), fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 })),
      ([hours, one, other]) => {
        const events = hours.map((hour, i) => cached(`${i}`, hour * hourMs));
        const [short, long] = [Math.min(one, other), Math.max(one, other)].map((ttl) =>
          withinTtl(events, ttl, noon).map(({ id }) => id),
        );
        expect(long).toEqual(expect.arrayContaining([...(short ?? [])]));
      },
    ),
  );
});
