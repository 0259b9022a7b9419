import * as fc from 'fast-check';

import {
  appendedBy,
  type Counted,
  isCounted,
  maxPages,
  nothingCounted,
  readCounted,
  storedCounted,
  withCounted,
} from '../../src/engineHost/counted';
import { ledger } from '../../src/engineHost/ledger';
import { noChunk, type StoredChunk } from '../../src/engineHost/queriesChunk';
import type { NumberedEvent } from '../../src/model/event';
import { eventOf, noon } from '../support/events';
import { law } from '../support/laws';

/** The event of that number of a page, so many ms after noon. */
const eventAt = (page: string, number: number, ms: number, name = 'Pageview'): NumberedEvent => ({
  ...eventOf(`${page} ${number}`, { name, time: new Date(noon + ms).toISOString() }),
  page,
  number,
});
const adding = (counted: Counted, page: string, events: readonly NumberedEvent[], now = Infinity): Counted =>
  withCounted(counted, { events, page, appended: 0 }, now);
/** One page after the other has counted one event, `gapMs` apart. */
const afterPages = (pages: number, gapMs = 1000): Counted =>
  Array.from({ length: pages }, (_, i) => eventAt(`page ${i}`, 1, i * gapMs)).reduce(
    (counted, event) => adding(counted, event.page, [event], Date.parse(event.time)),
    nothingCounted,
  );

describe('What is counted', () => {
  it('is known of each page by the number of the event, cached or not, whatever its time', () => {
    const events = [
      eventAt('page', 1, 9000),
      eventAt('page', 2, 0, 'PageviewEngagement'),
      // The clock was set back.
      eventAt('page', 3, -5000),
    ];
    const counted = adding(nothingCounted, 'page', events, noon);
    expect(events.map((event) => isCounted(counted, event))).toEqual([true, true, true]);
    expect(isCounted(counted, eventAt('page', 4, -6000))).toBe(false);
    // Another page has found only what was cached.
    expect(isCounted(counted, eventAt('page', 3, 0, 'PageviewEngagement'))).toBe(false);
  });

  it('lists so many pages, those that were written last', () => {
    const counted = afterPages(maxPages + 4);
    expect([...counted.pages.keys()]).toEqual(Array.from({ length: maxPages }, (_, i) => `page ${i + 4}`));
    const again = adding(afterPages(maxPages), 'page 0', [eventAt('page 0', 2, 60_000)]);
    expect([...adding(again, 'new', [eventAt('new', 1, 70_000)]).pages.keys()]).toEqual([
      ...Array.from({ length: maxPages - 2 }, (_, i) => `page ${i + 2}`),
      'page 0',
      'new',
    ]);
  });

  it('is known of all other pages by time', () => {
    const counted = afterPages(maxPages + 4);
    // The last of the four pages that are not listed any more has counted up to 3 s.
    expect(counted.until).toBe(noon + 3000);
    expect(isCounted(counted, eventAt('page 0', 1, 0))).toBe(true);
    expect(isCounted(counted, eventAt('page 3', 1, 3000))).toBe(true);
    expect(isCounted(counted, eventAt('page 3', 2, 3001))).toBe(false);
    // The page itself knows that it is not among the others.
    expect(isCounted(counted, eventAt('new', 1, 2000))).toBe(true);
    expect(isCounted(counted, eventAt('new', 1, 2000), 'new')).toBe(false);
  });

  it('does not reach beyond the present, though a clock was ahead', () => {
    const ahead = Array.from({ length: maxPages + 1 }, (_, i) => `page ${i}`).reduce(
      (counted, page) => adding(counted, page, [eventAt(page, 1, 3_600_000)], noon),
      nothingCounted,
    );
    expect(ahead.until).toBe(noon);
    expect(isCounted(ahead, eventAt('page of another tab', 1, 1))).toBe(false);
    // Nor does it where it was stored so.
    const stored = adding({ pages: new Map(), until: noon + 3_600_000 }, 'page', [eventAt('page', 1, 0)], noon);
    expect(isCounted(stored, eventAt('page of another tab', 1, 1))).toBe(false);
  });

  it('contains each event once it is counted, and no other, in whatever order pages write', () => {
    const steps = fc.array(fc.record({ page: fc.nat(maxPages - 1), isCached: fc.boolean(), ms: fc.nat(9000) }), {
      maxLength: 60,
    });
    law(steps, (list) => {
      const numbers = new Map<string, number>();
      let counted = nothingCounted;
      const seen: NumberedEvent[] = [];
      for (const { page, isCached, ms } of list) {
        const name = `page ${page}`;
        const number = (numbers.get(name) ?? 0) + 1;
        numbers.set(name, number);
        const event = eventAt(name, number, ms, isCached ? 'Pageview' : 'PageviewEngagement');
        expect(isCounted(counted, event)).toBe(false);
        seen.push(event);
        counted = readCounted(JSON.parse(JSON.stringify(storedCounted(adding(counted, name, [event], noon)))))!;
        expect(seen.filter((each) => !isCounted(counted, each))).toEqual([]);
      }
    })();
  });

  it('never loses a counted event, however many pages there are', () => {
    const steps = fc.array(fc.record({ page: fc.nat(3 * maxPages), waitMs: fc.nat(500) }), { maxLength: 120 });
    law(steps, (list) => {
      const numbers = new Map<string, number>();
      let [counted, now] = [nothingCounted, noon];
      const seen: NumberedEvent[] = [];
      for (const { page, waitMs } of list) {
        now += waitMs;
        const name = `page ${page}`;
        numbers.set(name, (numbers.get(name) ?? 0) + 1);
        const event = eventAt(name, numbers.get(name)!, now - noon);
        seen.push(event);
        counted = adding(counted, name, [event], now);
        expect(counted.pages.size).toBeLessThanOrEqual(maxPages);
        expect(seen.filter((each) => !isCounted(counted, each))).toEqual([]);
      }
    })();
  });

  it('has what is malformed as absent', () => {
    expect(readCounted(undefined)).toBeUndefined();
    expect(readCounted({ pages: [] })).toBeUndefined();
    expect(readCounted({ pages: { a: [1, 2, 0, noon], b: [1, 2], c: 'x', d: [1, null, 0, 0] }, until: 'x' })).toEqual({
      pages: new Map([['a', [1, 2, 0, noon]]]),
      until: 0,
    });
  });
});

