import { finalize, map, NEVER, of, throwError, timer } from 'rxjs';

import { memoryJournal } from '../../../src/fakePlatform/memoryJournal';
import { json } from '../../../src/hardening/plainJson';
import { provisionalMark, uploadedMark } from '../../../src/model/delivery';
import type { Journal } from '../../../src/platform/platform';
import { durableJournal } from '../../../src/sinks/delivery/durableJournal';
import { journalledEvents } from '../../../src/sinks/delivery/journalledEvents';
import { localJournal } from '../../../src/sinks/delivery/localJournal';
import { queuedOf, visitorId } from '../../support/events';
import { reportMock } from '../../support/reports';

type Place = readonly [number: number, marks: number];

/** A record of these events, each with its place. */
const record = (places: Readonly<Record<string, Place>>, changes: object = {}): string =>
  JSON.stringify({
    enrich: true,
    sdkProcessed: true,
    events: Object.keys(places).map((id) => ({ ...queuedOf(id), ...changes })),
    places: Object.values(places),
  });

const first: Place = [1, 0];
const second: Place = [2, uploadedMark];
const provisional: Place = [3, provisionalMark + uploadedMark];

/** The ids of the events that are found within a second, where the page «live» lives; `unknown` where nobody says. */
const found = (records: Readonly<Record<string, unknown>>, given: Partial<Journal> = {}): string => {
  const answers: string[] = [];
  journalledEvents('page', {
    journal: { ...memoryJournal(new Map(Object.entries(records))), ...given },
    hold: (name) => of(!name.endsWith('live')),
    json,
    userId: () => visitorId,
  }).subscribe((answer) => answers.push(answer.isKnown ? answer.value.map(({ id }) => id).join('') : 'unknown'));
  jest.advanceTimersByTime(1000);
  return answers.join();
};

describe('journalledEvents', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('finds the events without a count of this page and of pages that have ended, sent or not', () => {
    expect(
      found({
        'page/1': record({ a: first, b: second }),
        'page/2': record({ c: [-1, 0] }),
        'dead/1': record({ d: second }),
        'live/1': record({ e: first }),
      }),
    ).toBe('abcd');
    expect(found({})).toBe('');
  });

  it('asks once for the lock of each page, however many records it has and however many ask', () => {
    const held: string[] = [];
    const answers: unknown[] = [];
    const deps: Parameters<typeof journalledEvents>[1] = {
      journal: memoryJournal(new Map([1, 2, 3].map((i) => [`dead/${i}`, record({ [`e${i}`]: [i, 0] })]))),
      // A lock that is held is taken, by whomever.
      hold: (name) =>
        timer(1).pipe(
          map(() => held.push(name) === 1),
          finalize(() => void setTimeout(() => held.pop(), 1)),
        ),
      json,
      userId: () => visitorId,
    };
    const ask = (): void =>
      void journalledEvents('page', deps).subscribe((answer) => answers.push(answer.isKnown && answer.value.length));
    ask();
    ask();
    jest.advanceTimersByTime(100);
    ask();
    jest.advanceTimersByTime(100);
    expect(answers).toEqual([3, 3, 3]);
  });

  it('finds no event that an engine has, or need not have', () => {
    expect(found({ 'page/1': record({ a: [0, 0] }), 'dead/1': record({ b: first }, { user_id: 'another' }) })).toBe('');
    expect(found({ 'dead/1': JSON.stringify({ enrich: true, sdkProcessed: true, events: [queuedOf('a')] }) })).toBe('');
  });

  it('finds a provisional event once its page has ended without another', () => {
    expect(found({ 'page/1': record({ a: provisional }) })).toBe('');
    expect(found({ 'dead/1': record({ a: provisional }) })).toBe('a');
    expect(found({ 'dead/1': record({ a: provisional }), 'dead/2': record({ b: [4, 0] }) })).toBe('b');
  });

  it('leaves out what is no record', () => {
    expect(found({ 'dead/1': 'broken', 'dead/2': 7, 'dead/3': record({ a: first }) })).toBe('a');
  });

  it('does not know where the disk fails or does not answer', () => {
    const failing = (): ReturnType<Journal['read']> => throwError(() => new Error('No database'));
    expect(found({}, { read: failing })).toBe('unknown');
    expect(found({}, { keys: () => NEVER })).toBe('unknown');
    expect(found({ 'page/1': record({ a: first }) }, { read: () => NEVER })).toBe('unknown');
  });

  it('does not know where the disk fails, though local storage has records', () => {
    const local = new Map([['permutive-local-journal/page/1', record({ a: first })]]);
    const disk: Journal = { ...memoryJournal(), keys: () => throwError(() => new Error('No database')) };
    const durable = durableJournal(
      { ...disk, read: () => throwError(() => new Error('No database')) },
      localJournal({
        read: (key) => local.get(key) ?? null,
        keys: () => [...local.keys()],
        write: () => undefined,
        remove: (key) => void local.delete(key),
      }),
      reportMock(),
    );
    expect(found({}, durable)).toBe('unknown');
  });
});
