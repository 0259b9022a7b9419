import { show } from './support/show';
import { stageForTests } from './support/stage';
import { storedRecords } from './support/storedRecords';
import { until } from './support/until';
import type { Tab } from './support/visitor';

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

  test('is left alone by a tab that has heard nothing of the change', async () => {
    const visitor = await stage.visitor();
    // A tab that hears of no change, as one that was frozen meanwhile.
    await visitor.page.addInitScript(() =>
      addEventListener('storage', (event) => event.stopImmediatePropagation(), true),
    );
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
    expect(await userOf(visitor)).toBe(old);
    await visitor.open('/empty');
    await stage.untilQuiet(1500);
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
