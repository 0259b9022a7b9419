import { partFile } from './support/bundleFile';
import { untilNothingToSend } from './support/entered';
import { can } from './support/needs';
import { stageForTests } from './support/stage';
import { scriptFile, type Visitor } from './support/visitor';

const key = 'permutive-consent';
const given = { opt_in: true, token: 't' };
const refusal = { opt_in: false };
const required = '/blank?consent=required';

/** Which file has not come when the page is left. */
const files: readonly (readonly [string, string | RegExp])[] = [
  ['page script', scriptFile],
  ['main part', partFile('main')],
];

describe('The answer of a page that is left before', () => {
  const stage = stageForTests();

  /** Opens a page on a host of the site. All hosts have the same pages. */
  const openOn = async ({ page }: Pick<Visitor, 'page'>, host: string, path: string): Promise<void> => {
    const { port } = new URL(stage.demo.site);
    await page.goto(`http://${host}.site.localhost:${port}${path}`, { waitUntil: 'domcontentloaded' });
  };
  /** Opens a page on which a file does not come, answers there, and leaves the page. */
  const answerAndLeave = async (
    visitor: Visitor,
    { file, path, answer }: { readonly file: string | RegExp; readonly path: string; readonly answer: object },
  ): Promise<void> => {
    const release = await visitor.hold(file);
    await openOn(visitor, 'www', path);
    if (file !== scriptFile) await visitor.page.waitForFunction(() => window['permutive'].version !== undefined);
    await visitor.ask((permutive, said) => permutive.consent(said), answer);
    await openOn(visitor, 'www', '/empty');
    release();
  };

  test.each(files)('its %s has come starts the next page, where it is consent', async (_, file) => {
    const visitor = await stage.visitor();
    await answerAndLeave(visitor, { file, path: required, answer: given });
    expect((await visitor.storage())[key]).toBe(JSON.stringify(given));
    await openOn(visitor, 'www', `${required}&next`);
    await visitor.ready();
    await stage.untilArrived('Pageview');
    expect(await visitor.track('Allowed')).not.toBeNull();
  });

  test.each(files)('its %s has come ends all of before, where it is a refusal, on all hosts', async (_, file) => {
    const visitor = await stage.visitor();
    await openOn(visitor, 'www', '/blank');
    await visitor.ready();
    await stage.untilArrived('Pageview');
    await untilNothingToSend(stage, visitor);
    await answerAndLeave(visitor, { file, path: '/blank', answer: refusal });
    expect((await visitor.storage())[key]).toBe(JSON.stringify(refusal));
    await stage.resetApi();
    for (const host of can('secureOnHttp') ? ['my', 'www'] : ['www']) {
      await openOn(visitor, host, '/blank');
      await visitor.ready();
      expect(await visitor.ask((permutive) => permutive.user())).toBeNull();
    }
    expect(Object.keys(await visitor.storage())).toEqual([key]);
    await stage.untilQuiet();
    expect(await stage.requests()).toEqual([]);
  });

  /** Answers where a file has not come, and otherwise in another tab. Then the file comes. */
  const answerInTwoTabs = async (
    visitor: Visitor,
    file: string | RegExp,
    [here, elsewhere]: readonly [object, object],
  ): Promise<void> => {
    const release = await visitor.hold(file);
    await openOn(visitor, 'www', required);
    if (file !== scriptFile) await visitor.page.waitForFunction(() => window['permutive'].version !== undefined);
    await visitor.ask((permutive, answer) => permutive.consent(answer), here);
    const other = await visitor.newTab();
    await openOn(other, 'www', '/empty');
    await other.page.evaluate(([name, answer]) => localStorage.setItem(name, JSON.stringify(answer)), [
      key,
      elsewhere,
    ] as const);
    release();
  };

  test.each(files)('its %s has come refuses where another tab has refused since', async (_, file) => {
    const visitor = await stage.visitor();
    await answerInTwoTabs(visitor, file, [given, refusal]);
    await visitor.ready();
    expect(await visitor.ask((permutive) => permutive.user())).toBeNull();
    expect(await visitor.storage()).toEqual({ [key]: JSON.stringify(refusal) });
    await stage.untilQuiet();
    expect(await stage.requests()).toEqual([]);
  });

  test('the main part has come does not undo a refusal that another tab has given since', async () => {
    const visitor = await stage.visitor();
    await visitor.hold(partFile('main'));
    await openOn(visitor, 'www', required);
    await visitor.ask((permutive, answer) => permutive.consent(answer), given);
    const other = await visitor.newTab();
    await openOn(other, 'www', '/blank');
    await other.ask((permutive, answer) => permutive.consent(answer), refusal);
    await openOn(visitor, 'www', '/empty');
    expect((await visitor.storage())[key]).toBe(JSON.stringify(refusal));
  });
});
