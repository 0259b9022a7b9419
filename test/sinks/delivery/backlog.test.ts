import { EMPTY, type Observable, of, throwError } from 'rxjs';

import { memoryJournal } from '../../../src/fakePlatform/memoryJournal';
import { json } from '../../../src/hardening/plainJson';
import { provisionalMark, uploadedMark } from '../../../src/model/delivery';
import type { QueueEntry } from '../../../src/model/queuedEvent';
import type { Journal } from '../../../src/platform/platform';
import { times } from '../../../src/primitives/lists';
import { backlog } from '../../../src/sinks/delivery/backlog';
import { type DeliveryState, newDelivery } from '../../../src/sinks/delivery/deliveryState';
import { deliveryStep } from '../../../src/sinks/delivery/deliveryStep';
import { attempts } from '../../../src/sinks/delivery/runDelivery';
import { entryOf } from '../../support/appState';
import { eventOf, noon, queuedOf, visitorId } from '../../support/events';
import { linesOf, reportMock } from '../../support/reports';

const record = (...ids: readonly string[]): string =>
  JSON.stringify({ enrich: true, sdkProcessed: false, events: ids.map((id) => queuedOf(id)) });

/** What a page takes over, where the page «live» lives, and the journal afterwards. */
const takenOver = (
  stored: Readonly<Record<string, unknown>>,
  {
    queue = [],
    given = {},
    work$ = EMPTY,
  }: { queue?: readonly QueueEntry[]; given?: Partial<Journal>; work$?: Observable<unknown> } = {},
) => {
  const records = new Map(Object.entries(stored));
  const report = reportMock();
  const memory = memoryJournal(records);
  const journal = { ...memory, ...given };
  let state: DeliveryState = newDelivery('page', null);
  const reads: string[] = [];
  let tasks = 0;
  /** After each step, how many events the page has, and whose events are no more in the stored state. */
  const steps: string[] = [];
  const written: Parameters<Journal['write']>[0][] = [];
  /** For the engine: the events that no engine has counted, at the time when all of a page's are there. */
  const told: string[] = [];
  backlog(
    {
      page: 'page',
      has: (key) => [...state.events.values()].some((event) => event.record === key),
      attempt: attempts(report),
      work$,
    },
    () => ({ pause: null, queue }),
    {
      hold: (name) => of(!name.endsWith('live')),
      journal: { ...journal, read: (key) => (reads.push(key), journal.read(key)) },
      json,
      report,
      userId: () => visitorId,
      yieldThread: () => of((tasks += 1)),
    },
  ).subscribe((input) => {
    const step = deliveryStep(state, input, { now: noon, random: 0 });
    ({ state } = step);
    steps.push(`${[...state.events.values()].length} of ${state.pages.join()}`);
    for (const command of step.commands)
      if (command.type === 'write') written.push(command.changes);
      else if (command.type === 'count') {
        const uncounted = [...state.events.values()].filter(
          ({ place, record: key }) => place && key.startsWith(command.page),
        );
        told.push(`${command.page}: ${uncounted.map(({ id, place }) => `${id}${place?.number}`).join(' ')}`);
      }
  });
  for (const changes of written) journal.write(changes).subscribe();
  const ids = [...state.events.values()].map(({ id }) => id).join('');
  return { state, ids, records, reads, tasks, steps, told, report: linesOf(report) };
};

