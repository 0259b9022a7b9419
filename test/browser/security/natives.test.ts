import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { nativeCalls } from '../../../scripts/nativeCalls';
import { probes } from '../../../src/natives/probes/probes';
import { lateProbes } from '../../../src/natives/probes/promises';
import { type Breakage, breakages, breakNative } from '../../support/brokenNatives';
import { builtFile } from '../support/bundleFile';
import { openChanged } from '../support/changedPage';
import { openStage, type Stage, stageForTests } from '../support/stage';
import { until } from '../support/until';
import { scriptFile, uuidV4 } from '../support/visitor';

const natives = [...probes.flat(), ...lateProbes].map(([native]) => native);

/** Members that no probe looks at, each with the reason. */
const unprobed: Readonly<Record<string, string>> = {
  ownKeys: 'src/natives/replaced.ts relies on it where it is native',
  getPrototypeOf: 'src/natives/replaced.ts relies on it where it is native',
  reduce: 'io-ts calls it of codecs that are intersections in unions, and there are none',
  link: 'a method of ours, and no text’s',
  sub: 'a method of ours, and no text’s',
  compile: 'a method of ours, and no expression’s',
  seal: 'DOMPurify calls it where there is no `Object.freeze`',
  isFrozen: 'DOMPurify asks it of what it has made',
};

/** Natives that scripts use without naming a member. */
const unnamed = [
  'Date',
  'Promise',
  ...['Array', 'Map', 'Set', 'String'].map((name) => `${name}.prototype[Symbol.iterator]`),
];

describe('The natives that the files of a page call', () => {
  const parts = ['', 'main', 'deferred', 'overrides', 'errors', 'vitals', 'engine', 'ctv', 'html', 'overlay'];
  const calledIn = (part: string): ReturnType<typeof nativeCalls> => nativeCalls(readFileSync(builtFile(part), 'utf8'));

  test.each(parts)('have a probe each: %s', (part) => {
    const called = calledIn(part);
    const missing = called.filter(
      (possible) =>
        !possible.some((native) => natives.includes(native)) &&
        !Object.hasOwn(unprobed, possible[0]?.split('.').at(-1) ?? ''),
    );
    expect(missing).toEqual([]);
  });

  test('are the only ones that have a probe: another one might keep the SDK out without need', () => {
    const called = new Set([...unnamed, ...parts.flatMap((part) => calledIn(part).flat())]);
    expect(natives.filter((native) => !called.has(native))).toEqual([]);
  });
});

/** As many pages at a time. */
const atOnce = 5;
/** Every sixth native is broken, each in another way; at night each is broken in each way. */
const isNightly = process.env['LAWS'] === 'nightly';
const broken = natives.flatMap((native, i) =>
  ['Date', 'Promise'].includes(native)
    ? []
    : breakages.flatMap((how, k) => (isNightly || (i % 6 === 0 && (i / 6) % 3 === k) ? [[native, how] as const] : [])),
);
const consent = `permutive.consent({ opt_in: true, token: 'CONSENT' });`;
const refusal = 'permutive.consent({ opt_in: false });';

/** A page that makes a call, and breaks a native right before the page script runs. */
const openBroken = async (stage: Stage, path: string, call: string, native: string, how: Breakage) => {
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  const [said, asked, thrown]: string[][] = [[], [], []];
  page.on('console', (message) => {
    if (/permutive/i.test(message.text())) said!.push(message.text());
  });
  page.on('pageerror', ({ stack = '' }) => {
    // The page's own scripts may stumble.
    if (/-web\./.test(stack) && !stack.includes('/assets/')) thrown!.push(stack);
  });
  page.on('request', (request) => {
    if (request.url().startsWith(stage.demo.api)) asked!.push(request.url());
  });
  const prelude = `if (!window.isBroken) { window.isBroken = true; ${call} (${breakNative.toString()})(${JSON.stringify(native)}, ${JSON.stringify(how)}); }`;
  const script = readFileSync(builtFile(''), 'utf8');
  await page.route(scriptFile, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `${prelude}\n${script}` }),
  );
  await page.route('**/before', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(`${stage.demo.site}/before`);
  const open = async (): Promise<void> => void (await page.goto(stage.demo.site + path, { waitUntil: 'commit' }));
  /** The names under which the SDK keeps something in the browser. */
  const stored = async (): Promise<readonly string[]> => {
    const { cookies, origins } = await context.storageState();
    const isOurs = (name: string): boolean => /^permutive-|^_p/.test(name);
    return [
      ...cookies.map(({ name }) => name),
      ...origins.flatMap(({ localStorage }) => localStorage.map(({ name }) => name)),
    ].filter(isOurs);
  };
  /** As `stored`, once the page is closed. */
  const left = async (): Promise<readonly string[]> => {
    await page.close();
    return stored();
  };
  return { context, page, open, stored, left, said: said!, asked: asked!, thrown: thrown! };
};

