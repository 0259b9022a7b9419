import { can } from './support/needs';
import type { Permutive } from './support/permutive';
import { show } from './support/show';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { type Tab, uuidV4, type Visitor } from './support/visitor';

const userOf = (tab: Tab): Promise<string> => tab.ask((permutive) => permutive.user());

/** How often the visitor is reset. */
const resets = 50;

/** Whom each place names that the page can read. */
interface Named {
  readonly user: string;
  readonly inContext: string | undefined;
  readonly stored: string | null;
  readonly cookie: string | undefined;
}
type WithNamed = Window & { readonly named: (permutive: Permutive) => Promise<Named> };

/** Gives the page a function that says whom each place names. Runs in the page. */
const sayWhom = (): void =>
  void Object.assign(window, {
    named: async (permutive: Permutive): Promise<Named> => ({
      inContext: permutive.context.user_id,
      stored: localStorage.getItem('permutive-id'),
      cookie: /(?:^|; )permutive-id=([^;]*)/.exec(document.cookie)?.[1],
      user: await permutive.user(),
    }),
  });

const namedBy = (tab: Tab): Promise<Named> => tab.ask((permutive) => (window as unknown as WithNamed).named(permutive));

/** Resets the visitor so often, one after the other. Answers whom the page names as each promise resolves. */
const resetTimes = (tab: Tab, times: number): Promise<readonly Named[]> =>
  tab.ask(async (permutive, count) => {
    const all: Named[] = [];
    for (let i = 0; i < count; i += 1) {
      await permutive.reset();
      all.push(await (window as unknown as WithNamed).named(permutive));
    }
    return all;
  }, times);

const everywhere = (user: string): Named => ({ user, inContext: user, stored: user, cookie: user });
const untilNamed = (tab: Tab, user: string, what: string): Promise<unknown> =>
  until(async () => Object.values(await namedBy(tab)).every((id) => id === user) || undefined, what);

/** Cookies that another process has written are seen up to 200 ms late. Runs in the page. */
const seeCookiesLate = (): void => {
  const own = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')!;
  let [seen, at] = [undefined as string | undefined, 0];
  Object.defineProperty(Document.prototype, 'cookie', {
    configurable: true,
    get(this: Document) {
      if (seen === undefined || performance.now() - at > 200)
        [seen, at] = [own.get!.call(this) as string, performance.now()];
      return seen;
    },
    set(this: Document, text: string) {
      own.set!.call(this, text);
      seen = undefined;
    },
  });
};

/** Cookies as they are on a site that is served by https, for a browser that keeps none with Secure on http. */
const keepCookiesOnHttp = (): void => {
  const own = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')!;
  Object.defineProperty(Document.prototype, 'cookie', {
    configurable: true,
    get(this: Document) {
      return own.get!.call(this) as string;
    },
    set(this: Document, text: string) {
      own.set!.call(this, text.replace('; SameSite=none; secure', ''));
    },
  });
};

