import { statSync } from 'node:fs';

import { partAt } from '../../bundle/fileNames';
import { builtFile, partFile } from './support/bundleFile';
import { letPass, withClock } from './support/clock';
import type { Permutive } from './support/permutive';
import { stageForTests } from './support/stage';
import { watchStart } from './support/startWatch';
import { until } from './support/until';
import { failedRequests, type Visitor } from './support/visitor';

const noConsent = 'Permutive was not initialized. No consent to run on the page';
const given = { opt_in: true, token: 't' };
const mainFile = partFile('main');
const required = '/blank?consent=required';

/** The files of the bundle that the visitor has loaded, by the names of their parts. */
const filesOf = ({ asked }: Visitor): readonly string[] => asked.flatMap((url) => partAt(url) ?? []);

describe('A page whose visitor was not asked', () => {
  const stage = stageForTests();

  test('loads one file, and does nothing but listen', async () => {
    const visitor = await stage.visitor();
    await withClock(visitor.page);
    const watched = await watchStart(visitor.page);
    await visitor.open(required);
    await visitor.untilWarned(noConsent);
    await letPass(visitor.page, 60_000);
    expect(filesOf(visitor)).toEqual(['']);
    expect(statSync(builtFile('')).size).toBeLessThan(11_000);
    const counts = await watched();
    expect(Object.fromEntries(Object.entries(counts).map(([what, [, all]]) => [what, all]))).toEqual({
      requests: 0,
      // The last page may have left an answer.
      'local storage reads': 1,
      'cookie reads': 1,
      // The page is left, shown or comes back; another tab or host has an answer; somebody asks for the inspector.
      'event listeners': 6,
    });
    expect(await visitor.warnings()).toEqual([noConsent]);
  });

  test('starts where the page no longer requires consent, at its next call', async () => {
    const visitor = await stage.visitor();
    await visitor.open(required);
    await visitor.ask((permutive) => {
      (permutive as unknown as { config: { consentRequired: boolean } }).config.consentRequired = false;
      void permutive.track('Allowed');
    });
    await stage.untilArrived('Allowed');
    expect(await visitor.warnings()).toEqual([noConsent]);
  });

  test('has a doctor, who says what is missing, and starts nothing', async () => {
    const visitor = await stage.visitor();
    await visitor.open(required);
    const findings = await visitor.ask(async (permutive) =>
      JSON.stringify(await (permutive as unknown as { doctor: () => Promise<unknown> }).doctor()),
    );
    expect(findings).toMatch(/consent/i);
    expect(filesOf(visitor)).toEqual(['', 'main', 'inspector']);
    expect(visitor.asked.filter((url) => url.startsWith(stage.demo.api))).toEqual([]);
    expect(Object.keys(await visitor.storage())).toEqual([]);
    await visitor.ask((permutive, answer) => permutive.consent(answer), given);
    await stage.untilArrived('Pageview');
    expect(await visitor.warnings()).toEqual([noConsent]);
  });

  test('announces the answer of another tab', async () => {
    const visitor = await stage.visitor();
    await visitor.page.addInitScript(() => {
      const announced: string[] = [];
      Object.assign(window, { announced });
      for (const name of ['consent-given', 'consent-revoked'])
        window.addEventListener(name, () => announced.push(name));
    });
    const announced = (): Promise<readonly string[]> =>
      visitor.page.evaluate(() => (window as unknown as { announced: string[] }).announced);
    await visitor.open(required);
    const other = await visitor.newTab();
    await other.open(`${required}&other`);
    await other.ask((permutive, answer) => permutive.consent(answer), given);
    await stage.untilArrived('Pageview', 2);
    expect(await announced()).toEqual(['consent-given']);
  });

  test('loads the rest once where it has the script twice', async () => {
    const visitor = await stage.visitor();
    await visitor.open(required);
    await visitor.page.evaluate(async () => {
      const first = document.querySelector<HTMLScriptElement>('script[src$="-web.js"]')!;
      const again = document.createElement('script');
      again.src = first.src;
      await new Promise((done) => {
        again.onload = done;
        document.head.append(again);
      });
    });
    await visitor.ask((permutive, answer) => permutive.consent(answer), given);
    await stage.untilArrived('Pageview');
    expect(filesOf(visitor).filter((part) => part === 'main')).toHaveLength(1);
    expect(await visitor.warnings()).toEqual([noConsent]);
  });
});

