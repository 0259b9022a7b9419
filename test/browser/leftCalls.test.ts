import { trackLast, untilNothingToSend } from './support/entered';
import type { Permutive } from './support/permutive';
import { type Arrived, stageForTests } from './support/stage';
import { until } from './support/until';
import { untilCounted } from './support/untilCounted';
import { scriptFile, type Visitor } from './support/visitor';

const key = 'permutive-left-calls';
const article = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';
const track = (permutive: Permutive): void => void permutive.track('LeftEarly', { from: 'stub' });

describe('A page that is left before the page script has come', () => {
  const stage = stageForTests();

  /** A visitor who has consented, and whose first page has sent everything. */
  const returning = async (): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    await visitor.ask((permutive) => permutive.consent({ opt_in: true, token: 't' }));
    await untilCounted(visitor, 1);
    await untilNothingToSend(stage, visitor);
    return visitor;
  };
  /**
   * Opens the article, whose script does not come, and leaves it after `act`. Answers the view's id, what the next page
   * finds before its script has come, and lets that script come.
   */
  const leaveEarly = async (visitor: Visitor, act: (permutive: Permutive) => void, query = '') => {
    const release = await visitor.hold(scriptFile);
    await visitor.open(`${article}?email=mine${query}#place`, 'domcontentloaded');
    await visitor.ask(act);
    const viewId = await visitor.ask(({ config }) => (config as { readonly viewId: string }).viewId);
    await visitor.open('/blank?next', 'domcontentloaded');
    const kept = (await visitor.storage())[key];
    release();
    await visitor.ready();
    return { viewId, kept };
  };
  const ofView = async (viewId: string): Promise<readonly Arrived[]> =>
    (await stage.arrived()).filter((event) => event.view_id === viewId);

  test('leaves its events to the next page, which uploads and counts them once', async () => {
    const visitor = await returning();
    const { viewId, kept } = await leaveEarly(visitor, track);
    expect(kept).toContain('LeftEarly');
    expect(kept).not.toMatch(/mine|#place/);
    const events = await until(async () => {
      const found = await ofView(viewId);
      return found.length > 1 ? found : undefined;
    }, 'the events of the page that was left');
    const { 'permutive-id': userId, [key]: left } = await visitor.storage();
    expect(left).toBeUndefined();
    expect(events.map(({ name }) => name)).toEqual(['Pageview', 'LeftEarly']);
    for (const { user_id, properties } of events) {
      expect(user_id).toBe(userId);
      expect((properties['client'] as { readonly url: string }).url).toBe(stage.demo.site + article);
    }
    expect(events[1]?.properties).toMatchObject({ from: 'stub' });
    // The first page, the one that was left, and this one.
    expect(await untilCounted(visitor, 3)).toBe(3);
    // What the page has not heard of, the next one sends again.
    await untilNothingToSend(stage, visitor);
    await visitor.open('/blank?after');
    await trackLast(stage, visitor);
    expect(await untilCounted(visitor, 4)).toBe(4);
    const sent = visitor.batches.flatMap((batch) => batch.events).filter((event) => event.view_id === viewId);
    expect(sent.map(({ name }) => name)).toEqual(['Pageview', 'LeftEarly']);
    expect(await stage.rejected()).toEqual([]);
  });

  test('leaves the events of a newcomer to the page that makes their id', async () => {
    const visitor = await stage.visitor();
    const { viewId, kept } = await leaveEarly(visitor, track);
    expect(kept).toContain('LeftEarly');
    const [event] = await stage.untilArrived('LeftEarly');
    expect([event?.view_id, event?.user_id]).toEqual([viewId, (await visitor.storage())['permutive-id']]);
    await trackLast(stage, visitor);
    expect((await ofView(viewId)).map(({ name }) => name)).toEqual(['Pageview', 'LeftEarly']);
  });

  test('leaves nothing where consent is needed and nobody has given it, and where the visitor refuses', async () => {
    const newcomer = await stage.visitor();
    const first = await leaveEarly(newcomer, track, '&consent=required');
    const visitor = await returning();
    const refused = await leaveEarly(visitor, (permutive) => {
      void permutive.track('LeftEarly');
      permutive.consent({ opt_in: false });
    });
    expect([first.kept, refused.kept]).toEqual([undefined, undefined]);
    // The next page knows the refusal too. After another answer, nothing of the page that was left comes late.
    await visitor.ask((permutive) => permutive.consent({ opt_in: true, token: 't' }));
    for (const each of [newcomer, visitor]) {
      await each.ready();
      await trackLast(stage, each);
    }
    expect(await stage.arrived('LeftEarly')).toEqual([]);
    expect([await ofView(first.viewId), await ofView(refused.viewId)]).toEqual([[], []]);
  });

  test('removes what is kept where the visitor refuses on the next page', async () => {
    const visitor = await returning();
    await visitor.hold(scriptFile);
    await visitor.open(article, 'domcontentloaded');
    await visitor.ask(track);
    await visitor.open('/blank?next', 'domcontentloaded');
    expect((await visitor.storage())[key]).toContain('LeftEarly');
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    await visitor.open('/blank?after', 'domcontentloaded');
    expect((await visitor.storage())[key]).toBeUndefined();
  });

  test('leaves nothing where the SDK had come', async () => {
    const visitor = await returning();
    await visitor.open(article);
    await visitor.ready('initialised');
    await visitor.track('LeftLate');
    await visitor.hold(scriptFile);
    await visitor.open('/blank?next', 'domcontentloaded');
    expect((await visitor.storage())[key]).toBeUndefined();
    expect(await stage.untilArrived('LeftLate')).toHaveLength(1);
  });
});
