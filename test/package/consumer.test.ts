import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CompilerOptions, JsxEmit, ModuleKind, ScriptTarget, transpileModule } from 'typescript';

import { checkProject } from '../../project/checkProject';
import { packageEntries } from '../../scripts/packageEntries.js';
import { publicPages } from '../support/publicPages';
import { faultsOf, inConsumer, resolutions, written } from './support/consumer';
import { nodeNames, nodeReleases, runNode } from './support/nodes';

const packageName = 'permutive-web-sdk';
const installed = (): string => inConsumer(`node_modules/${packageName}`);
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );

const { version, exports: exported } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
};

/** By their names, the examples of README and docs that import the package. */
const examples: Readonly<Record<string, string>> = Object.fromEntries(
  [...publicPages().matchAll(/```(tsx?)\n([\s\S]*?)```/g)]
    .filter(([, , code = '']) => code.includes(`'${packageName}`))
    .map(([, ending = '', code = ''], i) => [`example${i}.${ending}`, code]),
);

/** The examples in JSON, each on one line. */
const inJson: readonly string[] = [...publicPages().matchAll(/```json\n([\s\S]*?)```/g)].map(([, code = '']) =>
  JSON.stringify(JSON.parse(code)),
);

const compiled = (code: string): string => {
  const compilerOptions: CompilerOptions = {
    module: ModuleKind.ESNext,
    target: ScriptTarget.ES2022,
    jsx: JsxEmit.ReactJSX,
  };
  return transpileModule(code, { compilerOptions }).outputText;
};

/** The one example that imports the entry, and that name of it where one is given, ready for Node. */
const exampleOf = (entry: string, name = ''): string => {
  const found = Object.values(examples).filter((code) => code.includes(`${name} } from '${packageName}/${entry}'`));
  expect(found).toHaveLength(1);
  return compiled(found[0]!);
};

const paths = Object.keys(packageEntries);

describe('the tarball', () => {
  it('holds the build, README, CHANGELOG and LICENSE, and nothing else', () => {
    const others = filesIn(installed()).filter((file) => !file.startsWith('dist/'));
    expect([...others].sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
  });

  it.each(['dist', `dist/v${version}`])('has the right hash of each script in %s', (folder) => {
    const listed = JSON.parse(readFileSync(join(installed(), folder, 'integrity.json'), 'utf8')) as readonly {
      readonly file: string;
      readonly bytes: number;
      readonly sha384: string;
    }[];
    for (const { file, bytes, sha384 } of listed) {
      const content = readFileSync(join(installed(), folder, file));
      expect([bytes, sha384]).toEqual([
        content.length,
        `sha384-${createHash('sha384').update(content).digest('base64')}`,
      ]);
    }
    const scripts = filesIn(join(installed(), folder)).filter(
      (file) => /\.m?js$/.test(file) && !/^(sdk|command|studio)\//.test(file),
    );
    expect(listed.map(({ file }) => file).sort()).toEqual([...scripts].sort());
    expect(scripts.filter((file) => file.endsWith('-web.js'))).not.toHaveLength(0);
  });

  it('has every script of the version without a version too', () => {
    const [versioned, all] = [`dist/v${version}`, 'dist'].map((folder) => readdirSync(join(installed(), folder)));
    expect(all).toEqual(expect.arrayContaining(versioned!));
  });
});

describe('the entries', () => {
  it('are those of the list', () => {
    const listed = Object.entries(packageEntries).map(([path, { name }]) => [
      path,
      { types: `./dist/types/${name}.d.mts`, default: `./dist/${name}.mjs` },
    ]);
    expect(exported).toEqual({
      ...Object.fromEntries(listed),
      './schema.json': './dist/schema.json',
      './package.json': './package.json',
    });
  });

  it.each(paths)('%s reads no other package than its peers', (path) => {
    const { name } = packageEntries[path]!;
    const texts = [`dist/${name}.mjs`, `dist/types/${name}.d.mts`].map((file) =>
      readFileSync(join(installed(), file), 'utf8'),
    );
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/(?:from|import\()\s*["']([^"']+)["']/g)].map(([, id = '']) => id.split('/')[0]),
    );
    expect(imported.filter((id) => id !== 'rxjs' && id !== 'react')).toEqual([]);
  });
});

describe('the examples of README and docs', () => {
  it('are many', () => {
    expect(Object.keys(examples).length).toBeGreaterThanOrEqual(5);
  });

  // One run of the compiler for each resolution, because a run takes seconds.
  it.each(Object.keys(resolutions) as (keyof typeof resolutions)[])(
    'compile with %s, and do not compile with an error',
    (resolution) => {
      const addon = Object.values(examples).find((text) => text.includes('/addon-kit'))!;
      const wrong = { 'wrong.ts': addon.replace("name: 'shelf',", '') };
      expect(faultsOf({ ...examples, ...wrong }, resolution)).toEqual({
        'wrong.ts': expect.stringContaining("Property 'name' is missing") as string,
      });
    },
  );
});

