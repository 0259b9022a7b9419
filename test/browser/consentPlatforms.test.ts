import { consentRecipes, consentScript } from '../../command/init/consentRecipes';
import { cookiebot } from '../support/consentPlatforms/cookiebot';
import { didomi } from '../support/consentPlatforms/didomi';
import { oneTrust } from '../support/consentPlatforms/oneTrust';
import type { Choice, StandIn } from '../support/consentPlatforms/standIn';
import { usercentrics } from '../support/consentPlatforms/usercentrics';
import { openChanged } from './support/changedPage';
import { consentPlatform } from './support/consentPlatform';
import { type Stage, stageForTests } from './support/stage';
import { untilRefused } from './support/untilRefused';
import type { Visitor } from './support/visitor';

const refusal = 'Permutive was not initialized. No consent to run on the page';
/** What is in local storage where a visitor has refused. */
const onlyTheAnswer = { 'permutive-consent': '{"opt_in":false}' };

/** A page with a stand-in for a platform. */
interface WithPlatform {
  readonly platform: StandIn;
}
const comes = ({ page }: Visitor, ...given: Parameters<StandIn['come']>): Promise<void> =>
  page.evaluate((of) => (window as unknown as WithPlatform).platform.come(...of), given);
const chooses = ({ page }: Visitor, choice: Choice): Promise<void> =>
  page.evaluate((chosen) => (window as unknown as WithPlatform).platform.choose(chosen), choice);

/** The banner is open, and nothing has been stored or sent. */
const expectNothing = async (visitor: Visitor, stage: Stage): Promise<void> => {
  await visitor.untilWarned(refusal);
  expect(await visitor.storage()).toEqual({});
  expect(await stage.requests()).toEqual([]);
};

describe('A page with a recipe for its consent platform', () => {
  const stage = stageForTests();

  test.each(Object.entries({ onetrust: oneTrust, didomi, cookiebot, usercentrics }))(
    '%s: nothing runs while the banner is open; an answer starts it, the next page goes on, another answer erases all',
    async (name, standIn) => {
      const visitor = await stage.visitor();
      await visitor.page.addInitScript(`window.platform = (${String(standIn)})()`);
      await openChanged(visitor, stage.demo.site, '?consent=required', (html) =>
        html.replace('</head>', `${consentScript(consentRecipes[name]!)}</head>`),
      );
      await comes(visitor, null, 'asked');
      await expectNothing(visitor, stage);
      await chooses(visitor, 'all');
      await stage.untilArrived('Pageview');

      await visitor.page.reload();
      await comes(visitor, 'all', 'asked');
      const [first, second] = await stage.untilArrived('Pageview', 2);
      expect(second!.user_id).toBe(first!.user_id);
      await chooses(visitor, 'some');
      await untilRefused(visitor);
      expect(await visitor.storage()).toEqual(onlyTheAnswer);
    },
  );

  test.each(['tcf', 'sourcepoint'])('%s, with the IAB’s own platform: the same', async (name) => {
    const visitor = await stage.visitor();
    const platform = await consentPlatform(visitor, stage.demo.site);
    await platform.withStub();
    const arrives = async (): Promise<void> => {
      await platform.open('/blank?consent=required');
      await visitor.page.addScriptTag({ content: consentRecipes[name]!.script });
      await platform.start();
    };
    await arrives();
    await platform.showDialog();
    await expectNothing(visitor, stage);
    await platform.answer([]);
    await stage.untilArrived('Pageview');

    await arrives();
    await platform.answer([]);
    const [first, second] = await stage.untilArrived('Pageview', 2);
    expect(second!.user_id).toBe(first!.user_id);
    await platform.answer([], { purposes: [1, 2, 7] });
    await untilRefused(visitor);
    expect(await visitor.storage()).toEqual(onlyTheAnswer);
  });
});
