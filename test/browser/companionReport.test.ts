import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

import type { Followed } from '../../command/companion/followVisits';
import { bidderNames } from './support/auction';
import { bundleDelay, type ExampleOptions, type ExamplePage, serveExample } from './support/examplePage';
import { frameOf, openTab, textOf, untilText } from './support/inspector';
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
      const { views, findings } = JSON.parse(printed) as Followed;
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
      expect(findings).toEqual([]);
      expect(code).toBe(0);
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
  });
});