describe('backlog', () => {
  it('takes over the events of pages that live no more', () => {
    const { state, ids, records } = takenOver({
      'dead/1': record('a', 'b'),
      'live/1': record('c'),
      'dead/2': record('d'),
      '/1': record('e'),
      'page/1': record('f'),
    });
    expect(ids).toBe('abde');
    expect(state.events.get('a')?.flags).toEqual({ enrich: true, sdkProcessed: false });
    expect(state.pages).toEqual(['page', 'dead', '']);
    expect(records.size).toBe(5);
  });

  it('takes a record over once', () => {
    const { ids, reads } = takenOver({ 'dead/1': record('a') }, { work$: of(1) });
    expect([ids, reads]).toEqual(['a', ['dead/1']]);
  });

  it('writes events of the stored state to the journal, each once', () => {
    const queue = ['a', 'b'].map((id) => entryOf(id, 'dead'));
    const { ids, records } = takenOver({ 'dead/1': record('a') }, { queue });
    expect([ids, [...records.keys()]]).toEqual(['ab', ['dead/1', 'page/1']]);
  });

  it('takes a hundred events of the stored state in a task, and all of them before they leave that state', () => {
    const queue = times(201, (i) => entryOf(`e${i}`, i < 200 ? 'dead' : 'gone'));
    const { records, tasks, steps } = takenOver({}, { queue });
    expect([tasks, records.size]).toEqual([3, 3]);
    expect([...new Set(steps)]).toEqual([
      '0 of page',
      '100 of page',
      '200 of page',
      '200 of page,dead',
      '201 of page,dead',
      '201 of page,dead,gone',
    ]);
  });

  it('leaves events of the stored state where their page lives', () => {
    const { state, ids } = takenOver({}, { queue: [entryOf('a', 'live'), entryOf('b', '')] });
    expect([ids, state.pages]).toEqual(['b', ['page', '']]);
  });

  it.each<readonly [string, unknown]>([
    ['no entry', 7],
    ['no event', ['x', {}]],
    ['more than an entry', ['x', { event: queuedOf('x') }, 7]],
    ['an event without a name', ['x', { event: { ...queuedOf('x'), name: undefined } }]],
    ['an event with a wrong flag', ['x', { event: { ...queuedOf('x'), requiresEnrichment: 'yes' } }]],
    ['an event of nobody', ['x', { event: eventOf('x') }]],
    ['a page of another type', ['x', { event: queuedOf('x'), page: 7 }]],
  ])('loses a broken event of the stored state and none beside it: %s', (_, stored) => {
    const { ids, report } = takenOver({}, { queue: [entryOf('a', ''), { page: '', stored }, entryOf('b', '')] });
    expect(ids).toBe('ab');
    expect(report).toEqual([
      expect.stringMatching(/^Permutive app raised an invalid state: permutive-app\/eventUpload: .*expected /),
    ]);
  });

  it.each([
    undefined,
    null,
    7,
    {},
    '',
    '{',
    'null',
    '[]',
    '{"events":[]}',
    '{"enrich":1,"sdkProcessed":true,"events":[]}',
    '{"enrich":true,"sdkProcessed":true,"events":[]}',
  ])('removes a record of %j', (broken) => {
    const { ids, records } = takenOver({ 'dead/1': broken, 'dead/2': record('a') });
    expect([ids, [...records.keys()]]).toEqual(['a', ['dead/2']]);
  });

  it('loses a broken event and none beside it, and says where it is broken', () => {
    const broken = JSON.stringify({
      enrich: true,
      sdkProcessed: true,
      events: [queuedOf('a'), { ...queuedOf('b'), name: 7 }, null, queuedOf('c')],
    });
    const { ids, report } = takenOver({ 'dead/1': broken });
    expect(ids).toBe('ac');
    expect(report).toEqual([
      'Events journal has an invalid record: name: expected string',
      expect.stringContaining('Events journal has an invalid record: '),
    ]);
  });

  it('goes on where the disk fails, and says so once', () => {
    const fails = (): Observable<never> => throwError(() => new Error('no'));
    const queue = [entryOf('a', 'dead')];
    const { ids, report } = takenOver({}, { queue, given: { keys: fails, read: fails } });
    expect([ids, report]).toEqual(['a', ['Events journal is not available: no']]);
  });

  describe('for the engine', () => {
    type Placed = readonly [id: string, number: number, marks?: number, user?: string];
    const placed = (...events: readonly Placed[]): string =>
      JSON.stringify({
        enrich: true,
        sdkProcessed: true,
        events: events.map(([id, , , user_id = visitorId]) => queuedOf(id, { user_id })),
        places: events.map(([, number, marks = 0]) => [number, marks]),
      });

    it('has the events of a page, once all its records are there, and not those that were counted', () => {
      const { told } = takenOver({
        'dead/1': placed(['a', 1], ['b', 0]),
        'dead/2': placed(['c', 2]),
        'live/1': placed(['d', 1]),
      });
      expect(told).toEqual(['dead: a1 c2']);
    });

    it('does not send again what was uploaded', () => {
      const { state } = takenOver({ 'dead/1': placed(['a', 1, uploadedMark], ['b', 2]) });
      expect([...state.events.values()].map((event) => `${event.id} ${event.state}`)).toEqual([
        'a uncounted',
        'b sent',
      ]);
    });

    it('removes what was uploaded and counted', () => {
      const { ids, records } = takenOver({ 'dead/1': placed(['a', 0, uploadedMark]) });
      expect([ids, [...records.keys()]]).toEqual(['', []]);
    });

    it('has no event of another user; their events are sent, and go where they were', () => {
      const other = placed(['a', 1, 0, 'other'], ['b', 2, uploadedMark, 'other']);
      const { told, ids } = takenOver({ 'dead/1': other });
      expect([told, ids]).toEqual([['dead: '], 'a']);
    });

    it('has none of a page of which a record cannot be read', () => {
      const fails = (key: string): Observable<unknown> =>
        key === 'dead/1' ? throwError(() => new Error('no')) : of(placed(['b', 2]));
      const { told, ids } = takenOver({ 'dead/1': '', 'dead/2': '' }, { given: { read: fails } });
      expect([told, ids]).toEqual([[], 'b']);
    });

    it('has the last provisional event of a page, which has ended, and none before a later event', () => {
      const { told, state } = takenOver({
        'dead/1': placed(['a', 1, provisionalMark], ['b', 2], ['c', 3, provisionalMark], ['d', -4]),
      });
      expect(told).toEqual(['dead: b2 c3 d4']);
      expect(state.events.get('c')?.place?.isProvisional).toBe(false);
    });
  });
});
