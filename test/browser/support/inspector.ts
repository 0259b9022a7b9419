import type { Frame } from 'playwright-core';

import { addressOf, framesAt } from './frames';
import { typeInto } from './typeInto';
import { until } from './until';
import type { Tab } from './visitor';

/** The button of the publisher's site. */
export const buttonOf = '[data-test="inspector"]';

/** The frames of a page that have no address, as those of the inspector and of ads. */
export const emptyFrames = (tab: Tab): Promise<readonly Frame[]> =>
  framesAt(tab.page, (address) => address === 'about:blank');

/** The public method, which is not among those that every page calls. */
interface WithInspect {
  readonly inspect: () => Promise<void>;
}

/** Asks for the inspector by the public method. */
export const inspect = (tab: Tab): Promise<unknown> =>
  tab.ask((permutive) => (permutive as unknown as WithInspect).inspect());

/** Waits for the frame that the inspector, or its badge, is drawn in. */
export const layerOf = (tab: Tab): Promise<Frame> => until(async () => (await emptyFrames(tab))[0], 'the inspector');

/** Waits until the inspector has taken its frame away. */
export const untilGone = (frame: Frame): Promise<true> =>
  until(async () => (await addressOf(frame).catch(() => 'gone')) === 'gone' || undefined, 'the end of the inspector');

/** Waits for an element of the inspector, and answers the frame that it is in. */
export const frameWith = (tab: Tab, selector: string): Promise<Frame> =>
  until(async () => {
    const blank = await emptyFrames(tab);
    const found = await Promise.all(blank.map((frame) => frame.$(selector).catch(() => null)));
    return blank.find((_, i) => found[i] !== null);
  }, `the inspector with ${selector}`);

/** Waits for the inspector of a page, and answers the frame that it is in. */
export const frameOf = (tab: Tab): Promise<Frame> => frameWith(tab, '#panel');

/** The text of the panel that is shown. */
export const textOf = async (frame: Frame): Promise<string> => (await frame.textContent('#panel')) ?? '';

/** Waits until the panel that is shown says so. */
export const untilText = (frame: Frame, words: string | RegExp): Promise<string> =>
  until(
    async () => {
      const text = await textOf(frame);
      return (typeof words === 'string' ? text.includes(words) : words.test(text)) ? text : undefined;
    },
    `${String(words)} in the inspector`,
  );

/**
 * Deletes what is stored under that key, by the panel of the visitor. Answers what is stored there in the same task:
 * the next event of the page writes some keys again.
 */
export const deletedBy = async (frame: Frame, key: string): Promise<string | null> => {
  const button = `[aria-label="Delete ${key}"]`;
  await frame.waitForSelector(button);
  return frame.evaluate(
    ([selector, name]) => {
      document.querySelector<HTMLElement>(selector)!.click();
      return localStorage.getItem(name);
    },
    [button, key] as const,
  );
};

/** Shows a panel. */
export const openTab = async (frame: Frame, name: string): Promise<void> => {
  await frame.click(`#tab-${name.replace(' ', '-')}`);
};

/** Chooses a cohort in its panel, and waits until the panel says why the visitor is in it or not. */
export const cohortText = async (frame: Frame, id: string | number): Promise<string> => {
  await openTab(frame, 'Cohorts');
  await typeInto(frame.locator('input[type="search"]'), String(id));
  await frame.click(`tbody tr:has(:text-is("${id}")) button`);
  return until(async () => {
    const text = (await frame.textContent(`[data-cohort="${id}"]`)) ?? '';
    return text.includes('Asking the engine') ? undefined : text;
  }, `why the visitor is in ${id}`);
};
