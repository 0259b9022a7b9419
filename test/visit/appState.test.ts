import * as fc from 'fast-check';

import { times } from '../../src/primitives/lists';
import type { Pause } from '../../src/sinks/delivery/pause';
import {
  type AppState,
  type AppStatePatch,
  decodeAppState,
  emptyAppState,
  encodeAppState,
  patched,
} from '../../src/visit/appState';
import { entryId, entryOf } from '../support/appState';
import { queuedOf } from '../support/events';
import { law } from '../support/laws';
import { polluted } from '../support/pollution';

const read = (stored: unknown) => {
  const faults: string[] = [];
  return { state: decodeAppState(stored, ({ message }) => faults.push(message)), faults };
};
/** What local storage would hold of a state. */
const storedText = (any: AppState): string => JSON.stringify(encodeAppState(any));
const pause: Pause = { at: 1, waitMs: 2, attempts: 3, asked: true };
const state: AppState = {
  cohorts: ['7', 'abc'],
  queue: [entryOf('a', 'p', { requiresEnrichment: true }), entryOf('b', 'q')],
  pause,
};
/** The delivery of a tab that delivers for these pages. */
const uploadOf = (pages: string): AppStatePatch => ({ upload: () => ({ pages: pages.split(''), pause: null }) });

const ids = (count: number): readonly string[] => times(count, String);
const services = (count: number) => Object.fromEntries(ids(count).map((name) => [name, ['7']]));
const anyId = fc.constantFrom('a', 'b', 'c', 'd');
const anyState: fc.Arbitrary<AppState> = fc.record({
  cohorts: fc.array(fc.string({ maxLength: 100 })),
  queue: fc.array(fc.tuple(anyId, fc.constantFrom('p', 'q')).map(([id, page]) => entryOf(id, page))),
  pause: fc.constantFrom(null, pause),
});
const anyPatch: fc.Arbitrary<AppStatePatch> = fc.oneof(
  fc.record({ cohorts: fc.array(fc.string()) }),
  fc.constantFrom('p', 'q', 'pq').map(uploadOf),
);

describe('the stored app state', () => {
  it('has the shape that partners read', () => {
    const text = storedText({ cohorts: ['7'], queue: [entryOf('a')], pause: null });
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

  it.each<readonly [string, unknown, string]>([
    ['its own name for it', ['x', { event: queuedOf('x'), page: 'p' }], 'p'],
    ['none', ['x', { event: queuedOf('x') }], ''],
    ['one of another type', ['x', { page: 7 }], ''],
    ['no place for it', ['x', 'page'], ''],
    ['a text', 'x', ''],
    ['nothing', null, ''],
  ])('keeps each entry of the queue as it is, with its page: %s', (_, stored, page) => {
    const whole = { eventPublication: { eventUpload: [entryOf('a').stored, stored] } };
    const { state: decoded, faults } = read(whole);
    expect([decoded.queue, faults]).toEqual([[entryOf('a'), { page, stored }], []]);
    expect(encodeAppState(decoded)).toMatchObject(whole);
  });

  it.each<readonly [string, object, Readonly<Record<string, unknown>>]>([
    ['10,000 cohorts of queries', { ql: ids(10_000), all: [] }, { cohorts: ids(10_000) }],
    ['10,001 of them', { ql: ids(10_001) }, {}],
    ['10,500 of all', { all: ids(10_500) }, { cohorts: ids(10_500) }],
    ['10,501 of all', { all: ids(10_501) }, {}],
    ['an id of 100 characters', { all: ['x'.repeat(100)] }, { cohorts: ['x'.repeat(100)] }],
    ['a longer one', { all: ['x'.repeat(101)] }, {}],
    ['100 cohorts of a service', { all: [], produced: { x: ids(100) } }, { produced: { x: ids(100) } }],
    ['101 of them', { all: ['7'], produced: { x: ids(101) } }, {}],
    ['an id of 101 characters of a service', { produced: { x: ['x'.repeat(101)] } }, {}],
    ['500 cohorts of services', { produced: services(500) }, { produced: services(500) }],
    ['501 of them', { produced: services(501) }, {}],
  ])('believes no list that is too long to be its own: %s', (_, cohorts, expected) => {
    const { state: decoded, faults } = read({ core: { cohorts }, eventPublication: { eventUpload: [7] } });
    expect(decoded).toEqual({ ...emptyAppState, queue: [{ page: '', stored: 7 }], ...expected });
    expect(faults).toHaveLength(Object.keys(expected).length === 0 ? 1 : 0);
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
      queue: after.queue.map(entryId).join(''),
    }).toEqual({ cohorts: '7abc', queue: 'ab', ...expected });
  });

  it(
    'changes at once what it would change one after another',
    law(fc.tuple(anyState, fc.array(anyPatch)), ([any, patches]) => {
      expect(patched(any, patches)).toEqual(patches.reduce<AppState>((before, patch) => patched(before, [patch]), any));
    }),
  );

  it.each<readonly [string, readonly AppStatePatch[], boolean]>([
    ['nothing', [], true],
    ['what is there', [{ cohorts: state.cohorts }, { upload: () => ({ pages: ['r'], pause }) }], true],
    ['other cohorts', [{ cohorts: [] }], false],
    ['cohorts of services', [{ cohorts: state.cohorts, produced: { affinity: [] } }], false],
    ['another pause', [{ upload: () => ({ pages: [], pause: null }) }], false],
    ['fewer events', [{ upload: () => ({ pages: ['q'], pause }) }], false],
  ])('is the state itself where nothing changes: %s', (_, patches, isSame) => {
    expect(patched(state, patches) === state).toBe(isSame);
  });

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
