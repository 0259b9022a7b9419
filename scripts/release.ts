import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// Releases a version: `npm run release -- [VERSION | major | minor | patch] [--dry-run]`. Without a word it is a patch.
// Nothing is pushed or published: whoever releases looks at the commit, the tag and the list of files first. A dry run
// builds, tests and packs, and changes neither files nor history.

const root = fileURLToPath(new URL('..', import.meta.url));
const parts = ['major', 'minor', 'patch'] as const;

/** The version that is asked for, by its number or by the part that grows. Throws where that is not a later version. */
export const nextVersion = (current: string, wanted: string): string => {
  const now = numbersOf(current);
  const place = parts.findIndex((part) => part === wanted);
  const next = place === -1 ? numbersOf(wanted) : now.map((n, i) => (i < place ? n : i === place ? n + 1 : 0));
  const firstChange = next.findIndex((n, i) => n !== now[i]);
  if (firstChange === -1 || next[firstChange]! < now[firstChange]!)
    throw new Error(`${wanted} is not later than ${current}`);
  return next.join('.');
};

const numbersOf = (version: string): readonly number[] => {
  const found = /^(\d+)\.(\d+)\.(\d+)$/.exec(version);
  if (found === null) throw new Error(`${version} is no version: expected MAJOR.MINOR.PATCH, major, minor or patch`);
  return found.slice(1).map(Number);
};

/**
 * The changelog with its unreleased changes under the version and its date, `2026-11-22`. Throws if there are no such
 * changes.
 */
export const datedChangelog = (text: string, version: string, date: string): string => {
  const [, unreleased = ''] = /\n## Unreleased\n([\s\S]*?)(?=\n## |$)/.exec(text) ?? [];
  if (unreleased.trim() === '') throw new Error('CHANGELOG.md has nothing under “Unreleased”');
  return text.replace('\n## Unreleased\n', `\n## Unreleased\n\n## ${version} (${date})\n`);
};

interface Step {
  readonly what: string;
  /** Changes nothing but the build, so that `--dry-run` does it too. */
  readonly isHarmless?: true;
  readonly run: () => void;
}

const run = (command: string, ...args: readonly string[]): void =>
  void execFileSync(command, args, { cwd: root, stdio: 'inherit' });

const refuseChanges = (): void => {
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (changes !== '') throw new Error(`There are uncommitted changes:\n${changes}`);
};

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** What a package holds, a line for each file, from the answer of `npm pack --json`. Throws where there is no build. */
export const packedLines = (answer: string): readonly string[] => {
  const [packed] = JSON.parse(answer) as readonly Packed[];
  if (packed === undefined || !packed.files.some(({ path }) => path === 'dist/integrity.json'))
    throw new Error('The package has no build');
  const { filename, size, unpackedSize, files } = packed;
  return [
    `${filename}: ${size} bytes, ${unpackedSize} unpacked, ${files.length} files`,
    ...files.map((file) => `${String(file.size).padStart(9)} ${file.path}`),
  ];
};

const printPacked = (): void => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const answer = execFileSync('npm', args, { cwd: root, encoding: 'utf8' });
  for (const line of packedLines(answer)) console.log(line);
};

/** The steps of a release in their order. */
export const stepsOf = (version: string, changelog: string): readonly Step[] => [
  { what: 'check that nothing is uncommitted', run: refuseChanges },
  { what: 'build and run all tests: npm run test:all', isHarmless: true, run: () => run('npm', 'run', 'test:all') },
  {
    what: `set the version ${version} in package.json and package-lock.json`,
    run: () => run('npm', 'version', version, '--no-git-tag-version'),
  },
  {
    what: 'date the changelog',
    run: () => writeFileSync(resolve(root, 'CHANGELOG.md'), changelog),
  },
  { what: 'build the version: npm run build', isHarmless: true, run: () => run('npm', 'run', '--silent', 'build') },
  { what: 'pack: npm pack', isHarmless: true, run: printPacked },
  {
    what: `commit “Release ${version}”`,
    run: () => run('git', 'commit', '--all', '--message', `Release ${version}`),
  },
  {
    what: `tag v${version}`,
    run: () => run('git', 'tag', '--annotate', `v${version}`, '--message', `Release ${version}`),
  },
];

const main = (): void => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  });
  const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');
  const { version: current } = JSON.parse(read('package.json')) as { readonly version: string };
  const version = nextVersion(current, positionals[0] ?? 'patch');
  const date = new Date().toISOString().slice(0, 10);
  for (const step of stepsOf(version, datedChangelog(read('CHANGELOG.md'), version, date))) {
    const isDone = step.isHarmless === true || !values['dry-run'];
    console.log(`${isDone ? '' : 'would '}${step.what}`);
    if (isDone) step.run();
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
