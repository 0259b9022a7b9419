import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import ts from 'typescript';

import { taxonomyEntry } from '../../../project/define/define';
import { publishedName, publishedTaxonomies, type TaxonomyEntry } from '../../../project/taxonomies/published';
import { changedEntries, entriesPlace } from '../../../studio/server/edit/changedEntries';
import { FixedCohort, type ReadSource } from '../../../studio/server/edit/changedText';
import { jsonSource } from '../../../studio/server/edit/jsonSource';
import { moduleSource } from '../../../studio/server/edit/moduleSource';
import { lawOf } from '../../support/laws';

type Taxonomies = Readonly<Record<string, readonly TaxonomyEntry[]>>;
interface Read {
  readonly queries: readonly unknown[];
  readonly taxonomies?: Taxonomies;
}

const readModule: ReadSource = (text) => moduleSource(ts, 'project.ts', text);

/** The default export of a module that imports at most `taxonomyEntry`. */
const moduleValue = (text: string): Read => {
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  const exports: { default?: unknown } = {};
  runInNewContext(outputText, { exports, require: () => ({ taxonomyEntry }) });
  return JSON.parse(JSON.stringify(exports.default)) as Read;
};

/** A file in one of the forms in which people write them, and how it is read. */
interface Form {
  readonly name: string;
  /** Undefined: the file has no `taxonomies`. */
  readonly text: (taxonomies: Taxonomies | undefined) => string;
  readonly read: ReadSource;
  readonly value: (text: string) => Read;
}

const queries = [{ id: 'a', q: { event: 'Pageview' } }];
const jsonForm = (name: string, indent: number | string | undefined, newLine = '\n'): Form => ({
  name,
  text: (taxonomies) =>
    `${JSON.stringify({ queries, ...(taxonomies && { taxonomies }), addons: {} }, null, indent)}\n`.replaceAll(
      '\n',
      newLine,
    ),
  read: jsonSource,
  value: (text) => JSON.parse(text) as Read,
});

const moduleForm = (name: string, entryText: (entry: TaxonomyEntry) => string): Form => ({
  name,
  text: (taxonomies) =>
    [
      "import { taxonomyEntry as entry } from 'permutive-web-sdk/project';",
      '',
      'export default {',
      "  queries: [{ id: 'a', q: { event: 'Pageview' } }],",
      ...(taxonomies === undefined
        ? []
        : [
            '  // What buyers read.',
            '  taxonomies: {',
            ...Object.entries(taxonomies).map(
              ([id, entries]) => `    '${id}': [${entries.map(entryText).join(', ')}], // of ${id}`,
            ),
            '  },',
          ]),
      '  addons: {},',
      '};',
      '',
    ].join('\n'),
  read: readModule,
  value: moduleValue,
});
const literalText = ({ segtax, id }: TaxonomyEntry): string => `{ segtax: ${segtax}, id: '${id}' }`;
const callText = (entry: TaxonomyEntry): string => {
  const name = publishedName(entry);
  if (name === undefined) return literalText(entry);
  const quoted = name.includes("'") ? JSON.stringify(name) : `'${name}'`;
  return `entry(${entry.segtax}, ${quoted})`;
};

const forms: readonly Form[] = [
  jsonForm('JSON, two spaces', 2),
  jsonForm('JSON, tabs and CRLF', '\t', '\r\n'),
  jsonForm('JSON on one line', undefined),
  moduleForm('TypeScript with objects', literalText),
  moduleForm('TypeScript with calls', callText),
];

const published = Object.entries(publishedTaxonomies).flatMap(([segtax, { ids }]) =>
  Object.values(ids).map((id): TaxonomyEntry => ({ segtax: Number(segtax), id })),
);
const entry: fc.Arbitrary<TaxonomyEntry> = fc.oneof(
  fc.constantFrom(...published),
  fc.constantFrom({ segtax: 500, id: 'x1' }, { segtax: 510, id: 'y-2' }),
);
const entries = fc.uniqueArray(entry, { minLength: 1, maxLength: 4, selector: ({ segtax, id }) => `${segtax}:${id}` });
const taxonomies: fc.Arbitrary<Taxonomies> = fc.dictionary(fc.constantFrom('a', 'b', '20101'), entries, {
  noNullPrototype: true,
});
const cohort = fc.constantFrom('a', '20101', 'c-3');

