import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

import type { Followed } from '../../command/companion/followVisits';
import type { Finding } from '../../src/model/finding';
import { listedVendors, tcStringOf } from '../support/tcString';
import { bidderNames, bids, type Pbjs } from './support/auction';
import { bundleDelay, type ExampleOptions, type ExamplePage, serveExample } from './support/examplePage';
import { frameOf, inspect, openTab, textOf, untilText } from './support/inspector';
import { stageForTests } from './support/stage';
import { failedRequests, type Visitor } from './support/visitor';

interface Ended {
  readonly code: number;
  readonly printed: string;
}

const root = resolve(__dirname, '../..');
const report = (...args: readonly string[]): Promise<Ended> =>
  new Promise((ended) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', resolve(root, 'command/main.ts'), 'companion', ...args],
      { cwd: root },
      (error, stdout, stderr) => ended({ code: Number(error?.code ?? 0), printed: stdout + stderr }),
    );
  });

interface Tag {
  readonly setConfig: (config: object) => void;
  readonly pubads: () => { readonly refresh: () => void };
}

const doctorIn = (visitor: Visitor): Promise<readonly Finding[]> =>
  visitor.ask((permutive) => (permutive as unknown as { doctor: () => Promise<readonly Finding[]> }).doctor());

/** A script that takes a method of Google's tag before the SDK does, and writes with it between two requests. */
const eraser = `
googletag.cmd.push(function () {
  var kept = googletag.setConfig;
  permutive.ready(function () {
    setTimeout(function () {
      googletag.pubads().refresh();
      setTimeout(function () {
        kept({ pps: { taxonomies: { IAB_AUDIENCE_1_1: { values: ['9'] } } } });
        kept({ targeting: { permutive: 'other' } });
        googletag.pubads().refresh();
      }, 50);
    }, 200);
  }, 'realtime');
});`;

const allowed = (count: number, but?: number): Readonly<Record<number, boolean>> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [i + 1, i + 1 !== but]));
/** OpenX, by its number in the list of vendors. */
const openx = 69;
/**
 * Settings of Prebid for a visitor who allows all but one vendor everything, and the publisher too, in whose name
 * Prebid's module reads codes. The vendor may bid, because it claims a legitimate interest in that, and may not have
 * data of the visitor.
 */
const allButOpenx = {
  consentManagement: {
    gdpr: {
      cmpApi: 'static',
      consentData: {
        getTCData: {
          tcString: tcStringOf({ vendors: listedVendors }),
          gdprApplies: true,
          purpose: { consents: allowed(11), legitimateInterests: allowed(11) },
          vendor: { consents: allowed(1500, openx), legitimateInterests: allowed(1500) },
          publisher: { consents: allowed(11), legitimateInterests: allowed(11), restrictions: {} },
          specialFeatureOptins: allowed(2),
        },
      },
    },
  },
};

