import { needs } from './support/needs';
import { pause } from './support/pause';
import { show } from './support/show';
import { stageForTests } from './support/stage';
import { storedRecords } from './support/storedRecords';
import { until } from './support/until';
import { loadedWithoutWorker, type Tab, workerFile } from './support/visitor';

const userOf = (tab: Tab): Promise<string> => tab.ask((permutive) => permutive.user());

describe('A user who is changed in one of two tabs', () => {
  const stage = stageForTests();

  test('is the user of both, and the old tab’s history is never the new user’s', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    const old = await userOf(visitor);
    const other = await visitor.newTab();
    await other.open('/blank');
    await other.ready();
    await other.ask((permutive) => permutive.reset());
    const fresh = await userOf(other);
    expect(fresh).not.toBe(old);
    await until(async () => (await userOf(visitor)) === fresh || undefined, 'the new user in the old tab');
    await visitor.track('AfterChange');
    const [event] = await stage.untilArrived('AfterChange');
    expect(event?.user_id).toBe(fresh);
    expect((await visitor.storage())['permutive-id']).toBe(fresh);
    expect((await visitor.cookies())['permutive-id']).toBe(fresh);
    // Both tabs save their state. Pages that close might be gone before that: hidden, they have the time.
    await show(visitor.page, 'hidden');
    await show(other.page, 'hidden');
    const records = await until(async () => {
      const found = await storedRecords(visitor.page);
      return found.some(({ key }) => key === 'permutive-data-queries') ? found : undefined;
    }, 'the state');
    const chunk = records.find(({ key }) => key === 'permutive-data-queries');
    expect(JSON.parse(chunk?.text ?? '')).toMatchObject({ group_id: fresh });
    const events = records.filter(({ store }) => store.startsWith('events_'));
    for (const { key } of events) expect(key).toContain(fresh);
  });

  needs('deafTabs')('is left alone by a tab that has heard nothing of the change before it tracks', async () => {
    const visitor = await stage.visitor();
    // A tab that hears of no change, as one that was frozen meanwhile. It looks at the cookie before its next request.
    await visitor.page.addInitScript(() => {
      const unheard = (event: globalThis.Event): void => event.stopImmediatePropagation();
      addEventListener('storage', unheard, true);
      (window as { cookieStore?: EventTarget }).cookieStore?.addEventListener('change', unheard);
    });
    await visitor.open('/blank');
    await visitor.ready();
    const old = await userOf(visitor);
    const other = await visitor.newTab();
    await other.open('/blank');
    await other.ready();
    await other.ask((permutive) => permutive.reset());
    await other.track('OfTheNew');
    const fresh = await userOf(other);
    await show(other.page, 'hidden');
    await until(async () => {
      const found = await storedRecords(other.page);
      const text = found.find(({ key }) => key === 'permutive-data-queries')?.text ?? '{}';
      return (JSON.parse(text) as { group_id?: string }).group_id === fresh || undefined;
    }, 'the new user’s state');
    await visitor.track('OfTheOld');
    const [last] = await stage.untilArrived('OfTheOld');
    expect(last?.user_id).toBe(old);
    await visitor.open('/empty');
    await pause(500, 'an engine whose page has gone may still save');
    const texts = (await storedRecords(other.page)).filter(({ key }) => key === 'permutive-data-queries');
    expect(JSON.parse(texts[0]?.text ?? '')).toMatchObject({ group_id: fresh });
    // A page of the new user removes what the old tab has left.
    await other.open('/blank');
    await other.ready();
    await until(async () => {
      const found = (await storedRecords(other.page)).filter(({ store }) => store.startsWith('events_'));
      const has = (name: string): boolean => found.some(({ text }) => text?.includes(name));
      return (has('OfTheNew') && !has('OfTheOld')) || undefined;
    }, 'the history of the new user alone');
  });
});

describe('A user who is changed on one of two origins that share the id cookie', () => {
  const stage = stageForTests();
  const article = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';
  const codeKeys = ['_psegs', '_pdfps', '_papns', '_prubicons'];

  test('is the user of the other origin too, with nothing that is stored there of the old one', async () => {
    const visitor = await stage.visitor();
    const { port } = new URL(stage.demo.site);
    const open = async (
      origin: string,
      path: string,
      waitUntil: 'load' | 'domcontentloaded' = 'load',
    ): Promise<void> => {
      await visitor.page.goto(`http://${origin}.site.localhost:${port}${path}`, { waitUntil });
    };
    await open('www', article);
    await visitor.ready();
    const old = await userOf(visitor);
    await until(async () => ((await visitor.targeting())['permutive']?.length ?? 0) > 1 || undefined, 'cohorts');
    await visitor.track('LastOfTheOld');

    await open('my', '/blank');
    await visitor.ready();
    expect(await userOf(visitor)).toBe(old);
    await visitor.ask((permutive) => permutive.reset());
    const fresh = await userOf(visitor);
    expect(fresh).not.toBe(old);
    await stage.untilArrived('LastOfTheOld');

    // Until the engine has answered, only what is stored can be told.
    const release = await visitor.hold(workerFile);
    // These services know the page and not the user, and may answer before the view has its data.
    for (const path of ['/standard-audiences', '/ctx']) await stage.fault({ path }, { hang: true });
    await open('www', article, loadedWithoutWorker);
    await visitor.ask((permutive) => permutive.user());
    const targeting = await until(async () => {
      const found = await visitor.targeting();
      return found['puid']?.includes(fresh) ? found : undefined;
    }, 'the new user at Google’s tag');
    expect(targeting['permutive'] ?? []).toEqual([]);
    const stored = await visitor.storage();
    expect(codeKeys.filter((key) => key in stored)).toEqual([]);
    expect(stored['permutive-app'] ?? '').not.toContain('LastOfTheOld');
    release();
    await visitor.ready();
    const views = await until(async () => {
      const found = (await stage.arrived('Pageview')).filter(({ user_id }) => user_id === fresh);
      return found.find(({ properties }) => JSON.stringify(properties).includes('www.site.localhost')) && found;
    }, 'the first view of the new user');
    for (const { segments, cohorts } of views) expect([segments, cohorts]).toEqual([[], []]);
    await stage.clearFaults();
    expect((await stage.arrived('LastOfTheOld')).map(({ user_id }) => user_id)).toEqual([old]);
    expect((await visitor.storage())['permutive-id']).toBe(fresh);
  });
});