describe.each(nodeNames)('on %s', (node) => {
  const idOf = (path: string): string => packageName + path.slice(1);
  const run = (files: Readonly<Record<string, string>>, file: string): string => runNode(node, written(files), file);

  it('is tried by that Node', () => {
    expect(run({ 'version.cjs': 'console.log(process.version)' }, 'version.cjs')).toMatch(
      new RegExp(`^v${parseInt(nodeReleases[node], 10)}\\.`),
    );
  });

  it.each(paths)('%s is imported', (path) => {
    const script = `import * as entry from '${idOf(path)}'; console.log(Object.keys(entry).length);`;
    expect(Number(run({ 'import.mjs': script }, 'import.mjs'))).toBeGreaterThan(0);
  });

  it.each(paths)('%s is required from CommonJS', (path) => {
    const script = `console.log(Object.keys(require('${idOf(path)}')).length);`;
    expect(Number(run({ 'require.cjs': script }, 'require.cjs'))).toBeGreaterThan(0);
  });

  it('the pages have an addon that is fit', () => {
    const check = `
      import { checkAddon } from '${packageName}/addon-kit';
      import { shelf } from './addon.mjs';
      console.log(JSON.stringify(checkAddon(shelf)));`;
    expect(JSON.parse(run({ 'addon.mjs': exampleOf('addon-kit'), 'check.mjs': check }, 'check.mjs'))).toEqual([]);
  });

  it('the pages have an engine that finds the cohort which the comment says', () => {
    const [, said = ''] = /console\.log\(.*\); \/\/ (.*)/.exec(exampleOf('engine')) ?? [];
    expect(run({ 'engine.mjs': exampleOf('engine') }, 'engine.mjs').trim()).toBe(said);
  });

  it('the pages have a marble test that passes, and fails when a diagram is wrong', () => {
    const code = exampleOf('marbles');
    expect(run({ 'right.mjs': code }, 'right.mjs')).toBe('');
    expect(() => run({ 'wrong.mjs': code.replace('a---b-|', 'a-a-b-|') }, 'wrong.mjs')).toThrow('expected');
  });

  it('the pages have a loader that keeps calls and adds the script', () => {
    const page = `
      const added = [];
      globalThis.window = globalThis;
      globalThis.Element = class {};
      globalThis.document = new (class {
        createElement() { return {}; }
        get head() { return { append: (script) => added.push(script) }; }
      })();
      await import('./load.mjs');
      console.log(JSON.stringify([window.permutive.q.map(({ functionName }) => functionName), added]));`;
    const [code] = Object.values(examples).filter((text) => text.includes('load({'));
    expect(JSON.parse(run({ 'load.mjs': compiled(code!), 'page.mjs': page }, 'page.mjs'))).toEqual([
      ['addon', 'on', 'segment'],
      [{ async: true, referrerPolicy: 'origin', src: 'https://cdn.example/WORKSPACE_ID-web.js' }],
    ]);
  });

  it('the pages have React components that a server renders, where there is no SDK', () => {
    const page = `
      import { createElement } from 'react';
      import { renderToString } from 'react-dom/server';
      import { Offer, Privacy } from './components.mjs';
      console.log(renderToString(createElement(Offer)) + renderToString(createElement(Privacy)));`;
    expect(run({ 'components.mjs': exampleOf('react'), 'page.mjs': page }, 'page.mjs').trim()).toBe(
      '<input type="checkbox"/>',
    );
  });

  it('the pages have a fake page that notes the calls which the comment says', () => {
    const code = exampleOf('testing', 'fakePermutive');
    const [, said = ''] = /console\.log\(.*\); \/\/ (.*)/.exec(code) ?? [];
    const tested = "permutive.track('OfferTaken', { offer: 'copper' });";
    const files = {
      'test.mjs': `globalThis.window = globalThis;\n${code.replace(/^\/\/ … .*$/m, tested)}`,
    };
    expect(run(files, 'test.mjs').trim()).toBe(said);
  });

  it('the pages have a definition in TypeScript that the check accepts', () => {
    const print = `import project from './project.mjs'; console.log(JSON.stringify(project));`;
    const text = run({ 'project.mjs': exampleOf('project', 'defineProject'), 'print.mjs': print }, 'print.mjs');
    expect(checkProject(JSON.parse(text)).findings).toEqual([]);
  });

  it('the pages name an entry of a taxonomy, and it is the one that they have in JSON', () => {
    const print = `import { taxonomies } from './entries.mjs'; console.log(JSON.stringify({ taxonomies }));`;
    const text = run({ 'entries.mjs': exampleOf('project', 'taxonomyEntry'), 'print.mjs': print }, 'print.mjs');
    expect(inJson).toContain(text.trim());
  });

  it('tests of cohorts have a visitor who is in the cohort that the comment says', () => {
    const code = exampleOf('testing', 'visitor');
    const [, said = ''] = /console\.log\(.*\); \/\/ (.*)/.exec(code) ?? [];
    expect(run({ 'cohorts.mjs': code }, 'cohorts.mjs').trim()).toBe(said);
  });
});

describe('tools for packages', () => {
  it('find nothing in it: publint', () => {
    const publint = resolve('node_modules/publint/src/cli.js');
    const args = [publint, 'run', installed(), '--pack', 'false', '--strict'];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toContain('All good!');
  });

  it('find nothing in it: are the types wrong?', () => {
    const attw = resolve('node_modules/@arethetypeswrong/cli/dist/index.js');
    const args = [attw, inConsumer('package.tgz'), '--profile', 'esm-only', '--no-color', '--no-emoji'];
    // It fails where it finds something. Not looked at: old resolutions without `exports`, and CommonJS.
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toContain('node16 (from ESM): OK');
  });
});
