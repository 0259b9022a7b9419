import type { Finding } from '../../src/model/finding';
import { openChanged } from './support/changedPage';
import { needs } from './support/needs';
import { stageForTests } from './support/stage';
import { failedRequests, refusedWorkers, scriptFile, type Visitor, workerFile } from './support/visitor';

/** The public method, which is not among those that every page calls. */
interface WithDoctor {
  readonly doctor: () => Promise<readonly Finding[]>;
}

/** What the doctor finds that is no mere information. */
const wrongOn = async ({ ask }: Visitor): Promise<readonly string[]> => {
  const findings = await ask((permutive) => (permutive as unknown as WithDoctor).doctor());
  expect(findings.filter(({ severity }) => severity === 'info').map(({ finding }) => finding)).toContainEqual(
    expect.stringMatching(/^The SDK is version v\d/),
  );
  return findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ severity, where, finding }) => `${severity} ${where}: ${finding}`);
};

describe('permutive.doctor', () => {
  const stage = stageForTests();

  test('finds nothing wrong on pages that are right', async () => {
    const visitor = await stage.visitor();
    for (const path of ['/blank', '/', '/?csp=strict', '/?gpt=late']) {
      await visitor.open(path);
      await visitor.ready();
      await visitor.page.waitForFunction('typeof googletag.pubads === "function"');
      expect([path, await wrongOn(visitor)]).toEqual([path, []]);
    }
  });

  test('sees that the policy refuses the worker, on the page that was refused and on the next one', async () => {
    const visitor = await stage.visitor({ expected: refusedWorkers });
    const refused =
      'warning worker: The policy of the page refuses the worker, so that queries are evaluated on the page';
    for (const path of ['/?csp=noworker', '/markets?csp=noworker']) {
      await visitor.open(path);
      await visitor.ready();
      expect(await wrongOn(visitor)).toEqual([refused]);
    }
  });

  needs('keptViolations')('sees that the policy refuses the API', async () => {
    const visitor = await stage.visitor({
      expected: /Content Security Policy|violates the following directive|ERR_CONNECTION_REFUSED/,
    });
    const policy = `connect-src 'self' ${stage.demo.cdn}`;
    await openChanged(visitor, stage.demo.site, '', (html) =>
      html.replace('<head>', `$&<meta http-equiv="Content-Security-Policy" content="${policy}">`),
    );
    await visitor.ready();
    await visitor.page.waitForFunction('typeof googletag.pubads === "function"');
    expect(await wrongOn(visitor)).toContainEqual(
      expect.stringMatching(
        new RegExp(`^error policy: The policy of the page refuses ${stage.demo.api}/\\S+ by connect-src$`),
      ),
    );
  });

  test('sees that consent is missing, and asks nobody else', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/?consent=required');
    await visitor.page.waitForFunction('"doctor" in permutive');
    expect(await wrongOn(visitor)).toContain('error consent: Consent is required, and the page has not given it');
    expect(await stage.requests()).toEqual([]);
    expect(await visitor.cookies()).toEqual({});
  });

  test('sees that the visitor has refused', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/');
    await visitor.ready();
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    expect(await wrongOn(visitor)).toContain('warning consent: The visitor has refused, so that nothing runs');
  });

  test.each([
    ['/?twice=1', 'warning tag: The page includes the bundle 2 times'],
    ['/?gpt=none', 'warning partners: Google Publisher Tag is configured in the project, and is not on the page'],
  ])('sees what is wrong on %s', async (path, wrong) => {
    const visitor = await stage.visitor();
    await visitor.open(path);
    await visitor.ready();
    expect(await wrongOn(visitor)).toEqual([wrong]);
  });

  needs('requestStatus')('sees that the API is blocked', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.page.route(`${stage.demo.api}/**`, (route) => route.abort());
    await visitor.open('/');
    await visitor.ready();
    expect(await wrongOn(visitor)).toContain(
      `error network: Requests to ${new URL(stage.demo.api).host} get no answer`,
    );
  });

  test('sees that the worker’s file is missing', async () => {
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.page.route(workerFile, (route) => route.fulfill({ status: 404 }));
    await visitor.open('/');
    await visitor.ready();
    expect(await wrongOn(visitor)).toContain(
      'warning worker: The worker has failed, so that queries are evaluated on the page',
    );
  });

  test('sees that local storage is full', async () => {
    const visitor = await stage.visitor();
    await visitor.page.addInitScript(() => {
      const fill = (text: string): void => {
        try {
          localStorage.setItem(`filling-${text.length}`, text);
        } catch {
          // No room for that much: the next text is smaller.
        }
      };
      for (let length = 2 ** 22; length >= 1; length = Math.floor(length / 2)) fill('x'.repeat(length));
    });
    await visitor.open('/');
    await visitor.ready();
    expect(await wrongOn(visitor)).toContainEqual(expect.stringMatching(/^error storage: Local storage has no room/));
  });

  test('sees that the clock is off', async () => {
    const visitor = await stage.visitor();
    await visitor.page.addInitScript(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + 600_000;
    });
    await visitor.open('/');
    await visitor.ready();
    expect(await wrongOn(visitor)).toEqual([
      expect.stringMatching(/^warning clock: The clock of this device is (599|600|601) s ahead of the server’s$/),
    ]);
  });

  test('sees a tag after the bundle, an addon that does not exist, and no call for the addon web', async () => {
    // The page's own server is gone by the time it is asked for its date.
    const visitor = await stage.visitor({ expected: /ERR_CONNECTION_REFUSED/ });
    // The tag is there when the bundle comes, as it often is.
    const release = await visitor.hold(scriptFile);
    visitor.page.once('domcontentloaded', release);
    await openChanged(visitor, stage.demo.site, '', (html) => {
      const [bundle = ''] = /<script[^>]* async src="[^"]*-web\.js"><\/script>/.exec(html) ?? [];
      return html.replace('<head>', `$&${bundle}`).replace("addon('web'", "addon('webb'");
    });
    await visitor.ready();
    await visitor.page.waitForFunction('typeof googletag.pubads === "function"');
    expect(await wrongOn(visitor)).toEqual([
      'error addons: The page has not called permutive.addon for web, so it has no Pageview',
      'warning tag: The script of the bundle stands before the tag',
      'warning tag: The page includes the bundle 2 times',
      'warning addons: The page starts the addon webb, which the project does not have',
    ]);
  });
});
