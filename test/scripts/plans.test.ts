import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

import { deciding } from '../../scripts/deciding.mjs';
import { type Plan, plans, stepsOf } from '../../scripts/steps.mjs';

const isTest = (path: string): boolean => /\.(test|spec|marbles)\.[cm]?[jt]sx?$/.test(path);
const slashed = (path: string): string => path.replaceAll(sep, '/');

/** All files of tests in the project's folders, but not in what is installed or built. */
const onDisk: readonly string[] = readdirSync('.', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$|build$|dist$|reports$)/.test(entry.name))
  .flatMap(({ name }) =>
    readdirSync(name, { recursive: true, encoding: 'utf8' }).map((path) => slashed(`${name}/${path}`)),
  )
  .filter((path) => isTest(path) && !path.includes('/node_modules/'));

/** A run of Jest that may be shared out among several steps, with the parts that they take: `1/2`, `2/2`. */
interface Run {
  readonly project: string | undefined;
  readonly args: readonly string[];
  readonly shards: readonly string[];
}

const runsOf = (plan: Plan): readonly Run[] => {
  const runs = new Map<string, Run>();
  for (const { project, args } of stepsOf(plan).filter(({ report }) => report !== undefined)) {
    const shared = args.filter((arg) => !/^--(shard|json|outputFile)\b/.test(arg));
    const shards = args.flatMap((arg) => (arg.startsWith('--shard=') ? [arg.slice('--shard='.length)] : []));
    const key = shared.join(' ');
    runs.set(key, { project, args: shared, shards: [...(runs.get(key)?.shards ?? []), ...shards] });
  }
  return [...runs.values()];
};

/** The files that a run takes, as Jest itself tells them. */
const filesOf = ({ args }: Run): readonly string[] =>
  execFileSync('npx', [...args, '--listTests'], { encoding: 'utf8', shell: process.platform === 'win32' })
    .split('\n')
    .map((line) => slashed(relative('.', line.trim())))
    .filter(isTest);

const runs = { test: runsOf(plans.test), all: runsOf(plans.all) };
const inAll = runs.all.map((run) => ({ project: run.project, files: filesOf(run) }));
const inTest = new Set(runs.test.flatMap(filesOf));
const page = readFileSync('test/README.md', 'utf8');

/** Rows of the table of browser files that do not decide: the file, and the tests that hold its rule. */
const rows = [...page.matchAll(/^\| `([\w/]+)` \|[^|]*\|([^|]*)\|$/gm)].map(([, file = '', holders = '']) => ({
  path: `test/browser/${file}.test.ts`,
  held: holders.trim(),
  holders: [...holders.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
}));

/** A row of the table names files of tests, or a folder of them. */
const decides = (holder: string): boolean =>
  inTest.has(holder) || [...inTest].some((path) => path.startsWith(`${holder}/`));

it('The steps that share a run take all its parts', () => {
  const partial = [...runs.test, ...runs.all].filter(
    ({ shards }) => !shards.every((shard, at) => shard === `${at + 1}/${shards.length}`),
  );
  expect(partial).toEqual([]);
});

describe('`npm run test:all`', () => {
  it('runs every file of tests', () => {
    const run = new Set(inAll.flatMap(({ files }) => files));
    expect(onDisk.filter((path) => !run.has(path))).toEqual([]);
  });

  it.each(['browser', 'browser-firefox', 'browser-webkit'])('runs every file of browser tests in %s', (project) => {
    const run = inAll.filter((each) => each.project === project).flatMap(({ files }) => files);
    expect([...run].sort()).toEqual(onDisk.filter((path) => path.startsWith('test/browser/')).sort());
  });
});

describe('`npm test`', () => {
  it('runs each browser file of the list, and no other', () => {
    const run = [...inTest].filter((path) => path.startsWith('test/browser/'));
    expect(run.sort()).toEqual(deciding.map((file) => `test/browser/${file}.test.ts`).sort());
  });

  it('leaves out what test/README.md says, and nothing else', () => {
    const saysSo = (path: string): boolean =>
      path.startsWith('test/broker/') || path === 'test/package/command.test.ts';
    const leftOut = onDisk.filter((path) => !inTest.has(path) && !saysSo(path));
    expect(rows.map(({ path }) => path).sort()).toEqual([...leftOut].sort());
  });

  it('holds the rule of each browser file that it leaves out by the tests that the table names', () => {
    const wrong = rows.filter(
      ({ held, holders }) => held !== 'none' && !(holders.length > 0 && holders.every(decides)),
    );
    expect(wrong).toEqual([]);
  });
});
