import { domReads } from '../../scripts/domReads';
import { openChanged } from './support/changedPage';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Visitor } from './support/visitor';

/**
 * Notes which members of these objects a script of the bundle reads. Runs in the page, before the SDK. Browsers let no
 * script replace a member of `location`.
 */
const noteReads = `
  window.reads = [];
  const wanted = { navigator: ['globalPrivacyControl'], document: ['prerendering'], screen: [], performance: [] };
  for (const [owner, others] of Object.entries(wanted)) {
    const object = window[owner];
    const note = (name, read) => Object.defineProperty(object, name, {
      configurable: true,
      get: () => {
        if (/-web(\\.|:)/.test(new Error().stack)) window.reads.push(owner + '.' + name);
        return read();
      },
      set: (value) => void Reflect.set(Object.getPrototypeOf(object), name, value, object),
    });
    const known = new Set();
    for (let from = object; from !== Object.prototype; from = Object.getPrototypeOf(from))
      for (const name of Object.getOwnPropertyNames(from)) {
        if (known.has(name) || Object.getOwnPropertyDescriptor(from, name).configurable === false) continue;
        known.add(name);
        note(name, () => Reflect.get(from, name, object));
      }
    for (const name of others) if (!known.has(name)) note(name, () => undefined);
  }`;

const withScript = (visitor: Visitor, site: string, script: string): Promise<void> =>
  openChanged(
    visitor,
    site,
    '?gpt=none',
    (html) => html.replace('<head>', () => `<head><script>{${script}}</script>`),
    'domcontentloaded',
  );

const getters = {
  undefined: 'undefined',
  null: 'null',
  'a number': '7',
  'an error': '(() => { throw Error("no") })()',
};
/** What a page view says where the browser does not say it. */
const saidWithout: Readonly<Record<string, object>> = {
  'document.title': { title: '' },
  'document.referrer': { referrer: '' },
  'navigator.userAgent': { user_agent: expect.stringMatching(/^ PermutiveWebSDK/) as unknown },
};

/** Runs the page script as loaders of scripts do, which say whose text it is. Runs in the page. */
const runItself = `
  addEventListener('DOMContentLoaded', async () => {
    const element = document.querySelector('script[type="text/plain"]');
    const text = await (await fetch(element.src)).text();
    Object.defineProperty(document, 'currentScript', { configurable: true, get: () => element });
    (0, eval)(text);
  });`;

describe('A loader that runs the page script itself', () => {
  const stage = stageForTests();

  test('has page views, also where it goes on naming that script', async () => {
    const visitor = await stage.visitor();
    await openChanged(visitor, stage.demo.site, '?gpt=none', (html) =>
      html
        .replace(' async src=', () => ' type="text/plain" src=')
        .replace('<head>', () => `<head><script>${runItself}</script>`),
    );
    await visitor.ready('realtime');
    expect(await stage.untilArrived('Pageview')).toHaveLength(1);
  });
});

describe('A page or an extension that takes a fact of the browser away', () => {
  const stage = stageForTests({ keepsVisits: true });
  let reads: readonly string[] = [];

  /** What the SDK makes of a page on which a member is broken: a page view, or what the console says. */
  const outcomeOf = async (member: string, getter: string) => {
    const visitor = await stage.visitor();
    const [owner, name] = member.split('.') as [string, string];
    await withScript(
      visitor,
      stage.demo.site,
      `Object.defineProperty(${owner}, '${name}', { configurable: true, get: () => ${getter}, set: () => {} })`,
    );
    const url = await visitor.page.evaluate(() => location.href);
    const outcome = await until(async () => {
      const view = (await stage.arrived('Pageview')).find(({ properties: { client } }) => urlOf(client) === url);
      const line = (await visitor.warnings()).find((text) => text.startsWith('Permutive was not initialized. '));
      return view?.properties['client'] ?? line;
    }, `a page view or a line without ${member}`);
    await visitor.context.close();
    return outcome;
  };
  const urlOf = (client: unknown): unknown => (client as { readonly url?: unknown }).url;

  beforeAll(async () => {
    const visitor = await stage.visitor();
    await withScript(visitor, stage.demo.site, noteReads);
    await visitor.ready('realtime');
    await stage.untilArrived('SegmentEntry');
    const noted = () => visitor.page.evaluate(() => (window as unknown as { reads: string[] }).reads);
    // Also what only some visits read.
    const inDocument = await visitor.page.evaluate((names) => names.filter((name) => name in document), domReads());
    reads = [...new Set([...(await noted()), ...inDocument.map((name) => `document.${name}`)])].sort();
  });

  test('finds few that a visit depends on', () => {
    expect(reads.filter((member) => !member.startsWith('document.'))).toEqual([
      'navigator.globalPrivacyControl',
      'navigator.locks',
      'navigator.sendBeacon',
      'navigator.userAgent',
    ]);
    expect(reads).toEqual(expect.arrayContaining(['document.referrer', 'document.title', 'document.cookie']));
  });

  test.each(Object.entries(getters))('has page views all the same where the answer is %s', async (answer, getter) => {
    for (const member of reads) {
      const outcome = await outcomeOf(member, getter);
      expect([member, answer, outcome]).toEqual([member, answer, expect.objectContaining(saidWithout[member] ?? {})]);
    }
  });
});