describe('A reset, with another tab open', () => {
  const stage = stageForTests();

  /** Two tabs of a visitor. The first is the one that resets. */
  const tabs = async (isLate: boolean): Promise<readonly [visitor: Visitor, other: Tab]> => {
    const visitor = await stage.visitor();
    await visitor.context.addInitScript(sayWhom);
    if (!can('secureOnHttp')) await visitor.context.addInitScript(keepCookiesOnHttp);
    const other = await visitor.newTab();
    if (isLate) await other.page.addInitScript(seeCookiesLate);
    await other.open('/blank');
    await other.ready();
    await visitor.open('/blank');
    await visitor.ready();
    return [visitor, other];
  };
  /** Both tabs have sent an event as the last of these users, and nobody but these has ever been here. */
  const expectNobodyElse = async ([visitor, other]: readonly Tab[], ids: readonly string[]): Promise<void> => {
    await visitor!.track('Last');
    await other!.track('LastOfTheOther');
    for (const name of ['Last', 'LastOfTheOther'])
      expect(await stage.untilArrived(name)).toMatchObject([{ user_id: ids.at(-1) }]);
    const users = new Set((await stage.arrived()).map(({ user_id }) => user_id));
    expect([...users].filter((id) => !ids.includes(id))).toEqual([]);
  };

  const sights = [
    ['at once', false],
    ['200 ms late', true],
  ] as const;

  test.each(sights)('is never undone, where the other tab sees cookies %s', async (_, isLate) => {
    const [visitor, other] = await tabs(isLate);
    const ids = [await userOf(visitor)];
    for (let i = 0; i < resets; i += 1) {
      const [named] = await resetTimes(visitor, 1);
      const { user } = named!;
      expect(user).toMatch(uuidV4);
      expect(ids).not.toContain(user);
      expect(named).toEqual(everywhere(user));
      ids.push(user);
      await untilNamed(other, user, `reset ${i + 1} in the other tab`);
      expect(await namedBy(visitor)).toEqual(everywhere(user));
    }
    await expectNobodyElse([visitor, other], ids);
  });

  test.each(sights)('is never undone by one that follows it, seen %s in the other tab', async (_, isLate) => {
    const [visitor, other] = await tabs(isLate);
    const before = await userOf(visitor);
    const named = await resetTimes(visitor, resets);
    const ids = named.map(({ user }) => user);
    expect(named).toEqual(ids.map(everywhere));
    for (const id of ids) expect(id).toMatch(uuidV4);
    expect(new Set([before, ...ids]).size).toBe(resets + 1);
    const last = ids.at(-1)!;
    await untilNamed(other, last, 'the last reset in the other tab');
    expect(await namedBy(visitor)).toEqual(everywhere(last));
    await expectNobodyElse([visitor, other], [before, ...ids]);
  });
});

describe('A refusal on another host of the site', () => {
  const stage = stageForTests();

  test.each([
    ['once it is shown', (tab: Tab) => show(tab.page, 'visible')],
    ['before it sends what it tracks', (tab: Tab) => tab.track('AfterRefusal')],
  ])('stops an open tab %s', async (_, look) => {
    const visitor = await stage.visitor();
    // Of this browser, only what it tells when asked is looked at.
    await visitor.context.addInitScript(() => Reflect.deleteProperty(window, 'cookieStore'));
    if (!can('secureOnHttp')) await visitor.context.addInitScript(keepCookiesOnHttp);
    const { port } = new URL(stage.demo.site);
    const open = (tab: Tab, host: string): Promise<unknown> =>
      tab.page.goto(`http://${host}.site.localhost:${port}/blank`);
    await open(visitor, 'www');
    await visitor.ready();
    await stage.untilArrived('Pageview');
    await show(visitor.page, 'hidden');
    const other = await visitor.newTab();
    await open(other, 'my');
    await other.ready();
    expect(await userOf(other)).toBe(await userOf(visitor));
    await other.ask((permutive) => permutive.consent({ opt_in: false }));
    await stage.untilQuiet();
    await stage.resetApi();

    await look(visitor);
    await until(async () => Object.keys(await visitor.storage()).length === 0 || undefined, 'the erasure');
    expect(await visitor.ask((permutive) => permutive.user())).toBeNull();
    expect(await visitor.track('AfterErasure')).toBeNull();
    await stage.untilQuiet();
    expect(await stage.requests()).toEqual([]);
    expect((await visitor.targeting())['puid'] ?? []).toEqual([]);
    expect((await visitor.targeting())['permutive'] ?? []).toEqual([]);
  });

  test('stops an open tab by itself, where the browser tells of cookies', async () => {
    const visitor = await stage.visitor();
    const { port } = new URL(stage.demo.site);
    await visitor.page.goto(`http://www.site.localhost:${port}/blank`);
    if (!(await visitor.page.evaluate(() => Object.hasOwn(window, 'cookieStore')))) return;
    await visitor.ready();
    const other = await visitor.newTab();
    await other.page.goto(`http://my.site.localhost:${port}/blank`);
    await other.ready();
    await other.ask((permutive) => permutive.consent({ opt_in: false }));
    await until(async () => (await visitor.track('AfterRefusal')) === null || undefined, 'the end');
    await until(async () => Object.keys(await visitor.storage()).length === 0 || undefined, 'the erasure');
  });
});
