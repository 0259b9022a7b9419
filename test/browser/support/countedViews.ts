import type { Tab } from './visitor';

/** «Heavy readers»: seven page views in 28 days. More than seven are not counted. */
const heavyReaders = 20404;

/** How many page views the engine of this page has counted, as it explains a cohort. */
export const countedViews = async (tab: Pick<Tab, 'ask'>): Promise<number> => {
  const text = await tab.ask((permutive, code) => permutive.explain(code), heavyReaders);
  return Number(/: has (\d+),/.exec(text ?? '')?.[1]);
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How many page views the engine has counted, once it is as many as expected, or a second later. */
export const countedInASecond = async (tab: Pick<Tab, 'ask'>, expected: number): Promise<number> => {
  const began = Date.now();
  let count = await countedViews(tab);
  while (count !== expected && Date.now() - began < 1000) {
    await pause(100);
    count = await countedViews(tab);
  }
  return count;
};
