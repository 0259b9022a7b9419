import { publishedTaxonomies } from '../../project/taxonomies/published';
import { findEntries, searchable, taxonomyHelp, taxonomyName } from '../../studio/page/buyers/findEntries';
import { buyersFindings, queryFindings } from '../../studio/page/state/cohortFindings';
import { memoryServer } from './support/memoryServer';

const namesOf = (segtax: number, wanted: string, limit = 20): readonly string[] =>
  findEntries(segtax, wanted, limit).entries.map(({ name }) => name);

describe('a search of entries', () => {
  it('finds all words of a name, and those first whose own names have them', () => {
    expect(namesOf(4, 'tennis')).toEqual([
      'Interest > Sports > Tennis',
      'Purchase Intent > Sporting Goods > Athletics Equipment > Tennis Equipment',
      'Interest > Sports > Table Tennis',
    ]);
    expect(namesOf(4, '  TENNIS   sports ')).toEqual([
      'Interest > Sports > Table Tennis',
      'Interest > Sports > Tennis',
    ]);
    expect(namesOf(6, 'books comic', 1)).toEqual(['Hobbies & Interests > Collecting > Comic Books']);
    expect(namesOf(4, 'sports', 1)).toEqual(['Interest > Sports']);
    expect(namesOf(4, 'tennis golf')).toEqual([]);
  });

  it('finds an id before everything', () => {
    expect(findEntries(4, '607', 20).entries[0]).toEqual({ segtax: 4, id: '607', name: 'Interest > Sports' });
    const [[name, id] = ['', '']] = Object.entries(publishedTaxonomies[7]!.ids).filter(([, each]) =>
      /[A-Z]/.test(each),
    );
    expect(namesOf(7, id.toLowerCase())).toEqual([name]);
  });

  it('shows at most so many, and says how many more there are', () => {
    const { entries, others } = findEntries(4, 'sports', 3);
    expect(entries).toHaveLength(3);
    expect(findEntries(4, 'sports', 3 + others)).toMatchObject({ others: 0 });
    expect(findEntries(4, 'sports', 3 + others).entries).toHaveLength(3 + others);
  });

  it('finds nothing without words, and nothing in a taxonomy that is not known', () => {
    for (const wanted of ['', '  ']) expect(findEntries(4, wanted, 20)).toEqual({ entries: [], others: 0 });
    expect(findEntries(600, 'sports', 20)).toEqual({ entries: [], others: 0 });
  });
});

it('says of each taxonomy what it is about, and who is told', () => {
  expect(searchable.map((segtax) => [taxonomyName(segtax), taxonomyHelp(segtax)])).toEqual([
    [
      'Audience Taxonomy 1.1 of the IAB',
      'Its entries say who the visitor is. Told to: bidders of Prebid and Google’s tag.',
    ],
    [
      'Content Taxonomy 2.2 of the IAB',
      'Its entries say what the page is about. Told to: bidders of Prebid and Google’s tag.',
    ],
    [
      'Content Taxonomy 3.0 of the IAB',
      'Its entries say what the page is about. Told to: bidders of Prebid; Google’s tag does not take this taxonomy.',
    ],
  ]);
  expect(taxonomyName(600)).toBe('Taxonomy 600');
});

it('takes the findings of a cohort from its query and from both tables of entries', () => {
  const findings = [
    'queries/1/q',
    'queries/1',
    'queries/11',
    'taxonomies/1/0/id',
    'taxonomies/11',
    'pps/IAB_AUDIENCE_1_1/1',
    'pps/IAB_AUDIENCE_1_1/11',
    'pps/IAB_AUDIENCE_1_1',
    'addons/taxonomies/1',
  ].map((path) => ({ path, severity: 'warning' as const, message: '', fix: '' }));
  const project = { ...memoryServer([]).project(), findings };
  expect(queryFindings(project, '1').map(({ path }) => path)).toEqual(['queries/1/q', 'queries/1']);
  expect(buyersFindings(project, '1').map(({ path }) => path)).toEqual(['taxonomies/1/0/id', 'pps/IAB_AUDIENCE_1_1/1']);
});
