import { asyncScheduler, ignoreElements, map, merge, NEVER, share, tap, timer } from 'rxjs';

import { published } from '../../src/engine/language/canonical';
import type { Definition } from '../../src/engine/language/language';
import { engineHost } from '../../src/engineHost/engineHost';
import type { EngineCommand } from '../../src/model/engineCommands';
import type { Properties } from '../../src/model/event';
import { storeKeys } from '../../src/model/storageKeys';
import { noon, numberedOf } from '../../test/support/events';
import { hostDepsOf, startOf, storedState } from '../../test/support/hostDeps';
import { keyValueStore } from '../../test/support/keyValueStore';
import { marble, type MarbleHelpers } from '../support/marbles';

/**
 * 1: a Pageview with a known provider. 2: any Pageview. 3: a LinkClick that follows the former. 4: any LinkClick.
 * 5: two Pageviews, with a provider or without, as a query sees them that reads it.
 */
const queries: readonly Definition[] = [
  { id: '1', q: { event: 'Pageview', where: { p: 'isp_info.isp', in: ['An Isp'] } } },
  { id: '2', q: { event: 'Pageview' } },
  {
    id: '3',
    q: { sequence: [{ event: 'Pageview', where: { p: 'isp_info.isp', exists: true } }, { event: 'LinkClick' }] },
  },
  { id: '4', q: { event: 'LinkClick' } },
  {
    id: '5',
    q: { event: 'Pageview', where: { not: { p: 'isp_info.isp', in: ['Another'] } }, is: { gte: 2 } },
  },
  // 6, 7: one ThirdPartySegments, and two of them; 8, 9: the same, of queries that read the provider.
  { id: '6', q: { event: 'ThirdPartySegments' } },
  { id: '7', q: { event: 'ThirdPartySegments', is: { gte: 2 } } },
  { id: '8', q: { event: 'ThirdPartySegments', where: { p: 'isp_info.isp', exists: false } } },
  { id: '9', q: { event: 'ThirdPartySegments', where: { p: 'isp_info.isp', exists: false }, is: { gte: 2 } } },
];

const track = (id: string, ms: number, properties: Properties = {}, unfilled?: Properties): EngineCommand => ({
  type: 'track',
  event: numberedOf(id, {
    name: id.startsWith('link') ? 'LinkClick' : 'Pageview',
    time: new Date(noon + ms).toISOString(),
    properties,
    unfilled,
  }),
});
const late = (id: string, ms: number): EngineCommand => track(id, ms, { isp_info: null }, { isp_info: '$ip_isp_info' });
const values = { isp_info: { isp: 'An Isp' } };
const filled = (id: string): EngineCommand => ({ type: 'filled', event: numberedOf(id, { properties: values }) });

const flush: EngineCommand = { type: 'flush' };

type Moment = readonly [ms: number, command: EngineCommand];

/**
 * Plays a page: at these ms, it tells the engine that. Answers at which ms the engine has entered cohorts («+» and
 * their number) and left them («-»), and has saved its state.
 */
const play = ({ expectObservable, flush }: MarbleHelpers, ...moments: readonly Moment[]) => {
  const store = keyValueStore({ [storeKeys.queries]: storedState(queries) });
  const deps = hostDepsOf(queries, {
    bundle: { v: 1, id: 'bundle', seed: 0, queries: queries.map(published), lateFields: ['isp_info'] },
    store: () => store,
    now: () => noon + asyncScheduler.now(),
  });
  const told: string[] = [];
  const commands: readonly Moment[] =
    moments[0]?.[1].type === 'start' ? moments : [[0, startOf({ lookups: [] })], ...moments];
  const page$ = merge(NEVER, ...commands.map(([ms, command]) => timer(ms).pipe(map(() => command))));
  const heard$ = engineHost(page$.pipe(share()), deps).pipe(
    tap((message) => {
      const at = asyncScheduler.now();
      if (message.type === 'saved') told.push(`${at} saved`);
      if (message.type === 'transitions')
        for (const { id, entry } of message.transitions) told.push(`${at} ${entry ? '+' : '-'}${id}`);
    }),
    ignoreElements(),
  );
  expectObservable(heard$, '^ 30s !').toBe('-');
  flush();
  return told;
};

