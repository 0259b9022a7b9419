import { brokenLimits } from '../../scripts/measure/brokenLimits';
import { figuresOf, percentile } from '../../scripts/measure/figures';
import { cyclesOf, importedFile } from '../../scripts/measure/imports';
import { measureSource } from '../../scripts/measure/measureSource';
import { repeatedNames } from '../../scripts/measure/names';

const measured = (...lines: readonly string[]) => measureSource('src/a.tsx', lines.join('\n'));

describe('the lines of a source', () => {
  it('are code, comments, or neither', () => {
    const { codeLines, commentLines } = measured(
      "import { b } from './b';",
      '',
      '/**',
      ' * A comment.',
      ' */',
      'export const a = b; // with a comment behind it',
      '// Another.',
      'const url = `https://',
      '// no comment`;',
      '/* before */ const d = 1;',
      '/* The last. */',
    );
    expect([codeLines, commentLines]).toStrictEqual([5, 5]);
  });

  it('count no blank line of a template of elements', () => {
    expect(measured('const a = (', '  <p>', '', '    text', '  </p>', ');').codeLines).toBe(5);
  });

  it('are as long as their characters, comments included', () => {
    expect(measured('const a = 1;', '', '// four').lineLengths).toStrictEqual([12, 0, 7]);
  });
});

describe('the functions of a source', () => {
  it('have a name, and as many lines as hold code', () => {
    const { functions } = measured(
      'const outer = () => {',
      '  // A comment.',
      '',
      '  const inner = (): number => 1;',
      '  return [1].map((n) => n + inner());',
      '};',
      'function declared(): void;',
      'function declared(a?: number): void {}',
      'class A {',
      '  constructor() {}',
      '  get b() { return 1; }',
      '}',
      'const object = { c() {}, d: () => 1 };',
    );
    expect(functions.map(({ name, lines }) => `${name} ${lines}`)).toStrictEqual([
      'outer 4',
      'inner 1',
      '(anonymous) 1',
      'declared 1',
      'constructor 1',
      'b 1',
      'c 1',
      'd 1',
    ]);
  });
});

describe('the imports of a source', () => {
  it('are the modules that it names, each once', () => {
    const { modules } = measured(
      "import { a } from './a';",
      "import type { B } from './a';",
      "export { c } from './c';",
      "export type D = typeof import('./d');",
      "const load = () => import('./later');",
      "import 'rxjs';",
    );
    expect(modules).toStrictEqual(['./a', './c', './d', 'rxjs']);
  });

  it.each([
    ['./b', 'src/x/b.ts'],
    ['../y/c', 'src/y/c.tsx'],
    ['../z', 'src/z/index.ts'],
    ['rxjs', undefined],
    ['./missing', undefined],
  ])('find the file of %s', (module, file) => {
    const files = new Set(['src/x/b.ts', 'src/y/c.tsx', 'src/z/index.ts']);
    expect(importedFile('src/x/a.ts', module, files)).toBe(file);
  });

  it('may form cycles', () => {
    const importsOf = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', ['e']],
      ['e', []],
      ['f', ['f', 'a']],
    ]);
    expect(cyclesOf(importsOf).map((cycle) => [...cycle].sort())).toStrictEqual([['a', 'b', 'c']]);
  });
});

describe('the names of a source', () => {
  it('are those at its top, each once', () => {
    const { names } = measured(
      'export const Shape = 1;',
      'export type Shape = number;',
      'const { a, b: [c] } = { a: 1, b: [2] };',
      'interface I { d: number }',
      'function f() { const inner = 1; return inner; }',
      'class K {}',
    );
    expect(names).toStrictEqual(['Shape', 'a', 'c', 'I', 'f', 'K']);
  });

  it('are counted where they stand in several files', () => {
    expect(repeatedNames([['a', 'b', 'c'], ['b', 'c'], ['c'], ['d']])).toStrictEqual([
      ['c', 3],
      ['b', 2],
    ]);
  });
});

describe('the figures', () => {
  it.each([
    [0.5, 3],
    [0.95, 5],
    [0, 1],
    [1, 5],
  ])('have the percentile %d', (share, value) => {
    expect(percentile([5, 3, 1, 4, 2], share)).toBe(value);
    expect(percentile([], share)).toBe(0);
  });

  it('say what is too long, what repeats and what turns in a circle', () => {
    const long = Array.from({ length: 201 }, (_, i) => `  const x${i} = ${i};`);
    const figures = new Map(
      figuresOf([
        measureSource('src/runtime.ts', ["import { a } from './x/a';", '// Why.', 'const same = a;'].join('\n')),
        measureSource(
          'src/x/a.ts',
          [
            "import '../runtime';",
            'export const a = () => {',
            ...long,
            '};',
            `const same = '${'-'.repeat(120)}';`,
          ].join('\n'),
        ),
      ]),
    );
    expect(Object.fromEntries(figures)).toStrictEqual({
      files: '2, 1 at the root',
      'code lines': '207, a file: median 205, most 205',
      'files over 200 code lines': 'src/x/a.ts 205',
      functions: '1, lines: median 203, p95 203, most 203',
      'functions over 60 lines': 'a (src/x/a.ts) 203',
      imports: 'most: src/runtime.ts 1, src/x/a.ts 1; runtime.ts 1',
      'cycles, types included': 'src/runtime.ts ↔ src/x/a.ts',
      'names in two or more files': '1: same',
      'comment lines per code line': '0.00',
      'longest lines': 'src/x/a.ts 136, src/runtime.ts 26',
      'lines over 120': '1',
    });
  });
});

describe('the limits', () => {
  const named = (file: string, name: string) => measureSource(file, `const ${name} = 1;`);

  it('are kept by files that reach them', () => {
    const atLimit = Array.from({ length: 58 }, (_, i) => `  const x${i} = ${i};`);
    const filler = Array.from({ length: 140 }, (_, i) => `const y${i} = ${i};`);
    const source = measureSource('src/a.ts', ['const a = () => {', ...atLimit, '};', ...filler].join('\n'));
    const nouns = Array.from({ length: 30 }, (_, i) => named(`src/model/m${i}.ts`, `m${i}`));
    const twice = Array.from({ length: 60 }, (_, i) => [
      named(`src/b${i}.ts`, `n${i}`),
      named(`src/c${i}.ts`, `n${i}`),
    ]);
    expect(source).toMatchObject({ codeLines: 200, functions: [{ lines: 60 }] });
    expect(brokenLimits([source, ...nouns, ...twice.flat()])).toStrictEqual([]);
  });

  it('are each named where they are broken', () => {
    const lines = Array.from({ length: 201 }, (_, i) => `  const x${i} = ${i};`);
    const nouns = Array.from({ length: 32 }, (_, i) => named(`src/model/m${i}.ts`, `m${i}`));
    const twice = Array.from({ length: 61 }, (_, i) => [
      named(`src/b${i}.ts`, `n${i}`),
      named(`src/c${i}.ts`, `n${i}`),
    ]);
    expect(
      brokenLimits([
        measureSource('src/x/a.ts', ["import '../y';", 'export const a = () => {', ...lines, '};'].join('\n')),
        measureSource('src/y.ts', "import './x/a';"),
        ...nouns,
        ...twice.flat(),
      ]),
    ).toStrictEqual([
      'src/x/a.ts has 204 lines of code; the limit of a file is 200.',
      'The function a of src/x/a.ts has 203 lines; the limit of a function is 60.',
      'These files import each other: src/x/a.ts, src/y.ts.',
      '61 names are declared in two or more files; the limit is 60.',
      'src/model has 32 files; the limit is 31.',
    ]);
  });
});
