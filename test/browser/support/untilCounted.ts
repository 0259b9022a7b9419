import { countedViews } from './countedViews';
import { until } from './until';
import type { Tab } from './visitor';

/** Waits until the engine of a page has counted so many page views, and answers how many they are. */
export const untilCounted = (tab: Pick<Tab, 'ask'>, expected: number): Promise<number> =>
  until(async () => {
    const count = await countedViews(tab);
    return count >= expected ? count : undefined;
  }, `${expected} counted page views`);
