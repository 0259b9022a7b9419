import { EMPTY, ignoreElements, map, merge } from 'rxjs';

import { type CohortStore, cohortStoreService } from '../../src/cohorts/cohortStore';
import type { Cohorts } from '../../src/model/cohorts';
import { localKeys, partnerKeys } from '../../src/model/storageKeys';
import { marble, type MarbleHelpers } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

const { cohortStore } = partnerKeys;
const cohortsOf = (isRealtime: boolean, ...members: readonly string[]): Cohorts => ({
  members,
  activations: {},
  isRealtime,
});
/** l: cohorts of the last page; r, s: of this page; m: with one that a lookalike model has found. */
const cohorts = {
  l: cohortsOf(false, '7'),
  r: cohortsOf(true, '10000001'),
  s: cohortsOf(true, '10000002'),
  m: cohortsOf(true, '20401', '20402'),
};
/** Keys as other services and addons write them. */
const written: Readonly<Record<string, unknown>> = {
  _psegs: [20111, 10000001, 999_999, 1_000_000],
  _pcrprs: ['room'],
  _ppam: ['sold'],
  _pssps: { ssps: ['ix', 'pubmatic'], cohorts: ['bfin', 'room'] },
  _papns: ['20111', 'bfin'],
  _pclmc: ['clm-a'],
  [localKeys.prebidConfig]: { acBidders: ['openx', 'ix'] },
};

interface Timeline {
  readonly cohort: string;
  readonly sharing?: string;
  readonly addon?: string;
  readonly keys?: Readonly<Record<string, unknown>>;
  /** What another service stores when it hears of the same cohorts, after this one. */
  readonly stores?: readonly [key: string, text: string];
}

const play = (helpers: MarbleHelpers, { cohort, sharing = 'y', addon = '', keys = written, stores }: Timeline) => {
  const { streams, deps } = serviceWorld(helpers, {
    project: { lookalikes: ['20402'], cohortCodes: { 20402: 'like-aw' } },
    answers: {},
  });
  const writes: string[] = [];
  const local = {
    ...deps.local,
    write: (key: string, text: string) => {
      writes.push(key);
      return deps.local.write(key, text);
    },
  };
  for (const [key, value] of Object.entries(keys)) deps.local.write(key, JSON.stringify(value));
  const output$ = cohortStoreService(
    {
      ...streams,
      cohorts$: helpers.cold(cohort, cohorts),
      sharing$: helpers.cold(sharing, { y: true, n: false }),
    },
    {
      ...deps,
      local,
      calls: {
        addon: (name) =>
          name === 'prebid'
            ? helpers.hot(addon, { a: ['rubicon'] }).pipe(
                // As the addon does.
                map((acBidders) => deps.local.write(localKeys.prebidConfig, JSON.stringify({ acBidders }))),
              )
            : EMPTY,
      },
    },
  );
  const other$ = helpers.cold(cohort).pipe(
    map(() => stores && deps.local.write(...stores)),
    ignoreElements(),
  );
  helpers.expectObservable(merge(output$, other$)).toBe('');
  return {
    deps,
    writes,
    stored: (): CohortStore | null => {
      helpers.flush();
      return JSON.parse(deps.local.read(cohortStore) ?? 'null') as CohortStore | null;
    },
  };
};

describe('cohortStore', () => {
  marble('has each cohort in one category, and for each bidder what it gets', (helpers) => {
    expect(play(helpers, { cohort: 'r' }).stored()).toEqual({
      categories: {
        standard: ['10000001', '1000000'],
        dcr: ['room', 'sold'],
        curated: ['bfin'],
        clm: ['clm-a'],
        custom: ['20111'],
      },
      activations: {
        ortb2: {
          openx: ['room', 'sold', '10000001', '1000000'],
          ix: ['room', 'sold', '10000001', '1000000', 'bfin'],
          pubmatic: ['bfin', 'room'],
          appnexus: ['20111', 'bfin'],
          msft: ['20111', 'bfin'],
        },
      },
    });
  });

  marble('names the cohorts that lookalike models have found, by their codes', (helpers) => {
    const { stored } = play(helpers, { cohort: 'm', keys: { _papns: ['like', '20401'] } });
    expect(stored()?.categories).toMatchObject({ clm: ['like'], custom: ['20401'] });
  });

  marble('is empty where there is nothing, or no list', (helpers) => {
    const keys = { _psegs: 'none', _pssps: [1], [localKeys.prebidConfig]: 5, _papns: null };
    expect(play(helpers, { cohort: 'r', keys }).stored()).toEqual({
      categories: { standard: [], dcr: [], curated: [], clm: [], custom: [] },
      activations: { ortb2: {} },
    });
  });

  marble('has a bidder of any name that the project gives', (helpers) => {
    const keys = { _psegs: [1_000_000], [localKeys.prebidConfig]: { acBidders: ['__proto__', 'constructor'] } };
    const { deps, stored } = play(helpers, { cohort: 'r', keys });
    stored();
    expect(deps.local.read(cohortStore)).toContain('{"__proto__":["1000000"],"constructor":["1000000"]}');
  });

  marble('stands as the last page has left it until this page has evaluated its cohorts', (helpers) => {
    const { stored, writes } = play(helpers, { cohort: 'l', keys: { ...written, [cohortStore]: 'of before' } });
    expect(stored()).toBe('of before');
    expect(writes).toEqual([]);
  });

  marble('is written once for all that changes in a task, after it', (helpers) => {
    const { stored, writes } = play(helpers, { cohort: '(rs)', stores: ['_pcrprs', '["later"]'] });
    expect(stored()?.categories.dcr).toEqual(['later', 'sold']);
    expect(writes).toEqual([cohortStore]);
  });

  marble('is not written again where nothing has changed', (helpers) => {
    const { stored, writes } = play(helpers, { cohort: 'r-s' });
    stored();
    expect(writes).toEqual([cohortStore]);
  });

  marble('follows the bidders that the page names later', (helpers) => {
    const { stored } = play(helpers, { cohort: 'r', addon: '--a' });
    expect(stored()?.activations.ortb2).toMatchObject({ rubicon: ['room', 'sold', '10000001', '1000000'] });
    expect(stored()?.activations.ortb2).not.toHaveProperty('openx');
  });

  marble('is made anew when the visitor shares again, of the keys that are back', (helpers) => {
    const { deps, stored } = play(helpers, { cohort: 'r', sharing: 'n-y', keys: { _papns: ['20111'] } });
    helpers
      .cold('--a')
      .subscribe(() => void deps.local.write(localKeys.prebidConfig, JSON.stringify({ acBidders: ['openx'] })));
    expect(stored()?.activations.ortb2).toHaveProperty('openx');
  });

  marble(
    'takes a bidder’s own codes from the key that is named, but none that the module looks up by a path',
    (helpers) => {
      const custom = (more: object) => ({ customCohorts: { source: 'ls', ...more } });
      const bidders = {
        other: custom({ key: '_pown' }),
        appnexus: custom({ key: '_pown' }),
        routed: custom({ key: '_pown', path: 'a' }),
        broken: custom({ key: 5 }),
        cookie: { customCohorts: { source: 'cookie', key: '_pown' } },
        placed: { placement: {} },
      };
      const keys = { _pown: ['mine'], _papns: ['20111'], [localKeys.prebidConfig]: { acBidders: [], bidders } };
      expect(play(helpers, { cohort: 'r', keys }).stored()?.activations.ortb2).toEqual({
        other: ['mine'],
        appnexus: ['mine'],
        routed: [],
        broken: [],
        cookie: [],
        placed: [],
        msft: ['20111'],
      });
    },
  );
});
