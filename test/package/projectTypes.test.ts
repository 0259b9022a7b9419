import { projectModule, projectTypes, type TypedProject } from '../../project/projectTypes';
import { faultsOf } from './support/consumer';

const queries: TypedProject['queries'] = [
  { id: '20101', name: 'Markets readers', q: { event: 'Pageview', where: { p: 'article.section', eq: 'markets' } } },
  {
    id: '20102',
    name: 'Buyers */ of "much"',
    q: { sub: 1 },
    sub: [
      {
        and: [
          { event: 'Purchase', sum: 'amount', is: { gte: 100 }, where: { p: 'lines', any: { p: 'gift', is: true } } },
          { not: { last: { event: ['Purchase', 'Refund-of'] }, is: { p: 'shop', startsWith: ['north'] } } },
          { match: [{ sequence: [{ event: 'Login' }, { event: 'Logout', where: { p: 'after-s', gt: 3 } }] }] },
        ],
      },
    ],
  },
  { id: '20103', name: 'Sports', q: { event: 'Goal' } },
  { id: '20104', name: 'Two of them', q: { event: 'Goal' } },
  { id: '20105', name: 'Two of them', q: { event: 'Goal' } },
  { id: 'b0f4c6c2-5a0e-4a1f-9d63-6a1a5b0f7e21', q: { or: [{ lookup: 'geo', where: { p: 'country', eq: 'GB' } }] } },
];
const project: TypedProject = {
  queries,
  cohorts: {
    ...Object.fromEntries(queries.map(({ id, name }) => [id, { ...(name !== undefined && { name }) }])),
    '10000001': {},
    abc: { name: 'Copper buyers' },
  },
};

const right = [
  `void permutive.segment('20101');`,
  `void permutive.segment(20101);`,
  `void window.permutive.segment('10000001');`,
  `void permutive.segment('b0f4c6c2-5a0e-4a1f-9d63-6a1a5b0f7e21');`,
  `void permutive.segment('Markets readers');`,
  `permutive.query('Buyers */ of "much"', 'result', ({ result }) => result);`,
  `void permutive.segment(cohorts['Markets readers']);`,
  `void permutive.segment(cohorts['Sports']);`,
  `void permutive.segment('Copper buyers');`,
  `permutive.trigger(cohorts['Buyers */ of "much"'], 'result', ({ result }) => result);`,
  `void permutive.track('Purchase', { amount: 12, lines: [{ gift: true }, { gift: false }], colour: 'red' });`,
  `void permutive.track('Logout', { 'after-s': 4 });`,
  `void permutive.track('Refund-of');`,
];
const wrong: readonly (readonly [page: string, fault: string])[] = [
  [`void permutive.segment('20109');`, '"20109"'],
  [`void permutive.segment(20109);`, '20109'],
  [`void permutive.segment('Market readers');`, '"Market readers"'],
  [`permutive.trigger('Market readers', 'result', () => undefined);`, '"Market readers"'],
  [`void permutive.segment('Sports');`, '"Sports"'],
  [`void permutive.segment('Two of them');`, '"Two of them"'],
  [`void permutive.segment(cohorts['Market readers']);`, 'Market readers'],
  [`void permutive.track('Purchased');`, '"Purchased"'],
  [`void permutive.track('Purchase', { amount: '12' });`, "'string' is not assignable"],
  [`void permutive.track('Purchase', { lines: [{ gift: 'yes' }] });`, "'{ gift: string; }[]' is not assignable"],
];

describe('the types of a project', () => {
  const pages = [...right, ...wrong.map(([page]) => page)];
  const nameOf = (page: string): string => `page${pages.indexOf(page)}.ts`;
  let faults: Readonly<Record<string, string>> = {};
  beforeAll(() => {
    faults = faultsOf({
      'permutive.d.ts': projectTypes(project),
      ...Object.fromEntries(
        pages.map((page) => [nameOf(page), `import { cohorts } from './permutive.js';\nexport { cohorts };\n${page}`]),
      ),
    });
  });

  it('are right themselves', () => {
    expect([faults['package'], faults['permutive.d.ts']]).toEqual([undefined, undefined]);
  });

  it.each(right)('let compile %s', (page) => {
    expect(faults[nameOf(page)]).toBeUndefined();
  });

  it.each(wrong)('do not let compile %s', (page, fault) => {
    expect(faults[nameOf(page)]).toContain(fault);
  });
});

it('has a module with the ids', () => {
  const text = projectModule(project).replace(/^[\s\S]*?= |;\s*$/g, '');
  expect(JSON.parse(text)).toEqual({
    'Markets readers': '20101',
    'Buyers */ of "much"': '20102',
    Sports: '20103',
    'Two of them': '20104',
    'Copper buyers': 'abc',
  });
});
