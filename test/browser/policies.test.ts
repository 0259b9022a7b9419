import { project } from '../../demo/project/project';
import { partFile } from './support/bundleFile';
import { changeBundle, withPrelude } from './support/changedBundle';
import { letPass, withClock } from './support/clock';
import { needs } from './support/needs';
import { pause } from './support/pause';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { untilSettled } from './support/untilSettled';
import { failedRequests, refusedWorkers, type Visitor, workerFile } from './support/visitor';

const pageEngineFile = partFile('engine');
const refusedWorker = 'queries are evaluated on the page';

/** Addresses of the bundle's files that the pages of this visitor ask for. */
const filesOf = ({ context }: Visitor): readonly string[] => {
  const files: string[] = [];
  context.on('request', (request) => {
    if (request.url().includes(project.workspaceId)) files.push(request.url());
  });
  return files;
};

describe('A strict policy', () => {
  const stage = stageForTests();

  const withViolations = async (visitor: Visitor): Promise<() => Promise<readonly string[]>> => {
    await visitor.page.addInitScript(() => {
      const violations: string[] = [];
      Object.assign(window, { violations });
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
        violations.push(`${violatedDirective} ${blockedURI} ${sample}`),
      );
    });
    return () => visitor.page.evaluate(() => (window as unknown as { violations: string[] }).violations);
  };

  needs('workers')('of nonce, strict-dynamic and trusted types is kept to, with the engine in a worker', async () => {
    const visitor = await stage.visitor();
    const files = filesOf(visitor);
    const violations = await withViolations(visitor);
    await visitor.open('/?csp=strict&permutive_debug=true');
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    expect(await visitor.ask((permutive) => permutive.segments())).toContain(20401);
    expect(visitor.page.workers()).toHaveLength(1);
    expect(files.filter((file) => pageEngineFile.test(file))).toEqual([]);
    expect(await violations()).toEqual([]);
    expect(await visitor.warnings()).toEqual([]);
  });

  test('that is broken is noticed by these tests', async () => {
    const visitor = await stage.visitor({
      expected: /Trusted Type|TrustedScript|Content Security Policy|blocked assigning to an injection sink/,
    });
    const violations = await withViolations(visitor);
    await visitor.open('/?csp=strict');
    await visitor.page.evaluate(() => {
      try {
        new Worker('/assets/ads.js');
      } catch {
        // The policy at work.
      }
    });
    expect(await violations()).not.toEqual([]);
  });

  needs('workers')('that refuses workers moves the engine to the page, with one warning', async () => {
    const visitor = await stage.visitor({ expected: refusedWorkers });
    const files = filesOf(visitor);
    await visitor.open('/blank?csp=noworker&permutive_debug=true');
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    expect(await visitor.ask((permutive) => permutive.segments())).toContain(20401);
    expect(visitor.page.workers()).toEqual([]);
    expect(files.filter((file) => pageEngineFile.test(file))).toHaveLength(1);
    expect(await visitor.warnings()).toEqual([expect.stringContaining(refusedWorker)]);
  });

  test('that refuses workers does not stop counting over pages', async () => {
    const visitor = await stage.visitor({ expected: refusedWorkers });
    await visitor.open('/blank?csp=noworker');
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    await visitor.open('/blank?csp=noworker');
    await visitor.ready();
    await until(
      async () => ((await visitor.ask((permutive) => permutive.segment(20403))) ? true : undefined),
      'the cohort of two page views',
    );
  });
});

describe('A policy that refuses workers', () => {
  const stage = stageForTests();

  test('gets one report of a violation from two pages of a tab', async () => {
    const visitor = await stage.visitor({ expected: refusedWorkers });
    const files = filesOf(visitor);
    const reports: string[] = [];
    await visitor.context.exposeFunction('toldOfViolation', (directive: string) => void reports.push(directive));
    await visitor.context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        (window as unknown as { toldOfViolation: (directive: string) => void }).toldOfViolation(effectiveDirective),
      );
    });
    for (const page of ['first', 'second']) {
      await visitor.open(`/blank?csp=noworker&page=${page}`);
      await visitor.ready();
      expect(await visitor.ask((permutive) => permutive.segments())).toContain(20401);
    }
    expect(files.filter((file) => pageEngineFile.test(file))).toHaveLength(2);
    expect(reports).toEqual(['worker-src']);
    expect(await visitor.page.evaluate(() => Object.keys(sessionStorage))).toEqual(['__permutiveWorkerRefused']);
  });
});

