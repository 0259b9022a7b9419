import type { Tab } from './visitor';

/** «Heavy readers»: seven page views in 28 days. More than seven are not counted. */
const heavyReaders = 20404;

/** How many page views the engine of this page has counted, as it explains a cohort. */
export const countedViews = async (tab: Pick<Tab, 'ask'>): Promise<number> => {
  const text = await tab.ask((permutive, code) => permutive.explain(code), heavyReaders);
  return Number(/: has (\d+),/.exec(text ?? '')?.[1]);
};
