import { experimentOf, noExperiment } from '../../../src/contracts/experiment';
import type { AdRequestRow } from '../../../src/inspector/adRequests/adRequest';
import { experimentFacts, experimentFindings } from '../../../src/inspector/doctor/experiment';
import type { InspectedPage } from '../../../src/inspector/inspectedPage';
import { visitorGroup } from '../../../src/inspector/visitorGroup';
import type { ControlGroup } from '../../../src/model/project';

const everybody = { percent: 100, salt: 'autumn' };
const nobody = { percent: 0, salt: 'autumn' };
/** What is read of a page whose project has two cohorts with codes. */
const pageWith = (controlGroup: ControlGroup | undefined, context: unknown = { user_id: 'u-1' }) =>
  ({
    tag: { context },
    world: {
      experiment: controlGroup ? experimentOf(controlGroup) : noExperiment,
      project: { cohortCodes: { '1000001': 'abcd', '20402': 'efgh' } },
    },
  }) as unknown as InspectedPage;

const row = (changes: Partial<AdRequestRow> = {}): AdRequestRow => ({
  partner: 'google',
  bidder: 'Google',
  slot: '/1/top',
  at: 340.2,
  codes: [],
  group: 'control',
  isFirst: true,
  missing: [],
  entered: [],
  erasedCodes: [],
  erasedEntries: [],
  laterEntries: [],
  ...changes,
});
const bid = { partner: 'prebid', bidder: 'ix', slot: 'top', at: 500 } as const;

const found = (page: InspectedPage, ...rows: readonly AdRequestRow[]): readonly string[] =>
  experimentFindings(experimentFacts(page, rows)).map(({ where, severity, finding }) => {
    expect(where).toBe('experiment');
    return `${severity}: ${finding}`;
  });

const inControl =
  'info: The visitor is in the control group, so that page and partners are told of no cohort of the experiment';
const inExposed = 'info: The visitor is in the exposed group of the experiment';

describe('visitorGroup', () => {
  it('is of the user that the page has, and of nobody before', () => {
    expect(visitorGroup(pageWith(everybody))).toBe('control');
    expect(visitorGroup(pageWith(nobody))).toBe('exposed');
    expect(visitorGroup(pageWith(undefined))).toBeUndefined();
    for (const context of [null, 'context', {}, { user_id: '' }, { user_id: 1 }, { user_id: null }])
      expect(visitorGroup(pageWith(everybody, context))).toBeUndefined();
  });

  it('is none for a cohort that the experiment is not about', () => {
    const page = pageWith({ ...everybody, cohorts: ['20402'] });
    expect(visitorGroup(page, '20402')).toBe('control');
    expect(visitorGroup(page, '20401')).toBeUndefined();
  });
});

describe('The doctor, of an experiment', () => {
  it('says the visitor’s group, and nothing where there is none', () => {
    expect(found(pageWith(everybody))).toEqual([inControl]);
    expect(found(pageWith(nobody))).toEqual([inExposed]);
    expect(found(pageWith(undefined), row({ codes: ['20401'], group: 'exposed' }))).toEqual([]);
    expect(found(pageWith(everybody, {}), row({ codes: ['20401'], group: 'exposed' }))).toEqual([]);
  });

  it('says which requests have codes that nobody is told of the control group, the first of each bidder', () => {
    const rows = [
      row({ codes: ['abcd', '20401'] }),
      row({ at: 400, codes: ['abcd'] }),
      row({ codes: undefined, partner: 'appnexus', bidder: 'AppNexus' }),
      row({ ...bid, codes: ['1', '2', '3', '4', '5', '6', 'efgh'] }),
    ];
    expect(found(pageWith(everybody), ...rows)).toEqual([
      'warning: The request of slot /1/top at 340 ms has codes that nobody is told of the control group: abcd, 20401',
      'warning: The request of ix for slot top at 500 ms has codes that nobody is told of the control group: 1, 2, 3, 4, 5 and 2 more',
      inControl,
    ]);
    expect(found(pageWith(nobody), ...rows.map((each) => ({ ...each, group: 'exposed' })))).toEqual([inExposed]);
  });

  it('leaves alone what the experiment is not about', () => {
    const page = pageWith({ ...everybody, cohorts: ['20402'] });
    expect(found(page, row({ codes: ['abcd', '20401'] }))).toEqual([inControl]);
    expect(found(page, row({ codes: ['abcd', 'efgh'] }))[0]).toMatch(/control group: efgh$/);
    // Some partners are told the ids of cohorts.
    expect(found(page, row({ codes: ['20402'] }))[0]).toMatch(/control group: 20402$/);
  });

  it('says which requests say another group', () => {
    const rows = [row({ group: 'exposed' }), row({ at: 400, group: 'exposed' }), row({ ...bid, group: 'other' })];
    const openx = row({ ...bid, bidder: 'openx', group: 'exposed' });
    expect(found(pageWith(everybody), ...rows, openx)).toEqual([
      'warning: The request of slot /1/top at 340 ms says the group exposed, and the visitor is in the group control',
      'warning: The request of ix for slot top at 500 ms says the group other, and the visitor is in the group control',
      'warning: The request of openx for slot top at 500 ms says the group exposed, and the visitor is in the group control',
      inControl,
    ]);
  });

  it('counts the requests to Google that say none, of those that can be read', () => {
    const rows = [row(), row({ group: '' }), row({ group: undefined }), row({ ...bid, group: '' })];
    expect(found(pageWith(everybody), ...rows)).toEqual([
      inControl,
      'info: 1 of 2 requests to Google say no group of the experiment',
    ]);
  });
});
