/* eslint-disable rxjs-x/no-subscribe-in-pipe, local/stream-names -- addons that do what none should */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { finalize, map, NEVER, tap, timer } from 'rxjs';

import { addonList } from '../../scripts/addonList';
import type { AddonCheck } from '../../src/addonKit/addonCheck';
import { checkAddon } from '../../src/addonKit/checkAddon';
import type { Addon, AnyAddon } from '../../src/addons/addon';

/** What a partner's `checks.ts` says its addons are tried with; most act without. */
const checksOf = (file: string): Readonly<Record<string, AddonCheck>> => {
  const checks = resolve('test/addons', basename(dirname(file)), 'checks.ts');
  return existsSync(checks) ? jest.requireActual<{ checks: Record<string, AddonCheck> }>(checks).checks : {};
};
const load = (file: string): Readonly<Record<string, AnyAddon>> => jest.requireActual(resolve(file));

describe.each(Object.entries(addonList))('%s', (name, { file, exported }) => {
  const trial = checksOf(file)[name] ?? {};

  it('has the name it is called by', () => {
    expect(load(file)[exported]?.name).toBe(name);
  });

  it('is fit for strangers’ phones', () => {
    expect(checkAddon(load(file)[exported]!, trial)).toEqual([]);
  });
});

describe('checkAddon', () => {
  const addon = (run: Addon<unknown>['run'], changes: Partial<Addon<unknown>> = {}): AnyAddon => ({
    name: 'bad',
    autoInit: true,
    options: () => ({}),
    run,
    ...changes,
  });
  it.each<readonly [string, AnyAddon, RegExp]>([
    [
      'acts before it is started',
      addon((_, __, { writeKey }) => (writeKey('k', 1), NEVER)),
      /acts before it is started: writeKey\(k\)/,
    ],
    [
      'does twice what it is started twice for',
      addon(({ cohorts$ }, options$, { loadPixel }) => {
        const all$ = options$.pipe(map(() => cohorts$.subscribe(() => loadPixel('https://a.example'))));
        return all$.pipe(map(() => ({ name: 'Bad' })));
      }),
      /started twice, does/,
    ],
    [
      'listens when it has stopped',
      addon(({ activity$ }, options$) =>
        options$.pipe(
          tap(() => activity$.subscribe()),
          map(() => ({ name: 'Bad' })),
        ),
      ),
      /leaves behind when it is stopped: activity\$/,
    ],
    [
      'acts without consent',
      addon((_, options$, { writeKey }) =>
        options$.pipe(
          finalize(() => timer(10).subscribe(() => writeKey('late', 1))),
          map(() => ({ name: 'Bad' })),
        ),
      ),
      /acts without consent: writeKey\(late\)/,
    ],
    [
      'has options that throw',
      addon(() => NEVER, { options: (input) => (input as { a: { b: number } }).a.b }),
      /options throws/,
    ],
  ])('tells of an addon that %s', (_, bad, fault) => {
    expect(checkAddon(bad).join('\n')).toMatch(fault);
  });
});

it('loads the addons without touching the world', () => {
  const files = [...new Set(Object.values(addonList).map(({ file }) => file))];
  const script = `
    const before = Object.getOwnPropertyNames(globalThis).length;
    let acts = 0;
    for (const name of ['setTimeout', 'setInterval', 'queueMicrotask', 'fetch']) globalThis[name] = () => { acts += 1; };
    require('tsx/cjs/api').register();
    const started = acts;
    for (const file of ${JSON.stringify(files.map((file) => resolve(file)))}) require(file);
    console.log(JSON.stringify([acts - started, Object.getOwnPropertyNames(globalThis).length - before]));`;
  expect(JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: resolve('.'), encoding: 'utf8' }))).toEqual([
    0, 0,
  ]);
});

it('runs the addon of the README, which is under 40 lines', () => {
  const readme = readFileSync(resolve('README.md'), 'utf8');
  const [, code = ''] = /## For addon authors[\s\S]*?```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(code.split('\n').length).toBeLessThan(40);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the compiler that the tests run on
  const { transformSync } = require('@swc/core') as typeof import('@swc/core');
  const { code: compiled } = transformSync(code, {
    filename: 'shelf.ts',
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  const exported: Record<string, AnyAddon> = {};
  const kit = (name: string): unknown =>
    name === 'permutive-web-sdk/addon-kit'
      ? jest.requireActual(resolve('src/addonKit/addonKit.ts'))
      : jest.requireActual(name);
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the README's own code
  const run = new Function('exports', 'require', compiled) as (
    exports: object,
    require: (name: string) => unknown,
  ) => void;
  run(exported, kit);
  const { shelf } = exported;
  expect(shelf?.name).toBe('shelf');
  expect(checkAddon(shelf!)).toEqual([]);
});
