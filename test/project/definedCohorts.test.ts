import { writeSampleProject } from '../../demo/project/write';
import { definedCohorts } from '../../project/definedCohorts';
import type { BuildProject } from '../../project/readProject';
import { readProject } from '../../project/readProject';
import { readAs } from '../../src/codecs/codecs';
import { DefinedCohorts } from '../../src/model/definedCohorts';

const project = (cohortNames: Readonly<Record<string, string>>): BuildProject => {
  const read = readProject(writeSampleProject());
  return {
    ...read,
    page: { ...read.page, cohortNames },
    definitions: [
      { id: '1', name: 'Readers', q: { event: 'Pageview' } },
      {
        id: '2',
        q: {
          and: [
            { thirdParty: { provider: 'acme', in: ['1'] } },
            { or: [{ lookup: 'geo', where: { p: 'country', eq: 'fr' } }, { sub: 1 }] },
          ],
        },
        sub: [{ lookalike: { model: 'm', gte: 0.5 } }],
      },
    ],
  };
};

describe('definedCohorts', () => {
  it('has the names of queries and of other cohorts, and what queries read', () => {
    expect(definedCohorts(project({ '2': 'Savers', 'ADV-1': 'Bank' }), true)).toEqual({
      '1': { name: 'Readers', reads: [] },
      '2': { name: 'Savers', reads: ['thirdParty', 'geo', 'lookalike'] },
      'ADV-1': { name: 'Bank' },
    });
  });

  it('has no names where they are not wanted', () => {
    const cohorts = definedCohorts(project({ '2': 'Savers', 'ADV-1': 'Bank' }), false);
    expect(JSON.stringify(cohorts)).not.toMatch(/Readers|Savers|Bank/);
    expect(cohorts).toMatchObject({ '2': { reads: ['thirdParty', 'geo', 'lookalike'] }, 'ADV-1': {} });
  });

  it('names all cohorts of the sample, in a form that the inspector reads', () => {
    const sample = readProject(writeSampleProject());
    const cohorts = definedCohorts(sample, true);
    expect(readAs(DefinedCohorts, cohorts)).toBe(cohorts);
    expect(Object.entries(cohorts).filter(([, { name }]) => name === undefined)).toEqual([]);
    // The standard audiences that no query finds, and those whose query is on the server.
    expect(cohorts['10000037']).toEqual({ name: 'Travel' });
    expect(cohorts['21101']?.reads).toBeUndefined();
  });
});
