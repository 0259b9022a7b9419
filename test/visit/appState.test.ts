import * as fc from 'fast-check';

import { json } from '../../src/hardening/plainJson';
import type { StoredEvent } from '../../src/model/queuedEvent';
import type { Pause } from '../../src/sinks/delivery/pause';
import {
  type AppState,
  type AppStatePatch,
  decodeAppState,
  emptyAppState,
  patched,
  type QueueEntry,
} from '../../src/visit/appState';
import { appStateText, queueEntryOf } from '../../src/visit/appStateText';
import { encodeAppState } from '../support/appState';
import { eventOf, queuedOf } from '../support/events';
import { law } from '../support/laws';
import { polluted } from '../support/pollution';

const read = (stored: unknown) => {
  const faults: string[] = [];
  return { state: decodeAppState(stored, ({ message }) => faults.push(message)), faults };
};
const storedOf = (id: string, page = 'p', changes = {}): StoredEvent => ({ page, event: queuedOf(id, changes) });
const entryOf = (stored: StoredEvent | QueueEntry): QueueEntry => queueEntryOf(stored, json);
/** The id of an event in the queue, whichever way it is kept. */
const idOf = (stored: StoredEvent | QueueEntry): unknown => (JSON.parse(entryOf(stored).text) as unknown[])[0];
/** What local storage would hold of a state. */
const storedText = (any: AppState): string => appStateText({ ...any, queue: any.queue.map(entryOf) }, json);
const pause: Pause = { at: 1, waitMs: 2, attempts: 3, asked: true };
const state: AppState = {
  cohorts: ['7', 'abc'],
  queue: [storedOf('a', 'p', { requiresEnrichment: true }), storedOf('b', 'q')],
  pause,
};
/** The delivery of a tab that delivers for these pages. */
const uploadOf = (pages: string): AppStatePatch => ({ upload: () => ({ pages: pages.split(''), pause: null }) });

const ids = fc.constantFrom('a', 'b', 'c', 'd');
const anyState: fc.Arbitrary<AppState> = fc.record({
  cohorts: fc.array(fc.string()),
  queue: fc.array(fc.tuple(ids, fc.constantFrom('p', 'q')).map(([id, page]) => storedOf(id, page))),
  pause: fc.constantFrom(null, pause),
});
const anyPatch: fc.Arbitrary<AppStatePatch> = fc.oneof(
  fc.record({ cohorts: fc.array(fc.string()) }),
  fc.constantFrom('p', 'q', 'pq').map(uploadOf),
);

