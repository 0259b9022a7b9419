import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';

import { headOf } from '../bundle/headOf';
import { optionNames } from '../project/readOptions';
import { collectorText, partPages, withParts } from '../scripts/docs';
import { nodeExamples } from '../scripts/languageExamples';
import { nodeTags } from '../scripts/languageReference';
import { headingsOf } from '../scripts/site/markdown';
import { addonList } from '../src/addons/addonList';

const root = resolve(__dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Files of a folder whose names end so, with their paths from the root. */
const filesIn = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'demo/page/standIns/README.md',
  'marbles/README.md',
  ...filesIn('docs', /\.md$/),
].filter((file) => existsSync(join(root, file)));

describe('the parts that `npm run docs` writes', () => {
  it.each(Object.keys(partPages))('are in %s as they are in the code', (page) => {
    const text = read(page);
    for (const { name } of partPages[page] ?? []) expect(text).toContain(`<!-- ${name} -->\n`);
    expect(text).toBe(withParts(page, text));
  });
});

it('has examples of each node that the codecs know', () => {
  const nodes = Object.keys(nodeExamples).map((name) => name.split(', ')[0]);
  expect([...new Set(nodes)].sort()).toStrictEqual([...nodeTags()].sort());
});

it('has the collector’s calls as the codecs are: `npm run docs` writes them', () => {
  expect(read('docs/collector.openapi.json')).toBe(collectorText());
});

describe('the index of the specification', () => {
  const index = read('docs/specification.md');
  const sources = ['src', 'marbles', 'test'].flatMap((folder) => filesIn(folder, /\.tsx?$/));

  it('has every section that is cited', () => {
    const cited = sources.flatMap((file) => read(file).match(/\b[CS]§\d+/g) ?? []);
    const missing = [...new Set(cited)].filter((section) => !index.includes(`| ${section} |`));
    expect(cited).not.toHaveLength(0);
    expect(missing).toStrictEqual([]);
  });

  it('has every topic of the contract that is cited', () => {
    const cited = sources.flatMap((file) =>
      [...read(file).matchAll(/\(contract: ([a-z ]+)[),]/g)].map(([, topic = '']) => topic),
    );
    const missing = [...new Set(cited)].filter((topic) => !index.includes(`| ${topic} |`));
    expect(cited).not.toHaveLength(0);
    expect(missing).toStrictEqual([]);
  });
});

it('has a row of each addon in docs/addons.md', () => {
  const rows = read('docs/addons.md').match(/^\| `\w+`.*? \|/gm) ?? [];
  expect(Object.keys(addonList).filter((name) => !rows.some((row) => row.includes(`\`${name}\``)))).toStrictEqual([]);
});

it('names each option of an addon in docs/addons.md or docs/partners.md', () => {
  const text = read('docs/addons.md') + read('docs/partners.md');
  const options = Object.values(addonList).flatMap(optionNames);
  expect(options).not.toHaveLength(0);
  expect([...new Set(options)].filter((option) => !text.includes(`\`${option}\``))).toStrictEqual([]);
});