const isLine = (text: string): boolean => text.startsWith('Permutive was not initialized. ');

/** What is wrong with a page view on such a page; nothing where all is as it should be. */
const viewFaults = async (stage: Stage, number: number, native: string, how: Breakage): Promise<readonly string[]> => {
  const path = `/blank?consent=required&doc=natives-${number}`;
  const { context, open, left, said, asked, thrown } = await openBroken(stage, path, consent, native, how);
  await open();
  const ofPage = async (name: string) =>
    (await stage.arrived(name)).find(({ properties }) => JSON.stringify(properties).includes(`doc=natives-${number}"`));
  const view = await until(async () => (said.some(isLine) ? null : await ofPage('Pageview')), 'a view or a line');
  const user = view?.user_id;
  const entry =
    user === undefined
      ? undefined
      : await until(
          async () => (await stage.arrived('SegmentEntry')).find(({ user_id }) => user_id === user),
          'a cohort',
        );
  const kept = await left();
  await context.close();
  const faults: readonly (string | false)[] =
    view === null
      ? [
          said.length > 1 && `said more than one line: ${said.join(' | ')}`,
          asked.length > 0 && `asked ${asked.join()}`,
          kept.length > 0 && `stored ${kept.join()}`,
        ]
      : [
          said.length > 0 && `said ${said.join(' | ')}`,
          !uuidV4.test(user ?? '') && `the user is ${user ?? 'none'}`,
          !kept.includes('permutive-id') && 'kept no id',
          !uuidV4.test(view.view_id) && `the view is ${view.view_id}`,
          entry === undefined && 'entered no cohort',
        ];
  return [...faults.filter((fault) => fault !== false), ...thrown.map((stack) => `threw ${stack}`)];
};

/** What a refusal on such a page leaves. */
const refusalFaults = async (stage: Stage, native: string, how: Breakage): Promise<readonly string[]> => {
  const { context, page, open, stored, left, asked } = await openBroken(stage, '/blank', refusal, native, how);
  const host = new URL(stage.demo.site).hostname;
  const id = 'b7c1a3de-0d1f-4a52-9c52-0f6f0d9b8c11';
  await context.addCookies([
    { name: 'permutive-id', value: id, domain: host, path: '/', secure: true, sameSite: 'None' },
  ]);
  await page.evaluate((value) => {
    for (const key of ['permutive-id', 'permutive-app', '_pdfps', '_psegs']) localStorage.setItem(key, value);
  }, id);
  await open();
  const isErased = async (): Promise<true | undefined> =>
    (await context.cookies()).some(({ name }) => name === 'permutive-id') ? undefined : true;
  await until(isErased, 'the erasure');
  // The cookie of the id goes first; a busy machine may interrupt the task before the rest has gone.
  const isKept = (name: string): boolean => name !== 'permutive-consent';
  await until(async () => !(await stored()).some(isKept) || undefined, 'the rest').catch(() => undefined);
  const kept = (await left()).filter(isKept);
  await context.close();
  return [...(kept.length > 0 ? [`left ${kept.join()}`] : []), ...asked.map((url) => `asked ${url}`)];
};

describe('A page that has broken a native', () => {
  const views = new Map<string, readonly string[]>();
  const refusals = new Map<string, readonly string[]>();
  let stage: Stage | undefined;

  beforeAll(async () => {
    const opened = await openStage();
    stage = opened;
    const failed = (cause: unknown): readonly string[] => [String(cause)];
    const waiting = broken.map(([native, how], number) => async () => {
      const name = `${native} ${how}`;
      views.set(name, await viewFaults(opened, number, native, how).catch(failed));
      refusals.set(name, await refusalFaults(opened, native, how).catch(failed));
    });
    const playNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
    };
    await Promise.all(Array.from({ length: atOnce }, playNext));
  }, 1_800_000);
  afterAll(() => stage?.close());

  const faultsIn = (found: ReadonlyMap<string, readonly string[]>): readonly string[] =>
    [...found].flatMap(([name, faults]) => faults.map((fault) => `${name}: ${fault}`));

  test('is tracked as any other, or told so in one line', () => {
    expect(views.size).toBe(broken.length);
    expect(faultsIn(views)).toEqual([]);
  });

  test('has a refusal erase all that is stored', () => {
    expect(faultsIn(refusals)).toEqual([]);
  });
});

