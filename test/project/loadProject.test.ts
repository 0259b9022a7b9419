import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import type { ProjectFinding } from '../../project/check/finding';
import { projectDefinition } from '../support/project';

const folder = mkdtempSync(join(tmpdir(), 'load-project-'));
afterAll(() => rmSync(folder, { recursive: true }));

const root = resolve(__dirname, '../..');
const query = { id: '7', q: { event: 'Pageview' } };
const text = JSON.stringify({ ...projectDefinition, queries: [query] });

/** What loading has answered of each file: the ids of its queries, or its findings. */
type Loaded = { readonly ids: readonly string[] } | { readonly findings: readonly ProjectFinding[] };

/** Loads files in a process of its own, because the test runner has imports of its own. */
const load = (files: readonly string[]): readonly Loaded[] => {
  const program = `
    import { writeFileSync } from 'node:fs';
    import { loadProject } from ${JSON.stringify(join(root, 'project/loadProject.ts'))};
    const answers = [];
    for (const file of ${JSON.stringify(files)})
      answers.push(
        await loadProject(file).then(
          ({ bundle }) => ({ ids: bundle.queries.map(({ id }) => id) }),
          ({ findings, stack }) => ({ findings: findings ?? stack }),
        ),
      );
    process.stdout.write(JSON.stringify(answers));`;
  const script = join(folder, 'load.mts');
  writeFileSync(script, program);
  return JSON.parse(
    execFileSync(process.execPath, ['--import', 'tsx', script], { cwd: root, encoding: 'utf8' }),
  ) as Loaded[];
};

const fix = 'write a text, a number, true, false, null, a list or a table';
const cases: readonly (readonly [name: string, source: string, answer: Loaded | RegExp])[] = [
  ['good.json', text, { ids: ['7'] }],
  [
    'good.ts',
    `const id: string = '7';\nexport default {...${text}, queries: [{ id, q: { event: 'A' } }]};`,
    { ids: ['7'] },
  ],
  ['parts.ts', `import { made } from './part';\nexport default made;`, { ids: ['7'] }],
  ['good.mts', `export default ${text} satisfies object;`, { ids: ['7'] }],
  ['good.mjs', `export default ${text};`, { ids: ['7'] }],
  ['good.js', `export default ${text};`, { ids: ['7'] }],
  ['undefined.mjs', `export default {...${text}, pps: undefined};`, { ids: ['7'] }],
  ['none.ts', 'export const definition = {};', /^: the module has no default export; write `export default/],
  ['throws.ts', 'throw new Error("no such list\\nat line 3");', /^: the module throws: no such list; /],
  ['broken.ts', 'export default {', /^: the module throws: .*; see that the file runs by itself$/],
  [
    'function.mjs',
    `export default {...${text}, queries: [() => 7]};`,
    RegExp(`^queries/0: a function cannot stand in a definition; ${fix}$`),
  ],
  [
    'date.ts',
    `export default {...${text}, config: { from: new Date(0) }};`,
    /^config\/from: an object of the class Date cannot/,
  ],
  ['nan.ts', `export default {...${text}, models: { a: NaN }};`, /^models\/a: NaN is no number of JSON/],
  [
    'ring.ts',
    'const ring: any = {}; ring.config = { ring }; export default ring;',
    /^config\/ring: the object holds itself/,
  ],
  [
    'wrong.ts',
    `export default {...${text}, addons: { dfpp: {} }};`,
    /^addons\/dfpp: expected an addon, .*; write dfp instead of dfpp$/,
  ],
  ['project.yaml', text, /^: a definition is a file \.json, \.ts, \.mts, \.js, \.mjs; give one of these$/],
  ['nowhere.ts', '', /^: expected a file that can be read \(ENOENT/],
];

describe('loadProject', () => {
  const answers = (() => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'part.ts'), `export const made = ${text};`);
    for (const [name, source] of cases) if (name !== 'nowhere.ts') writeFileSync(join(folder, name), source);
    return load(cases.map(([name]) => join(folder, name)));
  })();

  it.each(cases.map(([name, , answer], i) => [name, answer, answers[i]] as const))('%s', (_, answer, loaded) => {
    if (!(answer instanceof RegExp)) expect(loaded).toEqual(answer);
    else {
      const { findings } = loaded as { readonly findings: readonly ProjectFinding[] };
      expect(findings.map(({ path, message, fix: said }) => `${path}: ${message}; ${said}`)).toEqual([
        expect.stringMatching(answer),
      ]);
      expect(findings[0]).not.toHaveProperty('line');
    }
  });

  it('loads a module anew that was edited', () => {
    const program = `
      import { writeFileSync } from 'node:fs';
      import { loadProject } from ${JSON.stringify(join(root, 'project/loadProject.ts'))};
      const ids = [];
      for (const [extension, id] of [['ts', '1'], ['ts', '2'], ['mjs', '1'], ['mjs', '2']]) {
        const file = ${JSON.stringify(join(folder, 'edited.'))} + extension;
        writeFileSync(file, 'export default ' + ${JSON.stringify(text)}.replace('"7"', '"' + id + '"'));
        ids.push((await loadProject(file)).bundle.queries[0].id);
      }
      process.stdout.write(ids.join());`;
    const script = join(folder, 'edit.mts');
    writeFileSync(script, program);
    expect(execFileSync(process.execPath, ['--import', 'tsx', script], { cwd: root, encoding: 'utf8' })).toBe(
      '1,2,1,2',
    );
  });
});