describe('the decisions', () => {
  const files = readdirSync(join(root, 'docs/decisions')).filter((file) => /^\d{3}-/.test(file));
  const index = read('docs/decisions/README.md');

  it('are 50 at most', () => {
    expect(files.length).toBeLessThanOrEqual(50);
  });

  it('are in their index by their titles', () => {
    const lines = files.map((file) => {
      const [, number = '', title = ''] = /^# (\d{3}) (.*)/.exec(read(`docs/decisions/${file}`)) ?? [];
      expect(file.startsWith(`${number}-`)).toBe(true);
      return `- [${number}](${file}) ${title}`;
    });
    expect(index.match(/^- \[.*/gm)).toStrictEqual(lines);
  });

  it('have each number that is cited', () => {
    const sources = ['src', 'marbles', 'test', 'project', 'bundle', 'command', 'scripts', 'demo', 'bench'].flatMap(
      (folder) => filesIn(folder, /\.(tsx?|mjs|js|md)$/),
    );
    const cited = [...sources, ...pages].flatMap((file) =>
      [...read(file).matchAll(/decisions?[\/ ](\d{3})\b/g)].map(([, number = '']) => number),
    );
    const numbers = files.map((file) => file.slice(0, 3));
    expect(cited).not.toHaveLength(0);
    expect([...new Set(cited)].filter((number) => !numbers.includes(number))).toStrictEqual([]);
  });
});

describe.each(pages)('%s', (page) => {
  const text = read(page);

  it('names only files that exist', () => {
    const named =
      text.match(/\b(?:src|test|marbles|demo|bench|project|bundle|command|scripts|docs)\/[\w./-]*\w/g) ?? [];
    // An import names a file without its ending.
    const exists = (file: string): boolean => ['', '.ts'].some((ending) => existsSync(join(root, file + ending)));
    const missing = [...new Set(named)].filter((file) => !exists(file));
    expect(missing).toStrictEqual([]);
  });

  it('links only to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toStrictEqual([]);
  });

  it('links only to headings that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)].map(([, file = '', heading = '']) => ({
      file,
      heading,
    }));
    const headings = (file: string): readonly string[] =>
      headingsOf(read(file === '' ? page : join(dirname(page), file)), '').map(({ id }) => id.slice(1));
    expect(links.filter(({ file, heading }) => !headings(file).includes(heading))).toStrictEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  const page = read('ARCHITECTURE.md');

  it('has one page: 800 words at most', () => {
    expect(page.split(/\s+/).filter((word) => /[a-z0-9]/i.test(word)).length).toBeLessThanOrEqual(800);
  });

  it('has the layers as they are checked', () => {
    const [, layers = ''] = /const layers = \{\n([\s\S]*?)\n\};/.exec(read('.dependency-cruiser.cjs')) ?? [];
    const checked = [...layers.matchAll(/^ {2}(\w+): \[(.*)\],$/gm)].map(
      ([, layer = '', allowed = '']) => `| \`${layer}\` | ${allowed.replaceAll("'", '') || '–'} |`,
    );
    const told = [...page.matchAll(/^\| (`\w+`) \| .* \| (.*) \|$/gm)].map(
      ([, layer = '', allowed = '']) => `| ${layer} | ${allowed} |`,
    );
    expect(checked).not.toHaveLength(0);
    expect(told).toStrictEqual(checked);
  });

  it('follows each flow from file to file without a repetition', () => {
    const flows = [...page.matchAll(/```\n(src\/[\s\S]*?)```/g)].map(
      ([, flow = '']) => flow.match(/src\/[\w./]+\.ts/g) ?? [],
    );
    expect(flows).toHaveLength(3);
    for (const files of flows) expect(files).toStrictEqual([...new Set(files)]);
  });
});

describe('README.md', () => {
  const readme = read('README.md');

  it('has 250 lines at most', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(250);
  });

  it('leads to each page of docs', () => {
    const links = [...readme.matchAll(/\]\((docs\/[^)#]+)/g)].map(([, link = '']) => link);
    const reference = pages.filter((page) => /^docs\/[^/]+$/.test(page));
    expect(reference.filter((page) => !links.includes(page))).toStrictEqual([]);
  });

  it('has a snippet that keeps the calls of the page until the SDK has loaded', () => {
    const snippet = [...readme.matchAll(/<script>\n([\s\S]*?)<\/script>/g)].map(([, script]) => script).join('\n');
    const window: { permutive?: { readonly q: unknown; readonly config: unknown } } = {};
    runInNewContext(snippet, {
      window,
      get permutive() {
        return window.permutive;
      },
    });
    expect(window.permutive?.q).toMatchObject([{ functionName: 'addon', arguments: ['web', { page: {} }] }]);
    expect(window.permutive?.config).toStrictEqual({
      apiKey: 'API_KEY',
      workspaceId: 'WORKSPACE_ID',
      environment: 'production',
    });
  });

  it('has the head as the build writes it', () => {
    const [, example] = /```html\n([\s\S]*?)```/.exec(readme) ?? [];
    const addresses = {
      address: 'https://CDN/HASH.WORKSPACE_ID-web.js',
      main: 'https://CDN/WORKSPACE_ID-web.main.HASH.js',
    };
    const settings = { apiKey: 'API_KEY', workspaceId: 'WORKSPACE_ID', windowKey: 'permutive', ...addresses };
    expect(example).toBe(headOf(settings, 'COMPANION', 'INTEGRITY'));
  });

  it('has a marble test that is among ours', () => {
    const [, example = ''] = /(marble\('[\s\S]*?\n\}\);)/.exec(readme) ?? [];
    const lines = (text: string): string => text.replace(/^ +/gm, '');
    expect(example).not.toBe('');
    expect(lines(read('marbles/operators/debounceWithMax.marbles.ts'))).toContain(lines(example));
  });

  it('names only commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    const named = pages.flatMap((page) => [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name));
    expect([...new Set(named)].filter((name) => !(name in scripts))).toStrictEqual([]);
  });
});
