import { BehaviorSubject } from 'rxjs';

import { targetingCalls, targetingOf, targetingTable } from '../../../demo/page/standIns/googletag/targeting';
import { dfp } from '../../../src/addons/googleAdManager/dfp';
import { dfpContextual } from '../../../src/addons/googleAdManager/dfpContextual';
import type { Googletag, Pubads } from '../../../src/addons/googleAdManager/googletag';
import { addonDeps, addonStreams, tagDoor } from '../../support/addonWorld';
import { marble, marbles } from '../../support/marbles';

type PageCalls = Required<Pick<Pubads, 'setTargeting' | 'clearTargeting'>>;
/** Google's tag as a page calls it. */
interface PageTag extends Googletag {
  readonly setConfig: (config: object) => void;
  readonly pubads: () => Pubads & Partial<PageCalls>;
}

/** Google's tag with the targeting that the page has set. `hasOlderCalls`: the calls before `setConfig` too. */
const tagOf = (hasOlderCalls: boolean, more: Partial<PageCalls> = {}) => {
  const table = targetingTable({ warn: (text) => console.warn(text) });
  const older = (): object => targetingCalls(table, () => pubads);
  const pubads: Pubads = hasOlderCalls ? { ...older(), ...more } : {};
  const tag: PageTag = {
    pubads: () => pubads,
    setConfig: ({ targeting }: { readonly targeting?: unknown }) => targeting !== undefined && table.merge(targeting),
    getConfig: () => targetingOf(table),
  };
  table.set('section', 'front');
  return { tag, table };
};

const cohortsOf = (...members: string[]) => ({ members, activations: {}, isRealtime: true });
const codesFor = (_: string, { members }: { readonly members: readonly string[] }) => members.map((id) => `c${id}`);
const dfpStart = { s: dfp.options({}, () => undefined) };
const told = {
  permutive: ['c1', 'rts'],
  puid: ['visitor'],
  ptime: ['1767268800000'],
  prmtvsdk: ['web'],
  prmtvvid: ['view'],
  prmtvwid: ['workspace'],
};

const clearings: readonly (readonly [string, boolean, (tag: PageTag) => unknown, object])[] = [
  ['clearTargeting()', true, (tag) => tag.pubads().clearTargeting?.(), {}],
  ['clearTargeting of our key', true, (tag) => tag.pubads().clearTargeting?.('permutive'), { section: ['front'] }],
  ['clearTargeting of another', true, (tag) => tag.pubads().clearTargeting?.('section'), {}],
  ['setConfig of null', true, (tag) => tag.setConfig({ targeting: null }), {}],
  ['setConfig of null', false, (tag) => tag.setConfig({ targeting: null }), {}],
  [
    'setConfig of a key with null',
    true,
    (tag) => tag.setConfig({ targeting: { permutive: null } }),
    { section: ['front'] },
  ],
  [
    'setConfig of keys with null and others',
    false,
    (tag) => tag.setConfig({ targeting: { permutive: null, puid: null, section: ['news'] } }),
    { section: ['news'] },
  ],
];

