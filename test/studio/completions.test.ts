import { completionsAt } from '../../studio/page/make/completions';

const known = {
  vocabulary: {
    events: [
      {
        name: 'LinkClick',
        count: 2,
        properties: [{ path: 'dest', types: ['string' as const], count: 2, values: ['x'] }],
      },
      {
        name: 'Pageview',
        count: 9,
        properties: [
          { path: 'article.section', types: ['string' as const], count: 9, values: ['sport', 'arts', 7, true] },
        ],
      },
    ],
  },
  cohorts: [{ id: '20101', name: 'Sport fans' }],
};

/** What is offered at the mark `|` of a text, and the text with the first of it taken. */
const at = (marked: string): { readonly labels: readonly string[]; readonly taken: string } => {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { from, to, options } = completionsAt(text, offset, known);
  return {
    labels: options.map(({ label }) => label),
    taken: text.slice(0, from) + (options[0]?.text ?? '') + text.slice(to),
  };
};

describe('Completions in the text', () => {
  test('have the fields of a definition that are not there yet', () => {
    expect(at('{ "id": "1", "|" }').labels).toEqual([
      'name',
      'tags',
      'q',
      'sub',
      'activations',
      'checksum',
      'canonical',
    ]);
  });

  test('have all conditions where none is written, and its fields where one is', () => {
    expect(at('{ "q": { "|" } }').labels).toEqual(expect.arrayContaining(['event', 'sequence', 'and', 'lookalike']));
    const { labels } = at('{ "q": { "event": "Pageview", "|" } }');
    expect(labels).toEqual(expect.arrayContaining(['where', 'within', 'sum']));
    expect(labels).not.toContain('event');
    expect(at('{ "q": { "and": [{ "event": "A", "is": { "|" } }] } }').labels).toContain('between');
    expect(at('{ "q": { "event": "A", "within": { "|" } } }').labels).toContain('days');
  });

  test('have the events that were recorded, in quotes that are there or not', () => {
    expect(at('{ "q": { "event": "|" } }').labels).toEqual(['LinkClick', 'Pageview']);
    expect(at('{ "q": { "event": "Pa|ge" } }').taken).toBe('{ "q": { "event": "LinkClick" } }');
    expect(at('{ "q": { "event": | } }').taken).toBe('{ "q": { "event": "LinkClick" } }');
    expect(at('{ "q": { "event": ["Buy", "|"] } }').labels).toEqual(['LinkClick', 'Pageview']);
    expect(at('{ "q": { "sequence": [{ "event": "|" }] } }').labels).toEqual(['LinkClick', 'Pageview']);
  });

  test('have the paths of the event that is counted first, and the values at the path', () => {
    expect(at('{ "q": { "event": "Pageview", "where": { "p": "|" } } }').labels).toEqual(['article.section', 'dest']);
    expect(at('{ "q": { "event": "LinkClick", "where": { "p": "|" } } }').labels).toEqual(['dest', 'article.section']);
    expect(at('{ "q": { "event": "Pageview", "where": { "p": "article.section", "in": ["|"] } } }').labels).toEqual([
      'sport',
      'arts',
      '7',
    ]);
    expect(at('{ "q": { "event": "Pageview", "where": { "p": "article.section", "eq": "|" } } }').labels).toContain(
      'arts',
    );
  });

  test('have cohorts, choices, flags and whole conditions', () => {
    expect(at('{ "q": { "cohort": "|" } }').labels).toEqual(['20101']);
    expect(at('{ "activations": { "dfp": { "trigger": "|" } } }').labels).toEqual(['EveryTime', 'OnEntry', 'OnExit']);
    expect(at('{ "q": { "event": "A", "where": { "p": "a", "exists": | } } }').labels).toEqual(['true', 'false']);
    expect(JSON.parse(at('{ "q": | }').taken)).toHaveProperty('q.event');
  });

  test('are none where nothing is known, and never throw', () => {
    expect(at('{ "id": "|" }').labels).toEqual([]);
    for (const text of ['|', '[|]', '{"q": 7, "|"}', '{"q": {"event": "A", "x": {"|"}}}', '"|', '{|']) at(text);
  });
});