/** Scripts of libraries that replace natives, as old pages have them. */
const scriptOf = (path: string): string => readFileSync(resolve(__dirname, '../../../node_modules', path), 'utf8');
const libraries: Readonly<Record<string, string>> = {
  'Prototype.js 1.7.3': scriptOf('prototype-js-core/prototype.js'),
  // What the lists of older ones differ in.
  'Prototype.js 1.6.1': `
    Object.assign(Array.prototype, {
      reduce() { return this.length > 1 ? this : this[0]; },
      entries() { return this.slice(); },
    });
    Array.from = (list) => { const copy = []; for (let i = 0; i < list.length; i += 1) copy.push(list[i]); return copy; };`,
  'es5-shim and es6-shim': scriptOf('es5-shim/es5-shim.js') + scriptOf('es6-shim/es6-shim.js'),
  'Date.js': scriptOf('datejs/lib/date.js'),
  'zone.js': scriptOf('zone.js/bundles/zone.umd.js'),
  'core-js 2': scriptOf('core-js-2/client/shim.js'),
  // What it adds to the language; its package has not what it adds to pages.
  'MooTools 1.5': scriptOf('mootools/lib/mootools-core-1.5.2-server.js'),
  // It replaces methods of lists, texts and numbers by ones that do more.
  'Sugar 1.5': scriptOf('sugar-1/sugar-full.js'),
  'core-js 3': scriptOf('core-js-bundle/index.js'),
  // A page takes it in place of the browser's promises.
  Bluebird: scriptOf('bluebird/js/browser/bluebird.js'),
  // Business applications have their dates written so, in JSON too.
  'dates in the time of Auckland, without a zone': `
    const { toISOString } = Date.prototype;
    Date.prototype.toISOString = Date.prototype.toJSON = function () {
      return toISOString.call(new Date(this.getTime() + 13 * 3600000)).slice(0, 19);
    };`,
};
/** Pages have grown: what was added later has found what was there, and replaced some of it again. */
const together: readonly (readonly [string, ...string[]])[] = [
  ['Prototype.js 1.7.3', 'core-js 2', 'zone.js'],
  ['MooTools 1.5', 'Prototype.js 1.7.3', 'Date.js'],
  ['es5-shim and es6-shim', 'MooTools 1.5', 'core-js 2', 'zone.js'],
  ['core-js 2', 'Prototype.js 1.6.1'],
  ['Bluebird', 'Sugar 1.5', 'core-js 3'],
];

describe('A page with a library that replaces natives', () => {
  const stage = stageForTests();

  test.each([
    ...Object.entries(libraries),
    ...together.map((names) => [names.join(', then '), names.map((name) => libraries[name]).join('</script><script>')]),
  ])('is tracked as any other: %s', async (_, library) => {
    const visitor = await stage.visitor({ expected: /./ });
    // A function, because the text of a library may have `$&`.
    await openChanged(visitor, stage.demo.site, '', (html) =>
      html.replace('<head>', () => `<head><script>${library}</script>`),
    );
    await visitor.ready('realtime');
    const [pageview] = await stage.untilArrived('Pageview');
    expect(pageview?.user_id).toMatch(uuidV4);
    expect((await visitor.cookies())['permutive-id']).toBe(pageview?.user_id);
    await visitor.track('Tracked', { list: ['a', { b: 1 }] });
    const [tracked] = await stage.untilArrived('Tracked');
    expect(tracked?.properties).toMatchObject({ list: ['a', { b: 1 }] });
    await visitor.ask((permutive) => void permutive.track('Dated', { at: new Date(0) }));
    const [dated] = await stage.untilArrived('Dated');
    expect(dated?.properties).toMatchObject({ at: '1970-01-01T00:00:00.000Z' });
    const { last_updated } = JSON.parse((await visitor.storage())['permutive-session']!) as { last_updated: string };
    for (const time of [pageview!.time, tracked!.time, dated!.time, last_updated]) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Math.abs(new Date(time).getTime() - Date.now())).toBeLessThan(60_000);
    }
    await stage.untilEntered(20401);
    expect((await visitor.warnings()).filter((text) => /permutive/i.test(text))).toEqual([]);
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    await until(async () => (Object.hasOwn(await visitor.cookies(), 'permutive-id') ? undefined : true), 'the erasure');
    expect(Object.keys(await visitor.storage())).toEqual(['permutive-consent']);
  });
});