describe.each(forms)('a change in $name', ({ text, read, value }) => {
  it(
    'gives the cohort the wanted entries, and no other one is changed',
    lawOf(60)(
      fc.option(taxonomies, { nil: undefined }),
      cohort,
      fc.oneof(entries, fc.constant([])),
      (before, id, to) => {
        const after = changedEntries(text(before), read, before, { id, to });
        if (to.length === 0 && before?.[id] === undefined) expect(after).toBe(text(before));
        const changed = value(after);
        const { [id]: own, ...others } = changed.taxonomies ?? {};
        expect([own ?? [], changed.queries]).toEqual([to, queries]);
        expect(others).toEqual(Object.fromEntries(Object.entries(before ?? {}).filter(([key]) => key !== id)));
      },
    ),
  );

  it(
    'is undone to the same bytes',
    lawOf(60)(taxonomies, cohort, entry, (before, id, more) => {
      fc.pre(Object.keys(before).length > 0);
      const from = before[id] ?? [];
      fc.pre(!from.some(({ segtax, id: known }) => segtax === more.segtax && known === more.id));
      const there = changedEntries(text(before), read, before, { id, to: [...from, more] });
      const now = value(there).taxonomies;
      expect(there).not.toBe(text(before));
      expect(changedEntries(there, read, now, { id, to: from })).toBe(text(before));
    }),
  );
});

const moduleOf = (definition: string, imports = ''): string => `${imports}export default ${definition};\n`;
const place = (text: string, id: string, loaded: Taxonomies | undefined) => entriesPlace(readModule(text)!, id, loaded);
const sport: TaxonomyEntry = { segtax: 4, id: '607' };
const withSport = { a: [sport] };

describe('the entries of a cohort in a module', () => {
  const importsEntry = "import { taxonomyEntry } from 'permutive-web-sdk/project';\n";

  it('are written by the call that the module has for them, by their names', () => {
    const text = moduleOf("{ queries, taxonomies: { a: [taxonomyEntry(4, 'Interest > Sports')] } }", importsEntry);
    const noted = { segtax: 4, id: '669', note: 'for the spring' };
    const to = [sport, { segtax: 6, id: '483' }, { segtax: 600, id: 'x' }, noted];
    expect(changedEntries(text, readModule, withSport, { id: 'a', to })).toBe(
      text.replace(
        "Sports')]",
        "Sports'), taxonomyEntry(6, 'Sports'), { segtax: 600, id: 'x' }, { segtax: 4, id: '669', note: 'for the spring' }]",
      ),
    );
  });

  it('are written as objects where the module has no such call', () => {
    const text = moduleOf('{\n  queries,\n}');
    expect(changedEntries(text, readModule, undefined, { id: 'a', to: [sport] })).toBe(
      moduleOf("{\n  queries,\n  taxonomies: { a: [{ segtax: 4, id: '607' }] },\n}"),
    );
  });

  it('may stand under a name, beside others that code makes', () => {
    const text = `const taxonomies = { ...shared, b: all(), a: [{ segtax: 4, id: '607' }] };\n${moduleOf('{ queries, taxonomies }')}`;
    const loaded = { ...withSport, b: [sport] };
    expect(changedEntries(text, readModule, loaded, { id: 'a', to: [] })).toBe(
      text.replace(", a: [{ segtax: 4, id: '607' }]", ''),
    );
    expect(place(text, 'b', loaded)).toEqual({
      type: 'fixed',
      reason: 'Code makes these entries: `all()` stands on line 1.',
    });
    expect(place(text, 'c', { ...loaded, c: [sport] })).toEqual({
      type: 'fixed',
      reason: 'Code makes these entries: `taxonomies` of the file has no key c.',
    });
    expect(place(text, 'a', { a: [] })).toEqual({
      type: 'fixed',
      reason: 'Code changes these entries after line 1.',
    });
  });

  it.each([
    ['is made elsewhere', '{ queries, taxonomies: made() }', undefined, 'no object `taxonomies` that can be read'],
    ['is imported', '{ queries, taxonomies }', withSport, 'no object `taxonomies` that can be read'],
    ['comes with others', '{ queries, ...base }', withSport, 'does not have it beside `queries`'],
    ['has no definition', 'defined', undefined, 'no object `taxonomies` that can be read'],
  ])('are fixed where the table %s', (_, definition, loaded, reason) => {
    const text = moduleOf(definition);
    expect(place(text, 'a', loaded)).toEqual({ type: 'fixed', reason: expect.stringContaining(reason) as string });
    expect(() => changedEntries(text, readModule, loaded, { id: 'a', to: [] })).toThrow(FixedCohort);
  });

  it.each([
    ['of another function', "taxonomyEntries(4, 'Interest > Sports')"],
    ['of an unknown entry', "taxonomyEntry(4, 'Sports')"],
    ['of an unknown taxonomy', "taxonomyEntry(5, 'Sports')"],
    ['with code', 'taxonomyEntry(4, name)'],
  ])('are fixed where a call is one %s', (_, call) => {
    const text = moduleOf(`{ queries, taxonomies: { a: [${call}] } }`, importsEntry);
    expect(place(text, 'a', withSport)).toEqual({
      type: 'fixed',
      reason: `Code makes these entries: \`${call}\` stands on line 2.`,
    });
  });
});

it('is fixed in JSON where the table is no object', () => {
  const source = jsonSource('{ "queries": [], "taxonomies": [] }')!;
  expect(entriesPlace(source, 'a', undefined).type).toBe('fixed');
});
