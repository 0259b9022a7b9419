import { type Route, type RouteInput, routesOf } from '../../src/inspector/activationRoute';
import type { Cohorts } from '../../src/model/cohorts';
import { meets } from '../../src/model/contextCriteria';

const cohorts: Cohorts = { members: ['10000001'], activations: {}, isRealtime: true };
const arrived: RouteInput['arrived'] = {
  readKey: (key) => (key === '_pdfps' ? ['bfin'] : null),
  googleCodes: ['bfin', 'rts'],
  slotCodes: [],
  adRequests: [[], ['bfin']],
  appnexusCodes: undefined,
  bidRequests: undefined,
};
const input: RouteInput = {
  cohorts,
  project: { platformCohorts: { dfp: [10_000_001], nativo: [7] }, cohortCodes: { '10000001': 'bfin' } },
  activations: {},
  context: { domain: 'ledgerpost.example' },
  meets,
  arrived,
};

const routes = (changes: Partial<RouteInput> = {}, id = '10000001'): readonly Route[] =>
  routesOf(id, { ...input, ...changes });
/** The broken link of the first way with its reason, and the states of all links. */
const broken = (changes: Partial<RouteInput>, id?: string) => {
  const steps = routes(changes, id)[0]!.steps;
  const step = steps.find(({ state }) => state === 'broken');
  return { what: step?.what, reason: step?.reason, states: steps.map(({ state }) => state).join(' ') };
};
const whereArrived = (changes: Partial<RouteInput['arrived']>) => broken({ arrived: { ...arrived, ...changes } });

describe('the way to an ad server', () => {
  it('is followed to its ad request', () => {
    expect(
      routes().map(({ partner, steps }) => [partner, ...steps.map(({ what, state }) => `${state}: ${what}`)]),
    ).toEqual([
      [
        'dfp',
        'holds: the visitor is in cohort 10000001',
        'holds: it is activated for dfp, as bfin',
        'holds: _pdfps in local storage has bfin',
        'holds: Google’s key permutive has bfin',
        'holds: an ad request has carried bfin',
      ],
    ]);
  });

  it('breaks where the visitor is in the control group of an experiment', () => {
    expect(broken({ group: 'control' })).toEqual({
      what: 'page and partners are told of it',
      reason: 'the visitor is in the control group',
      states: 'holds broken after after after after',
    });
    const overlays = [{ id: 'o', short_id: 1, sc: '10000001', tt: 'OnEntry' as const }];
    expect(routes({ group: 'control', activations: { overlays } }).map(({ steps }) => steps[1]?.state)).toEqual([
      'broken',
      'broken',
    ]);
    expect(routes({ group: 'exposed' })[0]?.steps.map(({ state }) => state)).toEqual(Array(6).fill('holds'));
  });

  it('breaks at its first link, and says nothing of those behind it', () => {
    expect(broken({ cohorts: { ...cohorts, members: [] } })).toEqual({
      what: 'the visitor is in cohort 10000001',
      reason: 'this page has found that the visitor is not in it',
      states: 'broken after after after after',
    });
    expect(whereArrived({ readKey: () => ['pfin'] })).toEqual({
      what: '_pdfps in local storage has bfin',
      reason: 'it has pfin',
      states: 'holds holds broken after after',
    });
    expect(whereArrived({ googleCodes: [] })).toMatchObject({ reason: 'it has nothing' });
    expect(whereArrived({ slotCodes: [['ad-top', ['pfin']]] })).toMatchObject({
      what: 'no slot has other values of the key',
      reason: 'ad-top has its own, which hide those of the page',
    });
    expect(whereArrived({ adRequests: [['pfin']] })).toMatchObject({
      what: 'an ad request has carried bfin',
      reason: '1 went before the key had it; the latest carried pfin',
    });
  });

  it('names what is stored, up to six codes', () => {
    const stored = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    expect(whereArrived({ readKey: () => stored }).reason).toBe('it has a, b, c, d, e, f and 2 more');
  });

  it('says nothing of what cannot be seen on the page', () => {
    expect(whereArrived({ googleCodes: undefined, adRequests: [] }).states).toBe('holds holds holds unseen unseen');
  });

  it('leads to the tags of AppNexus', () => {
    const changes = (appnexusCodes: RouteInput['arrived']['appnexusCodes']): Partial<RouteInput> => ({
      project: { platformCohorts: { appnexus_adserver: [5] }, cohortCodes: {} },
      cohorts: { ...cohorts, members: ['5'] },
      arrived: { ...arrived, readKey: () => ['5'], appnexusCodes },
    });
    expect(broken(changes([['top', ['5']]]), '5').what).toBeUndefined();
    expect(broken(changes([['top', ['6']]]), '5').reason).toBe('top has 6');
    expect(broken(changes([]), '5').reason).toBe('no tag is defined');
    expect(broken(changes(undefined), '5').states).toBe('holds holds holds unseen');
  });

  it('leads to the bid requests of a bidder', () => {
    const changes = (bidRequests: RouteInput['arrived']['bidRequests']): Partial<RouteInput> => ({
      project: { platformCohorts: { ix: [5] }, cohortCodes: {} },
      cohorts: { ...cohorts, members: ['5'] },
      arrived: {
        ...arrived,
        readKey: (key) => (key === '_pssps' ? { ssps: ['ix'], cohorts: ['5'] } : null),
        bidRequests,
      },
    });
    expect(broken(changes([['ix', ['5']]]), '5').states).toBe('holds holds holds holds');
    expect(
      broken(
        changes([
          ['ix', []],
          ['openx', ['5']],
        ]),
        '5',
      ).reason,
    ).toBe('it carried nothing');
    expect(broken(changes([['openx', ['5']]]), '5').states).toBe('holds holds holds unseen');
  });

  it('is unknown for a cohort that the project gives to nobody', () => {
    expect(routes({}, '5')).toEqual([]);
  });
});

describe('the way of an activation', () => {
  const activation = { id: 'a', short_id: 'e1', sc: 10_000_001, tt: 'OnEntry' } as const;
  const along = (changes: object, context = input.context) =>
    broken({
      project: { platformCohorts: {}, cohortCodes: {} },
      activations: { overlays: [{ ...activation, ...changes }] },
      context,
    });
  const cc = {
    operator: 'AND',
    criteria: [
      { key: 'domain', comparison: 'EQUALS', value: 'ledgerpost.example' },
      { key: 'type', comparison: 'EQUALS', value: 'web' },
    ],
  } as const;

  it('breaks at the criterion that does not hold', () => {
    expect(along({ cc })).toEqual({
      what: 'the context criteria hold on this page',
      reason: 'type EQUALS web, and is absent',
      states: 'holds broken',
    });
    expect(along({ cc }, { ...input.context, type: 'web' }).states).toBe('holds holds');
  });

  it('for those who leave breaks while the visitor is in the cohort', () => {
    expect(along({ tt: 'OnExit', cc }).states).toBe('broken after');
  });
});
