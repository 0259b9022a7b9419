import type { Tab } from './visitor';

/** «Heavy readers»: seven page views in 28 days. More than seven are not counted. */
const heavyReaders = 20404;

/** «Three pages in this session». More than three are not counted. */
const sessionReaders = 20420;

const countedOf = async (tab: Pick<Tab, 'ask'>, cohort: number): Promise<number> => {
  const text = await tab.ask((permutive, code) => permutive.explain(code), cohort);
  return Number(/: has (\d+),/.exec(text ?? '')?.[1]);
};

/** How many page views the engine of this page has counted, as it explains a cohort. */
export const countedViews = (tab: Pick<Tab, 'ask'>): Promise<number> => countedOf(tab, heavyReaders);
/** How many of them in the session. */
export const countedInSession = (tab: Pick<Tab, 'ask'>): Promise<number> => countedOf(tab, sessionReaders);