describe('The ledger', () => {
  const chunkOf = (rev: number, counted?: Counted, eventSourceId = 'source'): StoredChunk => ({
    ...noChunk,
    state: {},
    rev,
    eventSourceId,
    counted,
  });
  const [a, b, c] = [1, 2, 3].map((number) => eventAt('page', number, number)) as [
    NumberedEvent,
    NumberedEvent,
    NumberedEvent,
  ];
  /** A page that has begun with a state of revision 3, and taken in these events. */
  const ledgerOf = (...events: readonly NumberedEvent[]) => {
    const made = ledger({ page: 'page' }, () => noon);
    made.restore(chunkOf(3, nothingCounted));
    for (const event of events) made.add(event);
    return made;
  };

  it('has nothing to take over where nobody else has written', () => {
    const own = ledgerOf(a);
    expect(own.takeOver(chunkOf(3, nothingCounted))).toBeNull();
    expect(own.takeOver(noChunk)).toBeNull();
    own.write(0).landed({ rev: 4, eventSourceId: 'source' });
    expect(own.takeOver(chunkOf(4, nothingCounted))).toBeNull();
  });

  it('counts on what another tab has written the events that it does not contain', () => {
    const own = ledgerOf(a, b, c);
    const counted = withCounted(nothingCounted, { events: [a, b], page: 'page', appended: 2 }, noon);
    expect(own.takeOver(chunkOf(4, counted))).toEqual({ events: [c], appended: 2 });
    expect([a, b, c].map((event) => own.isCounted(event))).toEqual([true, true, true]);
    expect(own.isCounted(eventAt('page', 4, 4))).toBe(false);
    // Another source of the same revision is another state.
    expect(own.takeOver(chunkOf(4, nothingCounted, 'other'))).toEqual({ events: [c], appended: 0 });
  });

  it('counts everything that waits on what a tab of an older version has written', () => {
    const own = ledgerOf(a, b);
    expect(own.takeOver(chunkOf(4))).toEqual({ events: [a, b], appended: 0 });
  });

  it('keeps what comes while a write is under way, and everything where the write fails', () => {
    const own = ledgerOf(a);
    const failed = own.write(1);
    own.add(b);
    const write = own.write(1);
    own.add(c);
    write.landed({ rev: 4, eventSourceId: 'source' });
    expect(isCounted(failed.counted, b)).toBe(false);
    expect([a, b, c].map((event) => isCounted(write.counted, event))).toEqual([true, true, false]);
    expect(appendedBy(write.counted, 'page')).toBe(1);
    expect(own.takeOver(chunkOf(9, nothingCounted))).toEqual({ events: [c], appended: 0 });
  });

  it('does not count twice what a write contains that has landed without an answer', () => {
    const own = ledgerOf(a, b);
    const { counted } = own.write(1);
    own.add(c);
    expect(own.takeOver(chunkOf(4, counted))).toEqual({ events: [c], appended: 1 });
  });

  it('asks for a save where more than twenty events wait', () => {
    const own = ledgerOf();
    const answers = Array.from({ length: 21 }, (_, i) => own.add(eventAt('page', i + 1, i)));
    expect(answers.indexOf(true)).toBe(20);
  });

  it('keeps its own events though so many other pages have written that it is not listed', () => {
    const own = ledgerOf(a);
    const others = Array.from({ length: maxPages + 1 }, (_, i) => eventAt(`other ${i}`, 1, 10)).reduce(
      (counted, event) => adding(counted, event.page, [event], noon + 10),
      nothingCounted,
    );
    expect(others.until).toBeGreaterThan(Date.parse(a.time));
    expect(own.takeOver(chunkOf(20, others))).toEqual({ events: [a], appended: 0 });
  });
});
