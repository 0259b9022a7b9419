/* eslint-disable rxjs-x/no-subscribe-in-pipe, local/stream-names -- addons that do what none should */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import {
  EMPTY,
  filter,
  finalize,
  ignoreElements,
  map,
  NEVER,
  type Observable,
  startWith,
  switchMap,
  take,
  tap,
  timer,
} from 'rxjs';

import type { AddonCheck } from '../../src/addonKit/addonCheck';
import { type AddonRule, addonRules, faultText } from '../../src/addonKit/addonFault';
import { checkAddon } from '../../src/addonKit/checkAddon';
import type { Addon, AddonDeps, AddonStreams, AnyAddon } from '../../src/addons/addon';
import { addonList } from '../../src/addons/addonList';
import { vendorConsent } from '../../src/consent/vendorConsent';
import { isolate } from '../../src/operators/isolate';
import { readmeAddon } from '../support/readmeAddon';

/** What a partner's `checks.ts` says its addons are tried with, in one way or in several; most act without. */
const checksOf = (file: string, name: string): readonly AddonCheck[] => {
  const checks = resolve('test/addons', basename(dirname(file)), 'checks.ts');
  const ofPartner = existsSync(checks)
    ? jest.requireActual<{ checks: Record<string, AddonCheck | readonly AddonCheck[]> }>(checks).checks
    : {};
  return [ofPartner[name] ?? {}].flat();
};
const load = (file: string): Readonly<Record<string, AnyAddon>> => jest.requireActual(resolve(file));

describe.each(Object.entries(addonList))('%s', (name, { file, exported }) => {
  it('has the name it is called by', () => {
    expect(load(file)[exported]?.name).toBe(name);
  });

  it.each(checksOf(file, name))('is fit for strangers’ phones: %j', (trial) => {
    expect(checkAddon(load(file)[exported]!, trial)).toEqual([]);
  });
});

/** An addon that breaks a rule. */
const bad = (run: Addon<unknown>['run'], changes: Partial<Addon<unknown>> = {}): AnyAddon => ({
  name: 'bad',
  autoInit: true,
  options: () => ({}),
  run,
  ...changes,
});
/** An addon with one effect, which it has when its one start is followed by what `when` waits for. */
const acting = (when: (streams: AddonStreams) => Observable<unknown>, effect: (deps: AddonDeps) => unknown): AnyAddon =>
  bad((streams, options$, deps) =>
    options$.pipe(
      take(1),
      switchMap(() => when(streams)),
      tap(() => effect(deps)),
      ignoreElements(),
      isolate('', () => undefined),
    ),
  );
const entered = ({ transition$ }: AddonStreams) => transition$.pipe(filter(({ entry }) => entry));
const address = 'https://partner.example/p';
const config = { url: address };
const vendorId = 76;