describe('page-level targeting that the page clears', () => {
  it.each(clearings)('has our keys again in the same task: %s, older calls: %s', (_, hasOlderCalls, clear, others) => {
    marbles(({ cold, expectObservable, flush }) => {
      const { tag, table } = tagOf(hasOlderCalls);
      const seen: unknown[] = [];
      const streams = addonStreams({
        view$: new BehaviorSubject('view'),
        cohorts$: cold('  o----', { o: cohortsOf('1') }),
        contextual$: cold('a----', { a: { dfp_contextual: ['psav'] } }),
        ...tagDoor(cold(' g----', { g: tag })),
      });
      const deps = addonDeps({ codesFor });
      expectObservable(dfp.run(streams, cold('s', dfpStart), deps)).toBe('-');
      expectObservable(dfpContextual.run(streams, cold('s', { s: {} }), deps)).toBe('-');
      cold('---c').subscribe(() => {
        seen.push(table.all());
        clear(tag);
        seen.push(table.all());
      });
      flush();
      const ours = { ...told, prmtvctx: ['psav', 'rts'] };
      expect(seen).toEqual([
        { section: ['front'], ...ours },
        { ...others, ...ours },
      ]);
      expect(deps.report).not.toHaveBeenCalled();
    })();
  });

  marble('has our keys of that moment again, however often it is cleared', ({ cold, expectObservable, flush }) => {
    const { tag, table } = tagOf(true);
    const codes: unknown[] = [];
    const streams = addonStreams({
      view$: cold('     v---w----', { v: 'one', w: 'two' }),
      cohorts$: cold('  o--------', { o: cohortsOf('1') }),
      ...tagDoor(cold(' g--------', { g: tag })),
    });
    let viewId = 'one';
    const visitor = () => ({ userId: 'visitor', viewId, workspaceId: 'workspace', sdkType: 'web' });
    streams.view$.subscribe((id) => (viewId = id));
    expectObservable(dfp.run(streams, cold('s', dfpStart), addonDeps({ codesFor, visitor }))).toBe('-');
    cold('--c--(cc)').subscribe(() => {
      tag.pubads().clearTargeting?.();
      codes.push(table.get('prmtvvid'));
    });
    flush();
    expect(codes).toEqual([['one'], ['two'], ['two']]);
  });

  marble('is left as the page sets it where nothing is cleared', ({ cold, expectObservable, flush }) => {
    const { tag, table } = tagOf(true);
    const streams = addonStreams({
      view$: new BehaviorSubject('view'),
      cohorts$: cold('  o----', { o: cohortsOf('1') }),
      ...tagDoor(cold(' g----', { g: tag })),
    });
    expectObservable(dfp.run(streams, cold('s', dfpStart), addonDeps({ codesFor }))).toBe('-');
    cold('--c').subscribe(() => {
      for (const config of [{ targeting: { permutive: ['mine'] } }, { pps: null }, {}, { targeting: {} }])
        tag.setConfig(config);
    });
    flush();
    expect(table.get('permutive')).toEqual(['mine']);
  });

  marble('stays cleared once the visitor has refused', ({ cold, expectObservable, flush }) => {
    const { tag, table } = tagOf(true);
    const streams = addonStreams({
      view$: new BehaviorSubject('view'),
      cohorts$: cold('  o----', { o: cohortsOf('1') }),
      ...tagDoor(cold(' g----', { g: tag })),
    });
    expectObservable(dfp.run(streams, cold('s', dfpStart), addonDeps({ codesFor })), '^-!').toBe('-');
    cold('----c').subscribe(() => tag.pubads().clearTargeting?.());
    flush();
    expect(table.all()).toEqual({});
  });

  marble('is not fought over with a page that wants it cleared', ({ cold, expectObservable, flush }) => {
    const { tag, table } = tagOf(true);
    // The page removes the key of the user whenever somebody sets it.
    const pubads = tag.pubads() as { setTargeting: PageCalls['setTargeting'] };
    const { setTargeting } = pubads;
    let sets = 0;
    pubads.setTargeting = (key, value) => {
      sets += 1;
      setTargeting(key, value);
      return key === 'puid' ? tag.pubads().clearTargeting?.('puid') : undefined;
    };
    const deps = addonDeps({ codesFor });
    const streams = addonStreams({
      view$: new BehaviorSubject('view'),
      cohorts$: cold('  o----', { o: cohortsOf('1') }),
      ...tagDoor(cold(' g----', { g: tag })),
    });
    expectObservable(dfp.run(streams, cold('s', dfpStart), deps)).toBe('-');
    cold('--c').subscribe(() => tag.pubads().clearTargeting?.());
    flush();
    expect(sets).toBe(2 * Object.keys(told).length);
    expect(table.get('permutive')).toEqual(['c1', 'rts']);
    expect(table.get('puid')).toEqual([]);
    expect(deps.report).not.toHaveBeenCalled();
  });

  marble('gives the page what its calls answer and throw', ({ cold, expectObservable, flush }) => {
    const broken = new Error('broken');
    const clearTargeting = jest.fn((key?: string) => {
      if (key === undefined) throw broken;
      return key;
    });
    const { tag, table } = tagOf(true, { clearTargeting });
    const deps = addonDeps({ codesFor });
    const streams = addonStreams({
      view$: new BehaviorSubject('view'),
      cohorts$: cold('  o----', { o: cohortsOf('1') }),
      ...tagDoor(cold(' g----', { g: tag })),
    });
    expectObservable(dfp.run(streams, cold('s', dfpStart), deps), '^---!').toBe('-');
    const pubads = tag.pubads();
    cold('--c').subscribe(() => {
      expect(() => pubads.clearTargeting?.()).toThrow(broken);
      expect(pubads.clearTargeting?.('section')).toBe('section');
    });
    flush();
    expect(clearTargeting.mock.contexts.slice(0, 2)).toEqual([pubads, pubads]);
    expect(table.get('permutive')).toEqual(['c1', 'rts']);
    expect(deps.report).not.toHaveBeenCalled();
  });

  marble('is set all the same where the tag lets nobody hear of it', ({ cold, expectObservable, flush }) => {
    const { tag, table } = tagOf(true);
    Object.freeze(tag.pubads());
    const deps = addonDeps({ codesFor });
    const streams = addonStreams({
      view$: new BehaviorSubject('view'),
      cohorts$: cold('  o--p-', { o: cohortsOf('1'), p: cohortsOf('2') }),
      ...tagDoor(cold(' g----', { g: Object.freeze(tag) })),
    });
    expectObservable(dfp.run(streams, cold('s', dfpStart), deps)).toBe('-');
    flush();
    expect(table.get('permutive')).toEqual(['c2', 'rts']);
    expect(deps.report).toHaveBeenCalledWith('DFP failed to set data', expect.any(TypeError));
  });

  marble('costs one wrapper of each call, however often the addon starts', ({ cold, hot, expectObservable, flush }) => {
    const { tag } = tagOf(true);
    const calls = [tag.pubads().clearTargeting, tag.setConfig];
    const now = () => [tag.pubads().clearTargeting, tag.setConfig];
    const first: unknown[] = [];
    const streams = addonStreams({
      view$: new BehaviorSubject('view'),
      cohorts$: cold('  o----', { o: cohortsOf('1') }),
      ...tagDoor(cold(' g----', { g: tag })),
    });
    expectObservable(dfp.run(streams, hot('s-s-s', dfpStart), addonDeps({ codesFor }))).toBe('-');
    cold('-c').subscribe(() => first.push(...now()));
    flush();
    expect(now()).toEqual(first);
    expect(now()).not.toEqual(calls);
  });
});
