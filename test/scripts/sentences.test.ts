import { proseOfPage, proseOfSource } from '../../scripts/sentences/prose';
import { riddlesOf, sentencesOf } from '../../scripts/sentences/riddles';

const glossary = new Set(['cohort', 'draft']);
const whyOf = (text: string): readonly string[] => riddlesOf({ text, line: 1 }, glossary).map(({ why }) => why);

describe('riddlesOf', () => {
  it.each([
    'It ends with the visit.',
    'They are sent once.',
    'Its codes are stored.',
    'This is a stream.',
    'That of other hosts stays.',
    'Those which the page has are sent.',
    'Both can be in the list.',
    'And it serves the page.',
  ])('finds a pronoun at the beginning of «%s»', (text) => {
    expect(whyOf(text)).toEqual(['begins with a pronoun']);
  });

  it.each(['One that has failed is not in it.', 'What was told stays told.', 'Sends them.'])(
    'finds no noun in «%s»',
    (text) => {
      expect(whyOf(text)).toEqual(['has no noun of the glossary']);
    },
  );

  it.each([
    'This chunk loads late.',
    'Both lists have an end.',
    'Cohorts are told apart.',
    'What `told` means.',
    'Safari asks nobody, and Firefox too.',
    'Hot.',
    'Ms since 1970.',
    'Never throws.',
    '50 + 100',
  ])('takes «%s»', (text) => {
    expect(whyOf(text)).toEqual([]);
  });

  it('names the line of the paragraph', () => {
    expect(riddlesOf({ text: 'A draft. It ends.', line: 7 }, glossary)).toEqual([
      { sentence: 'It ends.', line: 7, why: 'begins with a pronoun' },
    ]);
  });
});

it('ends a sentence at a full stop before a capital, and at none in code or an abbreviation', () => {
  expect(sentencesOf('A page (spec C§4). See `a. B`, e.g. this. «It» is a word.')).toEqual([
    'A page (spec C§4).',
    'See `a. B`, e.g. this.',
    '«It» is a word.',
  ]);
});

describe('prose', () => {
  it('is the paragraphs and items of a page, without code, tables, headings and comments', () => {
    const page = '# It\n\na\nb\n- c\n  d\n- e\n\n```\nIt\n```\n| It |\n<!-- It -->\nf';
    expect(proseOfPage(page)).toEqual([
      { text: 'a b', line: 3 },
      { text: 'c d', line: 5 },
      { text: 'e', line: 7 },
      { text: 'f', line: 14 },
    ]);
  });

  it('is the comments of a source, without code and diagrams', () => {
    const source = [
      '/**',
      ' * a',
      ' * b',
      ' *',
      ' *     It: --a',
      ' */',
      "const text = '// It';",
      '// c',
      '// d',
      'const regex = /[/*]/; // e',
    ].join('\n');
    expect(proseOfSource('a.ts', source)).toEqual([
      { text: 'a b', line: 2 },
      { text: 'c d', line: 8 },
      { text: 'e', line: 10 },
    ]);
  });
});