describe('A worker file that', () => {
  const stage = stageForTests();

  test.each([
    ['is missing', { status: 404 }],
    [
      'is something else',
      { status: 200, contentType: 'text/javascript', body: 'throw new Error("no worker of ours")' },
    ],
  ] as const)('%s leaves the engine to the page', async (_, answer) => {
    const visitor = await stage.visitor({ expected: /^Failed to load resource|^no worker of ours$/ });
    await visitor.page.route(workerFile, (route) => route.fulfill(answer));
    await visitor.open('/blank?permutive_debug=true');
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    expect(await visitor.ask((permutive) => permutive.segments())).toContain(20401);
    expect(await visitor.warnings()).toEqual([expect.stringContaining(refusedWorker)]);
    await visitor.ask((permutive) => permutive.track('LoginStatus', { logged_in: true }));
    await until(
      async () => ((await visitor.ask((permutive) => permutive.segment(20417))) ? true : undefined),
      'the cohort of readers who are logged in',
    );
  });

  test('fails costs no event that came in while the page took over', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.page.route(workerFile, (route) => route.abort());
    const release = await visitor.hold(partFile('engine'));
    const engine = visitor.page.waitForRequest((request) => pageEngineFile.test(request.url()));
    await visitor.open('/blank', 'domcontentloaded');
    await engine;
    await visitor.ask((permutive) => void permutive.track('LoginStatus', { logged_in: true }));
    release();
    await visitor.ready();
    await stage.untilArrived('LoginStatus');
    await until(
      async () => ((await visitor.ask((permutive) => permutive.segment(20417))) ? true : undefined),
      'the cohort of readers who are logged in',
    );
    expect(await visitor.ask((permutive) => permutive.segment(20401))).toBe(true);
  });

  test('fails together with its stand-in costs the cohorts, and the page nothing', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    for (const file of [workerFile, pageEngineFile]) await visitor.page.route(file, (route) => route.abort());
    await visitor.open('/blank?permutive_debug=true');
    await visitor.untilWarned('No engine could be loaded, the cohorts stay as they are');
    // Events go on without an engine.
    await stage.untilArrived('Pageview');
  });
});

describe('The tag', () => {
  const stage = stageForTests();

  needs('workers')('that has the bundle twice starts it once', async () => {
    const visitor = await stage.visitor();
    const files = filesOf(visitor);
    await visitor.open('/blank?twice=1&permutive_debug=true');
    await visitor.ready();
    await untilSettled(stage, visitor);
    expect(await stage.arrived('Pageview')).toHaveLength(1);
    expect(new Set((await stage.arrived()).map(({ user_id }) => user_id)).size).toBe(1);
    const entries = (await stage.arrived('SegmentEntry')).map(({ properties }) => properties['segment_number']);
    expect(new Set(entries).size).toBe(entries.length);
    expect(visitor.page.workers()).toHaveLength(1);
    expect(files.filter((file) => workerFile.test(file))).toHaveLength(1);
    expect(await visitor.warnings()).toEqual([]);
  });

  test.each(['workspace', 'project', 'short', 'queue'])('in its form “%s” loads', async (form) => {
    const visitor = await stage.visitor();
    await visitor.open(`/blank?tag=${form}`);
    await visitor.ready();
    const [pageview] = await stage.untilArrived('Pageview');
    await stage.untilArrived('SegmentEntry');
    expect(pageview?.properties['type']).toBe('blank');
    expect(await visitor.ask((permutive) => permutive.segments())).toContain(20401);
    expect((await visitor.targeting())['prmtvwid']).toEqual([project.workspaceId]);
    for (const { query } of await stage.requests('/batch/events')) expect(query).toContain(`k=${project.apiKey}`);
    expect(await stage.rejected()).toEqual([]);
    expect(await visitor.warnings()).toEqual([]);
  });

  test('that is missing is asked for, once', async () => {
    const visitor = await stage.visitor();
    await withClock(visitor.page);
    await visitor.open('/empty');
    await visitor.untilWarned('Permutive was not initialized.');
    await letPass(visitor.page, 60_000);
    expect(await visitor.warnings()).toEqual(["Permutive was not initialized. Can't find permutive tag on the page"]);
    expect(await stage.requests()).toEqual([]);
    expect(await visitor.storage()).toEqual({});
    expect(await visitor.cookies()).toEqual({});
  });
});

describe('A browser that is too old', () => {
  const stage = stageForTests();

  const isLeftAlone = async (removal: string, reason: string): Promise<void> => {
    const visitor = await stage.visitor();
    await changeBundle(visitor.page, withPrelude(removal, ''));
    await visitor.open('/blank?gpt=none');
    await visitor.untilWarned('Permutive was not initialized.');
    // A clock of the driver's own would need what the browser lacks.
    await pause(300, 'a script that starts in spite of what it says would ask its servers by then');
    expect(await visitor.warnings()).toEqual([`Permutive was not initialized. ${reason}`]);
    expect(await stage.requests()).toEqual([]);
    expect(await visitor.cookies()).toEqual({});
  };

  test.each([
    ['iterable Set', 'delete Set.prototype[Symbol.iterator]', 'Iterable Sets not supported'],
    ['Worker', 'delete window.Worker', 'WebWorkers not supported'],
  ])('for want of %s is left alone', (_, removal, reason) => isLeftAlone(removal, reason));

  needs('noMap')('for want of Map is left alone', () => isLeftAlone('delete window.Map', 'Maps not supported'));
});