describe('The report of ad requests', () => {
  const stage = stageForTests();
  const pages: ExamplePage[] = [];
  afterEach(() => pages.splice(0).forEach(({ close }) => close()));
  const example = async (options: ExampleOptions): Promise<string> => {
    const page = await serveExample(stage.demo, options);
    pages.push(page);
    return page.address;
  };

  describe('by npm run companion', () => {
    test('has the codes in each first request of the second view', async () => {
      const address = await example({ hasCompanion: true, hasAuction: true });
      const { code, printed } = await report(address, '--json');
      const { views, writes, findings } = JSON.parse(printed) as Followed;
      const [, second = []] = views;
      const google = second.filter(({ bidder }) => bidder === 'Google');
      expect(google.map(({ slot }) => slot)).toContain('/1/first');
      for (const { at, codes, missing } of google) {
        expect(at).toBeLessThan(bundleDelay);
        expect(codes?.length).toBeGreaterThan(0);
        expect(missing).toEqual([]);
      }
      for (const name of bidderNames) {
        const codes = second.filter(({ bidder }) => bidder === name).flatMap((row) => row.codes ?? []);
        expect(`${name}: ${codes.length > 0}`).toBe(`${name}: true`);
      }
      expect(second.filter(({ missing }) => missing.length > 0)).toEqual([]);
      // Before the SDK the companion writes, and Google's requests have what was written last.
      const [first] = writes[1]?.filter(({ place }) => place === 'key permutive') ?? [];
      expect(first).toMatchObject({
        by: expect.stringMatching(/^the page, line \d+$/) as string,
        codes: google[0]?.codes,
      });
      expect(writes[1]?.filter(({ by }) => by === 'the SDK').map(({ place }) => place)).toEqual(
        expect.arrayContaining(['key permutive', 'publisher provided signals', 'ortb2']),
      );
      expect(findings).toEqual([]);
      expect(code).toBe(0);
    });

    test('says which script has taken codes and entries out of a request', async () => {
      const { code, printed } = await report(await example({ hasCompanion: true, otherScript: eraser }));
      expect(printed).toMatch(/^2 +\d+ ms +Google +\/1\/first +other +4:9 +- .*\d{5} .*4:268/m);
      expect(printed).toMatch(/^2 +\d+ ms +key permutive +http:\/\/localhost:\d+\/other\.js, line 9 +other$/m);
      expect(printed).toMatch(
        /^2 +\d+ ms +publisher provided signals +http:\/\/localhost:\d+\/other\.js, line 8 +4:9$/m,
      );
      expect(printed).toMatch(/^\d of \d ad requests of the second view lacked what another request had\.$/m);
      expect(printed).toMatch(
        /^warning {2}ad requests {2}The request of slot \/1\/first at \d+ ms lacks codes that an/m,
      );
      expect(code).toBe(1);
    });

    test('tells what a page without the companion lacks, and what to do', async () => {
      const { code, printed } = await report(await example({ hasCompanion: false }));
      expect(printed).toMatch(/^2 +\d+ ms +Google +\/1\/first +- +\w+/m);
      expect(printed).toMatch(/ad requests of the second view lacked codes that the first had stored\.$/m);
      expect(printed).toMatch(/^warning {2}ad requests {2}The companion is missing, so that/m);
      expect(printed).toMatch(/^ +→ Put the text of dist\/[\w-]+-companion\.js into a script element/m);
      expect(printed).toMatch(
        /^warning {2}ad requests {2}Codes came \d+ ms after the first request of slot \/1\/first$/m,
      );
      expect(code).toBe(1);
    });

    test('says that a page does not answer, and asks for an address', async () => {
      expect(await report('http://127.0.0.1:1/')).toMatchObject({
        code: 2,
        printed: expect.stringContaining('The page has not loaded: ') as string,
      });
      expect(await report(`${stage.demo.site}/nowhere`)).toMatchObject({
        code: 2,
        printed: expect.stringContaining('it answers with status 404') as string,
      });
      expect(await report('front page')).toMatchObject({ code: 2 });
    });
  });

  describe('in the inspector', () => {
    const secondView = async (options: ExampleOptions): Promise<Visitor> => {
      const address = await example(options);
      const visitor = await stage.visitor({ expected: failedRequests });
      for (const query of ['', '?__permutive.inspector=true']) {
        await visitor.page.goto(address + query);
        await visitor.ready('realtime');
        // Services give cohorts later, and until their entries are told a request seems to lack their codes.
        await visitor.ask((permutive) => permutive.startup());
      }
      return visitor;
    };

    test('has the codes in the first request', async () => {
      const frame = await frameOf(await secondView({ hasCompanion: true, hasAuction: true }));
      await openTab(frame, 'Ad requests');
      await untilText(frame, 'had all codes that the last page has stored');
      const first = await frame.textContent('tbody tr:has-text("/1/first")');
      expect(first).toMatch(/^\/1\/firstGoogle\d+ ms\d{5}, /);
      expect(await frame.$$('tbody .bad')).toEqual([]);
      for (const name of bidderNames)
        expect(await frame.textContent(`tbody tr:has(td:text-is("${name}"))`)).toMatch(/^auctioned\w+\d+ ms\w+/);
      await openTab(frame, 'Health');
      expect(await untilText(frame, 'The SDK is version')).not.toContain('ad requests');
    });

    test('says what is missing without the companion, and how to mend it', async () => {
      const frame = await frameOf(await secondView({ hasCompanion: false }));
      await openTab(frame, 'Ad requests');
      await untilText(frame, '1 of 1 requests lacked codes that the last page has stored.');
      expect(await frame.textContent('tbody tr td .bad')).toMatch(/^\d{5}, /);
      await openTab(frame, 'Health');
      await untilText(frame, 'The companion is missing');
      expect(await textOf(frame)).toMatch(/Codes came \d+ ms after the first request of slot \/1\/first/);
    });

    test('says what another script has taken out of a later request of Google’s tag', async () => {
      const visitor = await stage.visitor({ expected: failedRequests });
      const { page } = visitor;
      await page.goto(await example({ hasCompanion: true }), { waitUntil: 'commit' });
      // The other script takes the method while the SDK is still on its way.
      await page.waitForFunction(() => {
        const { googletag: tag } = window as unknown as { googletag?: Tag };
        if (tag?.setConfig === undefined) return false;
        Object.assign(window, { kept: tag.setConfig.bind(tag) });
        return true;
      });
      await visitor.ready('realtime');
      await visitor.ask((permutive) => permutive.startup());
      const asked = (count: number): Promise<unknown> =>
        page.waitForFunction(
          (wanted) =>
            performance.getEntriesByType('resource').filter(({ name }) => name.includes('/gampad/ads?')).length >=
            wanted,
          count,
        );
      const refresh = (): Promise<void> =>
        page.evaluate(() => (window as unknown as { googletag: Tag }).googletag.pubads().refresh());
      await asked(1);
      await refresh();
      await asked(2);
      await page.evaluate(() => {
        const { kept } = window as unknown as { kept: Tag['setConfig'] };
        kept({ pps: { taxonomies: { IAB_AUDIENCE_1_1: { values: ['9'] } } }, targeting: { permutive: 'other' } });
      });
      await refresh();
      await asked(3);
      const findings = await doctorIn(visitor);
      expect(findings.filter(({ finding }) => finding.includes(' lacks '))).toEqual([
        expect.objectContaining({
          severity: 'warning',
          finding: expect.stringMatching(
            /^The request of slot \/1\/first at \d+ ms lacks codes that an earlier one had: .*\d{5}/,
          ) as string,
        }),
        expect.objectContaining({
          severity: 'warning',
          finding: expect.stringMatching(
            /^The request of slot \/1\/first at \d+ ms lacks entries of taxonomies that an earlier one had: 4:268$/,
          ) as string,
        }),
      ]);
      await inspect(visitor);
      const frame = await frameOf(visitor);
      await openTab(frame, 'Ad requests');
      await untilText(frame, '1 of 3 requests lacked what another one had');
      expect(await frame.textContent('tbody tr:nth-child(2)')).toMatch(/other|4:268nothing$/);
      expect(await frame.textContent('tbody tr:nth-child(3)')).toMatch(/other4:9taken out: .*\d{5}.*, 4:268/);
    });

    test('says which bidder Prebid’s module for consent has kept data of the visitor from', async () => {
      const visitor = await secondView({ hasCompanion: true, hasAuction: true });
      await visitor.page.evaluate(
        ([given, asked]) =>
          new Promise<void>((resolve) => {
            const { pbjs } = window as unknown as { pbjs: Pbjs };
            pbjs.setConfig(given);
            pbjs.requestBids({
              adUnits: [{ code: 'again', mediaTypes: { banner: { sizes: [[300, 250]] } }, bids: asked }],
              bidsBackHandler: () => resolve(),
            });
          }),
        [allButOpenx, bids] as const,
      );
      const findings = await doctorIn(visitor);
      expect(findings.filter(({ finding }) => finding.includes(' lacks '))).toEqual([
        {
          severity: 'warning',
          where: 'ad requests',
          finding: expect.stringMatching(
            /^The request of openx for slot again at \d+ ms lacks entries of taxonomies that another one had: 4:268$/,
          ) as string,
          fix: expect.stringMatching(/ This page has tcfControl, gppControl_usnat\.$/) as string,
        },
      ]);
    });
  });
});