describe('checkAddon', () => {
  it.each<{
    readonly what: string;
    readonly addon: AnyAddon;
    readonly rule: AddonRule;
    readonly happened: RegExp;
    readonly check?: AddonCheck;
  }>([
    {
      what: 'acts before it is started',
      addon: bad((_, __, { writeKey }) => (writeKey('k', 1), NEVER)),
      rule: 'start',
      happened: /before it was started: writeKey\(k\)/,
    },
    {
      what: 'does twice what it is started twice for',
      addon: bad(({ cohorts$ }, options$, { writeKey }) => {
        const all$ = options$.pipe(map(() => cohorts$.subscribe(() => writeKey('k', 1))));
        return all$.pipe(map(() => ({ name: 'Bad' })));
      }),
      rule: 'restart',
      happened: /^did .*writeKey\(k\).* when started twice/,
    },
    {
      what: 'listens when it has stopped',
      addon: bad(({ activity$ }, options$) =>
        options$.pipe(
          tap(() => activity$.subscribe()),
          map(() => ({ name: 'Bad' })),
        ),
      ),
      rule: 'stop',
      happened: /still subscribed to activity\$/,
    },
    {
      what: 'acts without consent',
      addon: bad((_, options$, { writeKey }) =>
        options$.pipe(
          finalize(() => timer(1000).subscribe(() => writeKey('late', 1))),
          map(() => ({ name: 'Bad' })),
        ),
      ),
      rule: 'consent',
      happened: /after consent was withdrawn: writeKey\(late\)/,
    },
    {
      what: 'has options that throw',
      addon: bad(() => NEVER, { options: (input) => (input as { a: { b: number } }).a.b }),
      rule: 'options',
      happened: /^threw for null/,
    },
    {
      what: 'lets an error through',
      addon: bad((_, options$, { writeKey }) =>
        options$.pipe(
          take(1),
          tap(() => timer(5).subscribe(() => writeKey('k', 1))),
          ignoreElements(),
        ),
      ),
      rule: 'errors',
      happened: /threw where an effect threw/,
    },
    {
      what: 'does not wait for the answer of the consent platform',
      addon: acting(
        ({ tcf$, transition$ }) =>
          tcf$.pipe(
            startWith(undefined),
            filter((tcf) => tcf?.vendorConsent(vendorId) !== false),
            switchMap(() => transition$),
          ),
        ({ loadPixel }) => loadPixel(address),
      ),
      rule: 'beforeVendor',
      happened: /before the consent platform had answered: loadPixel/,
      check: { config },
    },
    ...(
      [
        ['requests something', ({ loadPixel }) => loadPixel(address), /refused: loadPixel\(https/],
        ['runs a script', ({ runScript }) => runScript('x'), /refused: runScript\(x\)/],
        ['stores a key', ({ writeKey }) => writeKey('k', 1), /refused: writeKey\(k\)/],
        ['stores a note', ({ remember }) => remember('n', 1), /refused: remember\(n\)/],
        ['stores a cookie', ({ writeCookie }) => writeCookie('c', 1), /refused: writeCookie\(c\)/],
        ['opens a layer', ({ openLayer }) => openLayer(1), /refused: openLayer\(\)/],
        [
          'calls the page',
          ({ global }) => (global('ttq') as { track: (event: string) => void }).track('Enter'),
          /refused: ttq\.track\(Enter\)/,
        ],
      ] satisfies readonly (readonly [string, (deps: AddonDeps) => unknown, RegExp])[]
    ).map(([what, effect, happened]) => ({
      what: `${what} before its vendor has consent`,
      addon: acting(entered, effect),
      rule: 'beforeVendor' as const,
      happened,
      check: { config, vendorId, page: { ttq: { track: () => undefined } } },
    })),
    {
      what: 'goes on once its vendor’s consent is withdrawn',
      addon: acting(
        (streams) =>
          vendorConsent(streams.tcf$, vendorId).pipe(
            filter(Boolean),
            take(1),
            switchMap(() => entered(streams)),
          ),
        ({ loadPixel }) => loadPixel(address),
      ),
      rule: 'afterVendor',
      happened: /after the consent was withdrawn: loadPixel/,
      check: { config },
    },
    {
      what: 'asks a host that no definition names',
      addon: acting(entered, ({ loadPixel }) => loadPixel('https://other.partner.example/p')),
      rule: 'hosts',
      happened: /^asked other\.partner\.example$/,
      check: { config },
    },
    {
      what: 'runs a script that asks a host that no definition names',
      addon: acting(entered, ({ runScript }) => runScript('import("//other.example/x.js")')),
      rule: 'hosts',
      happened: /^asked other\.example$/,
      check: { config },
    },
  ])('tells of an addon that $what', ({ addon, rule, happened, check }) => {
    const told = checkAddon(addon, check).filter((fault) => fault.rule === addonRules[rule].rule);
    expect(told.map((fault) => fault.happened)).toContainEqual(expect.stringMatching(happened));
    expect(told[0]).toMatchObject({ addon: 'bad', ...addonRules[rule] });
  });

  it('finds nothing in an addon that asks its vendor, and only hosts that are named', () => {
    const asking = (streams: AddonStreams) =>
      vendorConsent(streams.tcf$, vendorId).pipe(switchMap((granted) => (granted ? entered(streams) : EMPTY)));
    const pixel = acting(asking, ({ loadPixel }) => loadPixel(address));
    const ofOptions = { options: { url: address } };
    const ofSettings = { settings: { pxidHost: 'partner.example' } };
    for (const check of [{ config }, { hosts: ['partner.example'] }, ofOptions, ofSettings])
      expect(checkAddon(pixel, check)).toEqual([]);
  });

  it('says what a fault is, and the way out', () => {
    const [fault] = checkAddon(
      acting(entered, ({ loadPixel }) => loadPixel(address)),
      {},
    );
    expect(faultText(fault!)).toBe(
      'bad: An addon asks no host that the project definition does not name. It asked partner.example. ' +
        'Take the address from an activation, an option or a setting.',
    );
  });

  it.each([
    [10, undefined, []],
    [11, undefined, ['took 11 ms, and 10 ms are allowed']],
    [11, 11, []],
  ])('measures a start that takes %d ms, where %p ms are allowed', (workMs, startBudgetMs, happened) => {
    let now = 0;
    const slow = bad((_, options$) => {
      now += workMs - 4;
      return options$.pipe(
        tap(() => (now += 4)),
        ignoreElements(),
      );
    });
    const check = { clock: () => now, ...(startBudgetMs !== undefined && { startBudgetMs }) };
    expect(checkAddon(slow, check).map((fault) => fault.happened)).toEqual(happened);
  });

  it('takes the shortest of five starts, because the machine may have been busy in the others', () => {
    let [now, starts] = [0, 0];
    const lucky = bad(() => NEVER, { options: () => (now += (starts += 1) % 5 === 0 ? 1 : 1000) });
    expect(checkAddon(lucky, { clock: () => now })).toEqual([]);
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
  const code = readmeAddon();
  expect(code.split('\n').length).toBeLessThan(40);
  // oxlint-disable-next-line typescript/no-require-imports -- the compiler that the tests run on
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
  // oxlint-disable-next-line typescript/no-implied-eval -- the README's own code
  const run = new Function('exports', 'require', compiled) as (
    exports: object,
    require: (name: string) => unknown,
  ) => void;
  run(exported, kit);
  const { shelf } = exported;
  expect(shelf?.name).toBe('shelf');
  expect(checkAddon(shelf!)).toEqual([]);
});
