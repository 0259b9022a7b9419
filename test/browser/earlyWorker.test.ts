import { partFile } from './support/bundleFile';
import { needs } from './support/needs';
import { type Stage, stageForTests } from './support/stage';
import { until } from './support/until';
import { failedRequests, type Visitor, workerFile } from './support/visitor';

const mainFile = partFile('main');
const noConsent = 'Permutive was not initialized. No consent to run on the page';
const given = { opt_in: true, token: 't' };
const refusal = { opt_in: false, token: '' };

/** How often the visitor's pages have asked for the worker's engine. */
const askedFor = ({ asked }: Visitor): number => asked.filter((url) => workerFile.test(url)).length;

/** Opens the page, and waits until it has asked for the main part, which does not come before `release`. */
const openWithout = async (visitor: Visitor, path: string) => {
  const release = await visitor.hold(mainFile);
  const asked = visitor.page.waitForRequest(mainFile);
  await visitor.open(path, 'domcontentloaded');
  await asked;
  return release;
};

const untilAsked = (visitor: Visitor): Promise<true> =>
  until(() => Promise.resolve(askedFor(visitor) > 0 || undefined), 'the request for the worker');
const untilEnded = (visitor: Visitor): Promise<true> =>
  until(() => Promise.resolve(visitor.page.workers().length === 0 || undefined), 'the end of the worker');

/** A visitor who has refused on an earlier page. */
const refusing = async (stage: Stage): Promise<Visitor> => {
  const visitor = await stage.visitor({ expected: failedRequests });
  await visitor.open('/blank');
  await visitor.ready();
  await visitor.ask((permutive, answer) => permutive.consent(answer), refusal);
  await untilEnded(visitor);
  visitor.asked.length = 0;
  return visitor;
};

describe('While the main part loads, the engine’s worker', () => {
  const stage = stageForTests();

  needs('workers')('loads where there is consent, and is the one that the visit uses', async () => {
    const visitor = await stage.visitor();
    const release = await openWithout(visitor, '/blank');
    await untilAsked(visitor);
    release();
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    expect([visitor.page.workers().length, askedFor(visitor)]).toEqual([1, 1]);
    expect(await visitor.warnings()).toEqual([]);
  });

  needs('workers')('loads where the visitor has just consented', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank?consent=required');
    await visitor.untilWarned(noConsent);
    expect([visitor.page.workers().length, askedFor(visitor)]).toEqual([0, 0]);
    const release = await visitor.hold(mainFile);
    await visitor.ask((permutive, answer) => permutive.consent(answer), given);
    await untilAsked(visitor);
    release();
    await stage.untilArrived('SegmentEntry');
    expect([visitor.page.workers().length, askedFor(visitor)]).toEqual([1, 1]);
  });

  needs('workers')('does not load where the visitor has refused', async () => {
    const visitor = await refusing(stage);
    const release = await openWithout(visitor, '/blank?later');
    release();
    // The stub of the queue answers nothing.
    const answered = async (): Promise<readonly unknown[] | undefined> =>
      visitor.ask((permutive) => permutive.segments());
    expect(await until(answered, 'the answer of the main part')).toEqual([]);
    expect([visitor.page.workers().length, askedFor(visitor)]).toEqual([0, 0]);
    await visitor.ask((permutive, answer) => permutive.consent(answer), given);
    await stage.untilArrived('SegmentEntry');
    expect(askedFor(visitor)).toBe(1);
  });

  needs('workers')('does not load for a doctor whose visitor was not asked', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank?consent=required');
    await visitor.ask((permutive) => (permutive as unknown as { doctor: () => Promise<unknown> }).doctor());
    expect([visitor.page.workers().length, askedFor(visitor)]).toEqual([0, 0]);
  });

  needs('workers')('ends where the visitor refuses meanwhile', async () => {
    const visitor = await stage.visitor();
    const release = await openWithout(visitor, '/blank');
    await untilAsked(visitor);
    await visitor.ask((permutive, answer) => permutive.consent(answer), refusal);
    release();
    await untilEnded(visitor);
    expect(await stage.arrived()).toEqual([]);
    await visitor.ask((permutive, answer) => permutive.consent(answer), given);
    await stage.untilArrived('SegmentEntry');
    expect(visitor.page.workers()).toHaveLength(1);
  });

  needs('workers')('ends where the main part is missing', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.page.route(mainFile, (route) => route.fulfill({ status: 404, body: '' }));
    await visitor.open('/blank');
    await visitor.untilWarned('Permutive was not initialized. Loading chunk main failed');
    await untilEnded(visitor);
    expect(askedFor(visitor)).toBeLessThanOrEqual(1);
  });

  needs('workers')('ends where the page replaces a native by what does not work', async () => {
    const visitor = await stage.visitor();
    const release = await openWithout(visitor, '/blank');
    await untilAsked(visitor);
    await visitor.page.evaluate(() => void (Array.isArray = (() => undefined) as unknown as typeof Array.isArray));
    release();
    await visitor.untilWarned('The page has replaced Array.isArray by what does not work');
    await untilEnded(visitor);
  });

  test('fails without a word to the page, and the engine runs on the page then', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.page.addInitScript(() => {
      const heard: unknown[] = [];
      Object.assign(window, { heard, onerror: (message: unknown) => heard.push(message) });
    });
    const failed = visitor.page.waitForEvent('requestfailed', (request) => workerFile.test(request.url()));
    await visitor.page.route(workerFile, (route) => route.abort());
    const release = await openWithout(visitor, '/blank?permutive_debug=true');
    await failed;
    release();
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    expect(await visitor.warnings()).toEqual([expect.stringContaining('queries are evaluated on the page')]);
    expect(await visitor.page.evaluate(() => (window as unknown as { heard: unknown[] }).heard)).toEqual([]);
  });
});
