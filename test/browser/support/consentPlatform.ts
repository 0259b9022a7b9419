import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { type Decision, listedVendors, tcStringOf } from '../../support/tcString';
import { scriptFile, type Visitor } from './visitor';

/** A consent platform made of the IAB's own packages, in a visitor's page. */
export interface ConsentPlatform {
  /** From the next page on, the IAB's stub stands in the page before anything else. */
  readonly withStub: () => Promise<void>;
  /** The stub comes now. */
  readonly addStub: () => Promise<void>;
  /** Opens a page of the site. */
  readonly open: (path: string) => Promise<void>;
  /** The platform itself is there, and takes over from the stub. */
  readonly start: () => Promise<void>;
  readonly showDialog: () => Promise<void>;
  /**
   * The visitor has agreed to these vendors, now or earlier; null: GDPR does not apply. Unless something else is said,
   * to all purposes, and all vendors of the list were shown.
   */
  readonly answer: (vendors: readonly number[] | null, more?: Omit<Decision, 'vendors'>) => Promise<void>;
  /** Listeners that the platform would tell. */
  readonly listeners: () => Promise<number>;
}

const folder = resolve(__dirname, '../../../node_modules/@iabtechlabtcf');
const stub = readFileSync(join(folder, 'stub/lib/stub.js'), 'utf8');
const address = '/iabtechlabtcf/';

// Loaded before the SDK, started when a test says so: what a test does in the two seconds that the SDK waits is quick
// then. As text: the tests' compiler would make something else of `import()`.
const preparing = `(async () => {
  const { CmpApi } = await import('${address}cmpapi/index.js');
  const { CmpApiModel } = await import('${address}cmpapi/CmpApiModel.js');
  window.startCmp = () => (window.cmp = new CmpApi(30, 1, true));
  window.listeners = () => CmpApiModel.eventQueue.size;
})()`;

interface Cmp {
  readonly update: (tcString: string | null, isOpen?: boolean) => void;
}
interface WithCmp {
  readonly startCmp: () => void;
  readonly cmp: Cmp;
  readonly listeners: () => number;
}

export const consentPlatform = async ({ page, context, hold }: Visitor, site: string): Promise<ConsentPlatform> => {
  // Modules as they are published: the browser finds them under one folder of the site.
  await context.route(`**${address}**`, (route) => {
    const [name = '', ...path] = new URL(route.request().url()).pathname.slice(address.length).split('/');
    const body = readFileSync(join(folder, name, 'lib/mjs', ...path), 'utf8').replaceAll(
      "'@iabtechlabtcf/core'",
      `'${address}core/index.js'`,
    );
    return route.fulfill({ body, contentType: 'text/javascript' });
  });
  return {
    withStub: async () => {
      await page.addInitScript(stub);
    },
    addStub: async () => {
      await page.evaluate(stub);
    },
    open: async (path) => {
      const release = await hold(scriptFile);
      await page.goto(site + path, { waitUntil: 'domcontentloaded' });
      await page.evaluate(preparing);
      release();
    },
    start: () => page.evaluate(() => (window as unknown as WithCmp).startCmp()),
    showDialog: () => page.evaluate(() => (window as unknown as WithCmp).cmp.update('', true)),
    answer: (vendors, more) =>
      page.evaluate(
        (tcString) => (window as unknown as WithCmp).cmp.update(tcString),
        vendors && tcStringOf({ disclosed: listedVendors, ...more, vendors }),
      ),
    listeners: () => page.evaluate(() => (window as unknown as WithCmp).listeners()),
  };
};
