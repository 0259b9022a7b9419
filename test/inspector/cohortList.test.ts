import {
  cohortList,
  type CohortView,
  filteredCohorts,
  type KnownCohorts,
  noFilter,
} from '../../src/inspector/cohortList';
import type { LogEntry } from '../../src/inspector/logEntry';

const project = {
  cohortCodes: { '10000001': 'bfin', '10000002': 'tmob' },
  platformCohorts: { dfp: [20_101] },
  activations: { overlays: [{ id: 'a', short_id: 'a', sc: 20_999, tt: 'OnEntry' as const }] },
};
const known: KnownCohorts = {
  cohorts: {
    members: ['20101', '21101', 'ADV-1', '10000002'],
    queried: ['20101', '21101'],
    produced: { advertiser: ['ADV-1'], affinity: ['10000002'] },
    activations: {},
    isRealtime: true,
  },
  defined: {
    '20101': { name: 'Markets readers', reads: [] },
    '20721': { name: 'Partner data', reads: ['thirdParty', 'geo'] },
    '20701': { reads: ['lookalike'] },
    '10000001': { name: 'Business', reads: [] },
    '10000002': { name: 'Phones' },
  },
  project,
  entries: [],
  isComplete: true,
  ofPage: ['c7'],
};
const produced = (data: object): LogEntry => ({ id: 1, t: 0, lane: 'cohorts', type: 'produced', data, causes: [] });

const view = (id: string, changes: Partial<KnownCohorts> = {}): CohortView | undefined =>
  cohortList({ ...known, ...changes }).find((each) => each.id === id);

describe('cohortList', () => {
  it('has the members first, then the others that anybody names, each by number', () => {
    expect(cohortList(known).map(({ id, isMember }) => `${id} ${isMember ? 'in' : 'out'}`)).toEqual([
      '20101 in',
      '21101 in',
      '10000002 in',
      'ADV-1 in',
      'c7 in',
      '20701 out',
      '20721 out',
      '20999 out',
      '10000001 out',
    ]);
  });

  it('says what a cohort is called, and its code', () => {
    expect(view('10000001')).toMatchObject({ name: 'Business', code: 'bfin' });
    expect(view('20701')).toMatchObject({ name: '', code: '' });
    expect(view('20101', { defined: {} })).toMatchObject({ name: '' });
  });

  it('says where a cohort comes from', () => {
    const sourcesOf = (id: string, changes?: Partial<KnownCohorts>): string | undefined =>
      view(id, changes)?.sources.join(' ');
    expect(sourcesOf('20101')).toBe('query');
    expect(sourcesOf('20721')).toBe('query thirdParty geo');
    // A query that is not in the bundle.
    expect(sourcesOf('21101')).toBe('query cloudLift');
    expect(sourcesOf('ADV-1')).toBe('advertiser');
    expect(sourcesOf('10000002')).toBe('affinity');
    expect(sourcesOf('c7')).toBe('contextual');
    // Whether the bundle has a query is unknown then.
    expect(sourcesOf('21101', { defined: {} })).toBe('query');
    // A service that has considered a cohort is its source, also where the visitor is not in it.
    const entries = [produced({ producer: 'cleanRoom', cohorts: [], reasons: { 'CR-1': 'No.' } })];
    expect(sourcesOf('CR-1', { entries })).toBe('cleanRoom');
    expect(view('CR-1', { entries })).toMatchObject({ isMember: false });
  });

  it('says whether this page has evaluated it', () => {
    const stored = { ...known.cohorts, isRealtime: false };
    expect(view('20101')?.isRealtime).toBe(true);
    expect(view('20101', { cohorts: stored })?.isRealtime).toBe(false);
    expect(view('c7')?.isRealtime).toBe(true);
    const contextual = { ...known.cohorts, members: ['c8'], produced: { contextual: ['c8'] } };
    expect(view('c8', { cohorts: contextual })).toMatchObject({ sources: ['contextual'], isRealtime: false });
    expect(view('ADV-1')?.isRealtime).toBe(false);
    expect(view('ADV-1', { isComplete: false })?.isRealtime).toBeNull();
    expect(view('ADV-1', { entries: [produced({ producer: 'advertiser', cohorts: ['ADV-1'] })] })?.isRealtime).toBe(
      true,
    );
  });
});

describe('filteredCohorts', () => {
  const ids = (changes: Partial<typeof noFilter>): readonly string[] =>
    filteredCohorts(cohortList(known), { ...noFilter, ...changes }).map(({ id }) => id);

  it('finds by a part of the name, the number or the code', () => {
    expect(ids({ search: ' MARKETS' })).toEqual(['20101']);
    expect(ids({ search: '207' })).toEqual(['20701', '20721']);
    expect(ids({ search: 'bfin' })).toEqual(['10000001']);
  });

  it('leaves those of a membership, of a source and of a state', () => {
    expect(ids({ membership: 'out' })).toEqual(['20701', '20721', '20999', '10000001']);
    expect(ids({ membership: 'in', source: 'query' })).toEqual(['20101', '21101']);
    expect(ids({ source: 'thirdParty' })).toEqual(['20721']);
    expect(ids({ state: 'stored' })).toEqual(['10000002', 'ADV-1']);
  });
});
