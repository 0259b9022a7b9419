import { type Arrived, routesOf } from '../../src/inspector/activationRoute';
import type { Cohorts } from '../../src/model/cohorts';

const project = {
  platformCohorts: { dfp: [10_000_001], nativo: [7] },
  cohortCodes: { '10000001': 'bfin' },
  addons: {},
};
const cohorts: Cohorts = { members: ['10000001'], activations: {}, isRealtime: true };
const stored: Arrived = { readKey: (key) => (key === '_pdfps' ? ['bfin'] : null), googleCodes: ['bfin', 'rts'] };

const brokenAt = (given: Cohorts, arrived: Arrived): string | undefined =>
  routesOf('10000001', given, project, arrived)[0]?.steps.find(({ holds }) => holds === false)?.what;

describe('routesOf', () => {
  it('follows a cohort to each ad server that the project gives it to', () => {
    expect(routesOf('10000001', cohorts, project, stored)).toEqual([
      {
        platform: 'dfp',
        steps: [
          { what: 'the visitor is in cohort 10000001', holds: true },
          { what: 'it goes to dfp as bfin', holds: true },
          { what: '_pdfps holds bfin', holds: true },
          { what: 'Google’s key permutive has bfin', holds: true },
        ],
      },
    ]);
  });

  it('finds the broken link', () => {
    expect(brokenAt(cohorts, stored)).toBeUndefined();
    expect(brokenAt({ ...cohorts, members: [] }, stored)).toBe('the visitor is in cohort 10000001');
    expect(brokenAt(cohorts, { ...stored, readKey: () => null })).toBe('_pdfps holds bfin');
    expect(brokenAt(cohorts, { ...stored, googleCodes: [] })).toBe('Google’s key permutive has bfin');
  });

  it('says nothing of Google’s key on a page without its tag', () => {
    expect(brokenAt(cohorts, { ...stored, googleCodes: undefined })).toBeUndefined();
  });

  it('knows no way of a cohort that the project gives to nobody', () => {
    expect(routesOf('5', cohorts, project, stored)).toEqual([]);
  });
});
