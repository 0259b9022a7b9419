import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import ts from 'typescript';

import { changedText, FixedCohort, type ReadSource } from '../../../studio/server/edit/changedText';
import { jsonSource } from '../../../studio/server/edit/jsonSource';
import { moduleSource } from '../../../studio/server/edit/moduleSource';
import { printed, type Style } from '../../../studio/server/edit/style';
import { queries } from '../../engine/support/language';
import { lawOf } from '../../support/laws';

type Cohort = Readonly<Record<string, unknown>> & { readonly id: string };

const readModule: ReadSource = (text) => moduleSource(ts, 'project.ts', text);

/** The value of a module that has only literals. */
const moduleValue = (text: string): { readonly queries: readonly Cohort[] } => {
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  const exports: { default?: unknown } = {};
  runInNewContext(outputText, { exports });
  return JSON.parse(JSON.stringify(exports.default)) as { readonly queries: readonly Cohort[] };
};

const cohorts = (ids: readonly string[]): fc.Arbitrary<readonly Cohort[]> =>
  fc
    .tuple(...ids.map(() => queries({})))
    .map((lists) =>
      ids.map((id, i) => JSON.parse(JSON.stringify({ name: `It's "${id}"`, ...lists[i]![0], id })) as Cohort),
    );

/** A file in one of the forms in which people write them, and how it is read. */
interface Form {
  readonly name: string;
  readonly text: (all: readonly Cohort[]) => string;
  readonly read: ReadSource;
  readonly value: (text: string) => { readonly queries: readonly Cohort[] };
}
const jsonForm = (name: string, indent: number | string | undefined, newLine = '\n'): Form => ({
  name,
  text: (all) =>
    `${JSON.stringify({ workspaceId: 'w', queries: all, addons: { web: {} } }, null, indent)}\n`.replaceAll(
      '\n',
      newLine,
    ),
  read: jsonSource,
  value: (text) => JSON.parse(text) as { readonly queries: readonly Cohort[] },
});
const style: Style = {
  unit: '  ',
  newLine: '\n',
  quote: "'",
  hasPlainKeys: true,
  hasLastComma: true,
  onOneLine: 'short',
};
const moduleForm: Form = {
  name: 'TypeScript',
  text: (all) =>
    [
      "import type { Project } from 'permutive-web-sdk/project';",
      '',
      '/** The cohorts of the paper. */',
      'export default {',
      "  workspaceId: 'w',",
      '  queries: [',
      ...all.flatMap((cohort, i) => [
        `    // Cohort number ${i}, {of} [many].`,
        `    ${printed(cohort, style, '    ')},${i % 2 ? ' // kept' : ''}`,
      ]),
      '  ],',
      '  addons: { web: {} },',
      '} satisfies Project;',
      '',
    ].join('\n'),
  read: readModule,
  value: moduleValue,
};
const forms = [
  jsonForm('JSON, two spaces', 2),
  jsonForm('JSON, four spaces', 4),
  jsonForm('JSON, tabs and CRLF', '\t', '\r\n'),
  jsonForm('JSON on one line', undefined),
  moduleForm,
];

describe.each(forms)('a change in $name', ({ text, read, value }) => {
  it(
    'gives the wanted definition, and no other cohort changes',
    lawOf(20)(cohorts(['a', 'b', 'c']), cohorts(['b']), fc.nat(2), ([a, b, c], [other], at) => {
      const all = [a!, b!, c!];
      const to = { ...other!, id: all[at]!.id };
      const changed = changedText(text(all), read, { from: all[at]!, to });
      expect(value(changed).queries).toEqual(all.map((cohort, i) => (i === at ? to : cohort)));
    }),
  );

  it(
    'leaves all bytes before and behind the cohort',
    lawOf(20)(cohorts(['a', 'b', 'c']), cohorts(['b']), ([a, b, c], [to]) => {
      const before = text([a!, b!, c!]);
      const after = changedText(before, read, { from: b!, to: to! });
      const place = read(before)!.placeOf(b!);
      if (place.type === 'fixed') throw new Error(place.reason);
      expect(after.slice(0, place.literal.start)).toBe(before.slice(0, place.literal.start));
      const rest = before.slice(place.literal.end);
      expect(after.slice(after.length - rest.length)).toBe(rest);
    }),
  );

  it(
    'is undone to the same bytes',
    lawOf(20)(cohorts(['a', 'b', 'c']), fc.string({ minLength: 1 }), ([a, b, c], name) => {
      const before = text([a!, b!, c!]);
      for (const to of [
        { ...b!, name },
        { ...b!, tags: [name, 'x'] },
        { ...b!, q: { and: [b!['q'], { event: name }] } },
        Object.fromEntries(Object.entries(b!).filter(([key]) => key !== 'name')),
      ] as unknown as readonly Cohort[])
        expect(changedText(changedText(before, read, { from: b!, to }), read, { from: to, to: b! })).toBe(before);
    }),
  );

  it(
    'adds behind the last cohort, and removes without a trace',
    lawOf(20)(cohorts(['a', 'b', 'c']), ([a, b, c]) => {
      for (const all of [[], [a!], [a!, b!]]) {
        const before = text(all);
        const more = changedText(before, read, { from: undefined, to: c! });
        expect(value(more).queries).toEqual([...all, c]);
        if (all.length > 0) expect(changedText(more, read, { from: c!, to: undefined })).toBe(before);
      }
      const without = changedText(text([a!, b!, c!]), read, { from: b!, to: undefined });
      expect(value(without).queries).toEqual([a, c]);
    }),
  );
});

describe('a module', () => {
  const text = `import { reads } from './helpers';
const sport = { id: 'sport', q: { event: 'Pageview' } } as const; // stays
const queries = [
  sport,
  // The second one.
  { id: "two", name: 'Two', q: reads('x') },

  /* Of its own. */
  { id: 'three', q: { event: 'Pageview', is: { gte: 3 } } }, // three times
  ...others,
];
export default defineProject({ workspaceId: 'w', queries });
`;
  const source = moduleSource(ts, 'project.ts', text);

  it('says why a cohort is fixed, and where', () => {
    const two = source.placeOf({ id: 'two' });
    expect(two).toMatchObject({ type: 'fixed', reason: expect.stringMatching(/`reads\('x'\)`.*line 6/) as string });
    expect(source.placeOf({ id: 'four' })).toMatchObject({ type: 'fixed', at: undefined });
    const changed = { id: 'three', q: { event: 'Pageview', is: { gte: 4 } } };
    expect(source.placeOf(changed)).toMatchObject({
      type: 'fixed',
      reason: expect.stringContaining('Code changes') as string,
    });
  });

  it('is changed where a cohort stands under a name, and not removed there', () => {
    const from = { id: 'sport', q: { event: 'Pageview' } };
    expect(changedText(text, readModule, { from, to: { ...from, q: { event: 'Login' } } })).toBe(
      text.replace("event: 'Pageview' } } as", "event: 'Login' } } as"),
    );
    expect(() => changedText(text, readModule, { from, to: undefined })).toThrow(FixedCohort);
  });

  it('loses a cohort with its own comments, and gets one behind what is spread', () => {
    const from = { id: 'three', q: { event: 'Pageview', is: { gte: 3 } } };
    expect(changedText(text, readModule, { from, to: undefined })).toBe(
      text.replace(/ {2}\/\* Of its own[^]*three times\n/, ''),
    );
    expect(changedText(text, readModule, { from: undefined, to: { id: 'n', q: { const: true } } })).toBe(
      text.replace('  ...others,\n', "  ...others,\n  { id: 'n', q: { const: true } },\n"),
    );
  });
});