describe('A page whose main part', () => {
  const stage = stageForTests();

  /** A visitor whom an earlier page knows. */
  const returning = async (): Promise<Visitor> => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.open('/blank');
    await visitor.ready();
    await visitor.ask((permutive, answer) => permutive.consent(answer), given);
    await stage.untilArrived('Pageview');
    return visitor;
  };
  const track = (permutive: Permutive): void => void permutive.track('Kept', { from: 'stub' });
  /** The events of that page, once there are as many. */
  const eventsOf = (viewId: string, count: number) =>
    until(async () => {
      const found = (await stage.arrived()).filter(({ view_id }) => view_id === viewId);
      return found.length >= count ? found.map(({ name }) => name) : undefined;
    }, 'the events of the page that was left');
  const viewIdOf = (visitor: Visitor): Promise<string> =>
    visitor.ask(({ config }) => (config as { readonly viewId: string }).viewId);

  test('is missing says so in one line, and leaves the calls to the next page', async () => {
    const visitor = await returning();
    await visitor.page.route(mainFile, (route) => route.fulfill({ status: 404, body: '' }));
    await visitor.open('/blank?without');
    await visitor.untilWarned('Permutive was not initialized. Loading chunk main failed');
    await visitor.ask(track);
    const viewId = await viewIdOf(visitor);
    expect(await visitor.warnings()).toHaveLength(1);
    await visitor.page.unroute(mainFile);
    await visitor.open('/blank?next');
    expect(await eventsOf(viewId, 2)).toEqual(['Pageview', 'Kept']);
  });

  test('is slow leaves the calls to the next page, and tells them once', async () => {
    const visitor = await returning();
    const release = await visitor.hold(mainFile);
    const asked = visitor.page.waitForRequest(mainFile);
    await visitor.open('/blank?slow', 'domcontentloaded');
    await asked;
    await visitor.ask(track);
    const viewId = await viewIdOf(visitor);
    await visitor.open('/empty');
    expect((await visitor.storage())['permutive-left-calls']).toContain('Kept');
    release();
    await visitor.open('/blank?next');
    expect(await eventsOf(viewId, 2)).toEqual(['Pageview', 'Kept']);
    await visitor.ready();
    await visitor.track('Last');
    await stage.untilArrived('Last');
    expect(await eventsOf(viewId, 2)).toEqual(['Pageview', 'Kept']);
  });

  test('has come keeps nothing for the next page that it sends itself', async () => {
    const visitor = await returning();
    await visitor.open('/blank?begun');
    await visitor.ask(track);
    const viewId = await viewIdOf(visitor);
    await visitor.open('/empty');
    expect((await visitor.storage())['permutive-left-calls']).toBeUndefined();
    await visitor.open('/blank?next');
    const events = await eventsOf(viewId, 2);
    expect(events.filter((name) => name === 'Kept')).toHaveLength(1);
  });

  test.each([
    ['works', 'function (...given) { return isArray.apply(this, given); }', true],
    ['does not work', 'function () {}', false],
  ])('finds a native that a script has replaced meanwhile, and that %s', async (_, text, isTracked) => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(mainFile);
    const asked = visitor.page.waitForRequest(mainFile);
    await visitor.open('/blank', 'domcontentloaded');
    await asked;
    await visitor.page.evaluate((code) => {
      const { isArray } = Array;
      // oxlint-disable-next-line typescript/no-implied-eval -- a script of the page
      Array.isArray = (new Function('isArray', `return ${code}`) as (given: unknown) => typeof isArray)(isArray);
    }, text);
    release();
    if (isTracked) await stage.untilArrived('Pageview');
    else await visitor.untilWarned('The page has replaced Array.isArray by what does not work');
    expect(await visitor.warnings()).toHaveLength(isTracked ? 0 : 1);
  });
});
