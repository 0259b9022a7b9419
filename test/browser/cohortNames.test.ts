import { partFile } from './support/bundleFile';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Visitor } from './support/visitor';

/** The sample project's cohorts 20401 and 20417. */
const reader = 'Read something';
const loggedIn = 'Logged in';
const namesFile = partFile('cohorts');

describe('The name of a cohort', () => {
  const stage = stageForTests();

  /** Opens an article, with a list of all requests for the names. */
  const open = async (visitor: Visitor): Promise<readonly string[]> => {
    const asked: string[] = [];
    visitor.page.on('request', (request) => {
      if (namesFile.test(request.url())) asked.push(request.url());
    });
    await visitor.open('/blank?permutive_debug=true');
    await visitor.ask((permutive) => permutive.addon('web', {}));
    await visitor.ready('realtime');
    return asked;
  };
  const becomesMember = (visitor: Visitor, cohort: string): Promise<boolean> =>
    until(
      async () => ((await visitor.ask((permutive, name) => permutive.segment(name), cohort)) ? true : undefined),
      `${cohort} to have the visitor`,
    );

  test('stands for its code in segment, query, trigger and explain, and is looked up once', async () => {
    const visitor = await stage.visitor();
    const asked = await open(visitor);
    await becomesMember(visitor, '20401');
    expect(asked).toEqual([]);

    await becomesMember(visitor, reader);
    const [isLoggedIn, queried, why] = await visitor.ask(
      (permutive, [name, other]) =>
        Promise.all([
          permutive.segment(other),
          new Promise((tell) => permutive.query(name, 'result', tell)),
          permutive.explain(name),
        ]),
      [reader, loggedIn] as const,
    );
    expect([isLoggedIn, queried]).toEqual([false, { result: true }]);
    expect(why).toContain('20401');
    expect(asked).toHaveLength(1);
  });

  test('has a trigger that hears what happens while the names load', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(namesFile);
    await open(visitor);
    await visitor.ask((permutive, name) => {
      const told: unknown[] = [];
      Object.assign(window, { told });
      permutive.trigger(name, 'result', ({ result }) => told.push(result));
      void permutive.track('LoginStatus', { logged_in: true });
    }, loggedIn);
    await becomesMember(visitor, '20417');
    const told = (): Promise<readonly unknown[]> =>
      visitor.page.evaluate(() => (window as unknown as { told: unknown[] }).told);
    expect(await told()).toEqual([]);
    release();
    await until(async () => ((await told()).length > 0 ? true : undefined), 'the trigger');
    expect(await told()).toEqual([true]);
  });

  test('that nobody has given is of no cohort, which is reported without the name', async () => {
    const visitor = await stage.visitor();
    await open(visitor);
    expect(await visitor.ask((permutive) => permutive.segment('Readers of nothing'))).toBe(false);
    expect(await visitor.warnings()).toContainEqual(
      expect.stringContaining('segment/0: expected the name of one cohort'),
    );
    expect((await visitor.warnings()).join()).not.toContain('Readers of nothing');
  });

  test('is of no cohort where the names are not published, which is reported once', async () => {
    const visitor = await stage.visitor({ expected: /404/ });
    await visitor.page.route(namesFile, (route) => route.fulfill({ status: 404, body: '' }));
    const asked = await open(visitor);
    await becomesMember(visitor, '20401');
    for (let i = 0; i < 2; i++)
      expect(await visitor.ask((permutive, name) => permutive.segment(name), reader)).toBe(false);
    expect(asked).toHaveLength(1);
    expect(
      (await visitor.warnings()).filter((line) => line.includes('Failed to load the names of cohorts')),
    ).toHaveLength(1);
  });
});
