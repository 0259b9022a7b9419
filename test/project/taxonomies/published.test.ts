import { publishedTaxonomies } from '../../../project/taxonomies/published';
import { googleTaxonomies } from '../../../src/addons/adServer/taxonomies';

describe('published taxonomies', () => {
  it.each([
    ['4', 'Audience Taxonomy 1.1 of the IAB', 1558, ['Demographic', 'Interest', 'Purchase Intent']],
    ['6', 'Content Taxonomy 2.2 of the IAB', 1196, undefined],
    ['7', 'Content Taxonomy 3.0 of the IAB', 750, undefined],
  ])('taxonomy %s, the %s, has as many entries as are published, each with an id of its own', (...row) => {
    const [segtax, name, count, roots] = row;
    const taxonomy = publishedTaxonomies[segtax]!;
    expect(taxonomy.name).toBe(name);
    const ids = Object.values(taxonomy.ids);
    expect(ids).toHaveLength(count);
    expect(new Set(ids).size).toBe(count);
    expect(ids.filter((id) => !/^(?:\d{1,4}|[\dA-Za-z]{6})$/.test(id))).toEqual([]);
    const names = Object.keys(taxonomy.ids);
    expect(names.filter((each) => /[*|]|^ | $| {2}/.test(each))).toEqual([]);
    if (roots !== undefined) expect(names.filter((each) => !each.includes(' > '))).toEqual(roots);
  });

  // Rows as the IAB's own files have them, from their beginnings, middles and ends.
  it.each([
    ['4', '15', 'Demographic > Age Range > 75+'],
    ['4', '197', 'Demographic > Personal Finance > Personal Level Affluence Band > Super High Net Worth'],
    ['4', '206', 'Interest'],
    ['4', '279', 'Interest > Business and Finance > Business > Business Banking & Finance'],
    ['4', '1658', 'Purchase Intent > Travel and Tourism > Business Travel > Ride-sharing Services'],
    ['4', '1679', 'Purchase Intent > Web Services > Web Hosting and Cloud Computing'],
    ['6', '1', 'Automotive'],
    ['6', '64', 'Business and Finance > Business > Business Banking & Finance > Angel Investment'],
    ['6', '698', 'Video Gaming > Video Game Genres > Puzzle Video Games'],
    ['6', 'Rm3SiT', 'Sensitive Topics > Adult & Explicit Sexual Content'],
    ['6', 'bsr004', 'Brand Suitability and Risk > Low Risk'],
    ['6', '1133', 'Content Language > Māori'],
    ['6', '1477', 'Content Source Geo > Country > Zimbabwe'],
    ['7', '150', 'Attractions'],
    ['7', 'KHPC6A', 'Genres > Western'],
    ['7', '3927X6', 'Content Form Factor > Video > Show > Episodic Show'],
    ['7', 'VK7KD0', 'Video Gaming > Video Game Genres > Racing Video Games'],
    ['7', '389', 'War and Conflicts'],
  ])('taxonomy %s has the id %s for %s', (segtax, id, name) => {
    expect(publishedTaxonomies[segtax]?.ids[name]).toBe(id);
  });

  it('have all taxonomies that Google takes', () => {
    expect(Object.values(googleTaxonomies).filter((segtax) => publishedTaxonomies[segtax] === undefined)).toEqual([]);
  });
});
