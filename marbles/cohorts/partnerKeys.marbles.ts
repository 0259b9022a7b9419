import { merge, NEVER, share, startWith, tap } from 'rxjs';

import { partnerKeysService } from '../../src/cohorts/partnerKeys';
import type { Cohorts } from '../../src/model/cohorts';
import { localKeys, partnerKeys } from '../../src/model/storageKeys';
import { marble, type MarbleHelpers } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

const project = {
  cohortCodes: { 10000001: 'bfin', 10000002: 'tcmp' },
  platformCohorts: { ix: [10000001], openx: [9], curation_platforms: [10000002, 7] },
};
const cohortsOf = (isRealtime: boolean, members: readonly string[], more: Partial<Cohorts> = {}): Cohorts => ({
  members,
  activations: {},
  isRealtime,
  ...more,
});
const { all, ssps, advertisers, cleanRooms, classificationModels } = partnerKeys;
const bought = { advertiser: ['left', 'sold-ac'], cleanRoom: ['room'], classificationModels: ['clm-a'] };
/** l: cohorts of the last page; r: of this page; t: one is no number; b: with those of services; n: none. */
const cohorts = {
  t: cohortsOf(true, ['20101', '10000017', 'abc']),
  l: cohortsOf(false, []),
  r: cohortsOf(true, ['10000001', '10000002', '7']),
  b: cohortsOf(true, ['left'], { produced: bought }),
  n: cohortsOf(true, []),
};

const keptBy = (
  helpers: MarbleHelpers,
  cohort: string,
  { optimised = {} }: { readonly optimised?: Record<string, { ssps: string[] }> } = {},
) => {
  const { streams, deps } = serviceWorld(helpers, {
    project: { ...project, optimisedActivationsConfig: optimised },
    answers: {},
  });
  deps.local.write(partnerKeys.all, '[2]');
  deps.local.write(partnerKeys.ssps, 'stored');
  const output$ = partnerKeysService({ ...streams, cohorts$: helpers.cold(cohort, cohorts) }, deps);
  helpers.expectObservable(output$).toBe('');
  return (key: keyof typeof partnerKeys): unknown => {
    helpers.flush();
    const text = deps.local.read(partnerKeys[key]);
    return text === null || text === 'stored' ? text : JSON.parse(text);
  };
};

describe('partnerKeys', () => {
  marble('keeps the numbers of this page’s own cohorts', (helpers) => {
    expect(keptBy(helpers, 'lt')('all')).toEqual([20101, 10000017]);
  });

  marble('leaves alone the numbers that the last page stored', (helpers) => {
    expect(keptBy(helpers, 'l')('all')).toEqual([2]);
  });

  marble('follows each change of the numbers, to none as well', (helpers) => {
    expect(keptBy(helpers, 't-n')('all')).toEqual([]);
  });

  marble('keeps the cohorts of advertisers, clean rooms and classification models, without suffix', (helpers) => {
    const read = keptBy(helpers, 'r-b');
    expect([read('advertisers'), read('cleanRooms'), read('classificationModels')]).toEqual([
      ['left', 'sold'],
      ['room'],
      ['clm-a'],
    ]);
  });

  marble('empties them when the services give nothing any more', (helpers) => {
    const read = keptBy(helpers, 'b-n');
    expect([read('advertisers'), read('cleanRooms'), read('classificationModels')]).toEqual([[], [], []]);
  });

  marble('writes the same once more where it was removed with everything of another user', (helpers) => {
    const { streams, deps } = serviceWorld(helpers, { project, answers: {} });
    const cohorts$ = NEVER.pipe(startWith(cohorts.b));
    const adopted$ = helpers.hot('--u').pipe(
      tap(() => deps.local.keys().forEach(deps.local.remove)),
      share(),
    );
    const output$ = partnerKeysService({ ...streams, cohorts$, adopted$ }, deps);
    helpers.expectObservable(merge(adopted$, output$)).toBe('--u');
    helpers.flush();
    expect(deps.local.read(partnerKeys.advertisers)).toBe('["left","sold"]');
    expect(JSON.parse(deps.local.read(partnerKeys.ssps) ?? '')).toMatchObject({ ssps: [] });
  });

  marble('looks at what is stored once for each list that is another one', (helpers) => {
    const { streams, deps } = serviceWorld(helpers, { project, answers: {} });
    const read = jest.fn(deps.local.read);
    const cohorts$ = helpers.cold('b-b-b-n', cohorts);
    const local = { ...deps.local, read };
    helpers.expectObservable(partnerKeysService({ ...streams, cohorts$ }, { ...deps, local })).toBe('');
    helpers.flush();
    // The last evaluation has the same numbers, and the same codes for supply-side partners: none.
    expect(read.mock.calls.map(([key]) => key).sort()).toEqual(
      [all, ssps, ...[advertisers, cleanRooms, classificationModels].flatMap((key) => [key, key])].sort(),
    );
  });

  marble('keeps the group of an experiment, once this page has evaluated the cohorts', (helpers) => {
    const grouped = {
      ...cohorts,
      l: { ...cohorts.l, group: 'exposed' as const },
      r: { ...cohorts.r, group: 'control' as const },
    };
    const [before, after, none] = ['l', 'lr', 'tn'].map((cohort) => {
      const { streams, deps } = serviceWorld(helpers, { project, answers: {} });
      const output$ = partnerKeysService({ ...streams, cohorts$: helpers.cold(cohort, grouped) }, deps);
      helpers.expectObservable(output$).toBe('');
      return deps.local;
    });
    helpers.flush();
    // Without an experiment, cohorts have no group.
    expect([before, after, none].map((local) => local?.read(localKeys.group))).toEqual([null, '["control"]', null]);
  });

  marble('names the supply-side partners with a code, and all codes; curators get those of curation too', (helpers) => {
    expect(keptBy(helpers, 'r')('ssps')).toEqual({
      ssps: ['ix', 'openx', 'appnexus', 'pubmatic'],
      cohorts: ['bfin', 'tcmp', '7'],
    });
  });

  marble('curates with those partners alone that the project has chosen', (helpers) => {
    const optimised = { curation_platforms: { ssps: ['ix'] } };
    expect(keptBy(helpers, 'r', { optimised })('ssps')).toEqual({ ssps: ['ix'], cohorts: ['bfin', 'tcmp', '7'] });
  });

  marble('leaves what the last page has stored for them until this page has evaluated its cohorts', (helpers) => {
    expect(keptBy(helpers, 'l')('ssps')).toBe('stored');
  });
});