describe('an event whose values come later', () => {
  marble('is evaluated at once where they are there', (helpers) => {
    expect(play(helpers, [100, track('a', 100, values)])).toEqual(['100 +1', '100 +2', '5100 saved']);
  });

  marble('is evaluated at once by queries that do not read them, and by the others when they come', (helpers) => {
    const told = play(helpers, [100, late('a', 100)], [1500, filled('a')]);
    expect(told).toEqual(['100 +2', '1500 +1', '6500 saved']);
  });

  marble('waits for them as long as requestTimeout, and no other query counts it again', (helpers) => {
    // The engine looks at the clock each second.
    const told = play(
      helpers,
      [100, late('a', 100)],
      [4900, filled('a')],
      [7000, late('b', 7000)],
      [7100, filled('b')],
    );
    expect(told).toEqual(['100 +2', '4900 +1', '7100 +5', '10100 saved']);
  });

  marble('counts as it is where they never come, once', (helpers) => {
    const told = play(helpers, [100, late('a', 100)], [7000, filled('a')], [8000, late('b', 8000)]);
    // Cohort 5 is entered by the second one, when that has waited too. Nothing is saved while it waits.
    expect(told).toEqual(['100 +2', '12000 +5', '12000 saved', '17000 saved']);
  });

  marble('counts as it is when the page may be going away, and not again when they come', (helpers) => {
    const told = play(
      helpers,
      [100, late('a', 100)],
      [200, flush],
      [300, filled('a')],
      [7000, track('b', 7000, values)],
    );
    expect(told).toEqual(['100 +2', '200 saved', '7000 +1', '7000 +5', '12000 saved']);
  });

  marble('comes before later events for the queries that wait for it, and for no others', (helpers) => {
    const told = play(helpers, [100, late('a', 100)], [300, track('link', 300)], [900, filled('a')]);
    expect(told).toEqual(['100 +2', '300 +4', '900 +1', '900 +3', '5900 saved']);
  });

  marble('waits for each view by itself, in their order', (helpers) => {
    const moments: Moment[] = [
      [100, late('a', 100)],
      [2000, late('b', 2000)],
      // The later view has its values first.
      [2500, filled('b')],
      [4000, filled('a')],
    ];
    expect(play(helpers, ...moments)).toEqual(['100 +2', '4000 +1', '4000 +5', '9000 saved']);
  });

  marble('is in no saved state before all queries have counted it', (helpers) => {
    const moments: Moment[] = [
      [100, track('link', 100)],
      [4000, track('link2', 4000)],
      [8000, track('link3', 8000)],
      // Without it, a save is due at 10,100 ms.
      [9000, late('a', 9000)],
      [12_000, filled('a')],
    ];
    expect(play(helpers, ...moments)).toEqual(['100 +4', '9000 +2', '12000 +1', '12000 saved', '17000 saved']);
  });

  marble('leaves the engine of another user what it leaves this one', (helpers) => {
    const given = late('a', 100);
    const start = startOf({ lookups: [], given: given.type === 'track' ? [given.event] : [] });
    // The engine of that user begins when the values could have come long ago, and is given them at once.
    expect(play(helpers, [7000, start], [7100, filled('a')])).toEqual(['7100 +1', '7100 saved', '12100 saved']);
  });

  marble('lets an event wait for third-party data and for its turn, and counts it once', (helpers) => {
    const start = startOf({ lookups: ['thirdParty'] });
    const segments: EngineCommand = { type: 'track', event: numberedOf('segments', { name: 'ThirdPartySegments' }) };
    const data: EngineCommand = { type: 'data', patch: { thirdParty: {} } };
    const told = play(helpers, [0, start], [100, late('a', 100)], [200, segments], [300, filled('a')], [400, data]);
    expect(told).toEqual(['100 +2', '300 +1', '400 +6', '400 +8', '400 saved']);
  });
});
