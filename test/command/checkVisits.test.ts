import { called, definition, folderWith } from './support/called';

const pageview = (section: string) =>
  JSON.stringify({ name: 'Pageview', time: 1e12, properties: { article: { section } } });
const visits = (sections: readonly string[]): string => sections.map(pageview).join('\n');
const sections = (count: number, sport: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => (i < sport ? 'sport' : 'news'));
const project = definition({
  queries: [
    { id: '1', name: 'Sport', q: { event: 'Pageview', where: { p: 'article.section', eq: 'sport' }, is: { gte: 2 } } },
    {
      id: '2',
      name: 'Few',
      q: {
        event: 'Pageview',
        where: {
          not: {
            and: [
              { p: 'article.section', in: ['weather'] },
              { p: 'article.section', eq: 'sport' },
            ],
          },
        },
      },
    },
    { id: '3', name: 'Clicks', q: { event: 'Click', where: { p: 'article.section', eq: 'sport' } } },
  ],
});
const folder = (text: string) => folderWith({ 'a.json': project, 'visits.ndjson': text });

/** The paths and messages of the findings that the visits add. */
const added = async (text: string): Promise<readonly string[]> => {
  const { code, out } = await called(folder(text), 'check', 'a.json', '--visits', 'visits.ndjson', '--json');
  expect(code).toBe(0);
  return (JSON.parse(out) as readonly { readonly path: string; readonly message: string }[])
    .filter(({ message }) => message.includes('% of the page views'))
    .map(({ path, message }) => `${path}: ${message}`);
};

describe('check --visits', () => {
  it('warns of each test of page views that holds for more than 1 % of them, negated or not', async () => {
    const said = 'the test of article.section holds for 1.5 % of the page views';
    expect(await added(visits(sections(200, 3)))).toEqual([`queries/1: ${said}`, `queries/2: ${said}`]);
  });

  it.each([
    ['at 1 %', 200, 2],
    ['where there are fewer than 100 page views', 99, 50],
  ])('says nothing %s', async (_, count, sport) => {
    expect(await added(visits(sections(count, sport)))).toEqual([]);
  });

  it('says something from 100 page views on', async () => {
    expect(await added(visits(sections(100, 2)))).toHaveLength(2);
  });

  it('says so in words, and passes', async () => {
    const here = folder(visits(sections(100, 50)));
    const { code, err } = await called(here, 'check', 'a.json', '--visits', 'visits.ndjson');
    expect(code).toBe(0);
    expect(err).toContain(
      'queries/1: the test of article.section holds for 50.0 % of the page views; ask for something rarer',
    );
  });

  it('refuses a file that is not there', async () => {
    const { code, err } = await called(folder(''), 'check', 'a.json', '--visits', 'none.ndjson');
    expect([code, err]).toEqual([2, expect.stringContaining('there is no file none.ndjson')]);
  });
});