describe('the stored app state', () => {
  it('has the shape that partners read', () => {
    const text = storedText({ cohorts: ['7'], queue: [storedOf('a')], pause: null });
    expect(JSON.parse(text)).toEqual({
      core: { cohorts: { all: ['7'] } },
      eventPublication: { eventUpload: [['a', { event: queuedOf('a'), page: 'p' }]] },
    });
  });

  it('comes back as it was', () => {
    expect(read(JSON.parse(storedText(state)))).toEqual({ state, faults: [] });
  });

  it(
    'comes back as it was, whatever it was',
    law(anyState, (any) => {
      expect(read(JSON.parse(storedText(any)))).toEqual({ state: any, faults: [] });
    }),
  );

  it('may hold nothing', () => {
    expect(read({})).toEqual({ state: emptyAppState, faults: [] });
    expect(read({ core: {}, eventPublication: {} })).toEqual({ state: emptyAppState, faults: [] });
  });

  it('takes numbers for cohorts, as older versions stored them', () => {
    expect(read({ core: { cohorts: { all: [7, '8'] } } })).toEqual({
      state: { ...emptyAppState, cohorts: ['7', '8'] },
      faults: [],
    });
  });

  it.each([null, 7, 'text', []])('is empty where %p is stored, and says so', (stored) => {
    const { state: decoded, faults } = read(stored);
    expect(decoded).toEqual(emptyAppState);
    expect(faults.length > 0 || Array.isArray(stored)).toBe(true);
  });

  const whole = encodeAppState(state) as Record<string, unknown>;
  it.each([
    ['core', { core: 7 }, { cohorts: [] }],
    ['core', { core: { cohorts: { all: 'x' } } }, { cohorts: [] }],
    ['core', { core: { cohorts: { all: ['7', null] } } }, { cohorts: [] }],
    ['eventPublication', { eventPublication: { eventUpload: {} } }, { queue: [], pause: null }],
    [
      'pause',
      { eventPublication: { ...(whole['eventPublication'] as object), pause: { ...pause, waitMs: 'x' } } },
      { pause: null },
    ],
  ])('a broken part costs itself: %s', (part, broken, expected) => {
    const { state: decoded, faults } = read({ ...whole, ...broken });
    expect(decoded).toEqual({ ...state, ...expected });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`permutive-app/${part}`);
  });

  it.each([
    ['no entry', 7],
    ['no event', ['x', {}]],
    ['an event without a name', ['x', { event: { ...queuedOf('x'), name: undefined } }]],
    ['an event with a wrong flag', ['x', { event: { ...queuedOf('x'), requiresEnrichment: 'yes' } }]],
    ['an event of nobody', ['x', { event: eventOf('x') }]],
  ])('a broken event costs itself: %s', (_, broken) => {
    const entry = (id: string) => [id, { event: queuedOf(id) }];
    const { state: decoded, faults } = read({ eventPublication: { eventUpload: [entry('a'), broken, entry('b')] } });
    expect(decoded.queue).toEqual([storedOf('a', ''), storedOf('b', '')]);
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault).toMatch(/^permutive-app\/eventUpload\/1: /);
  });

  it(
    'is read whatever is stored',
    law(fc.anything(), (stored) => {
      expect(() => read(stored)).not.toThrow();
    }),
  );
});

describe('patched', () => {
  it.each<readonly [string, readonly AppStatePatch[], Partial<Record<'cohorts' | 'queue', string>>]>([
    ['nothing', [], { cohorts: '7abc', queue: 'ab' }],
    ['new cohorts', [{ cohorts: ['9'] }], { cohorts: '9' }],
    ['no cohorts any more', [{ cohorts: [] }], { cohorts: '' }],
    ['the last of several', [{ cohorts: ['8'] }, { cohorts: ['9'] }], { cohorts: '9' }],
    ['events of a page whose journal has them now', [uploadOf('p')], { queue: 'b' }],
    ['those of several pages', [uploadOf('pq')], { queue: '' }],
    ['none of other pages', [uploadOf('r')], { queue: 'ab' }],
  ])('%s', (_, patches, expected) => {
    const after = patched(state, patches);
    expect({
      cohorts: after.cohorts.join(''),
      queue: after.queue.map(idOf).join(''),
    }).toEqual({ cohorts: '7abc', queue: 'ab', ...expected });
  });

  it(
    'changes at once what it would change one after another',
    law(fc.tuple(anyState, fc.array(anyPatch)), ([any, patches]) => {
      expect(patched(any, patches)).toEqual(
        patches.reduce<AppState<StoredEvent | QueueEntry>>((before, patch) => patched(before, [patch]), any),
      );
    }),
  );

  it('asks what there is to deliver once, at the end', () => {
    const upload = jest.fn(() => ({ pages: [], pause: null }));
    patched(state, [{ upload }, { cohorts: [] }, { upload }]);
    expect(upload).toHaveBeenCalledTimes(1);
  });

  it(
    'does not change the state it is given',
    law(fc.tuple(anyState, fc.array(anyPatch)), ([any, patches]) => {
      const before = JSON.stringify(any);
      patched(any, patches);
      expect(JSON.stringify(any)).toBe(before);
    }),
  );
});

describe('A stored text that is no state', () => {
  it.each(['eventUpload', 'pause'])('has no %s that the page has added to Object.prototype', (name) => {
    const { state } = polluted({ [name]: {} }, () => read(['no state']));
    expect([state.queue, state.pause]).toEqual([[], null]);
  });
});
