import type { Stage } from './stage';
import { until } from './until';
import { untilAnswered } from './untilAnswered';
import type { Tab } from './visitor';

/**
 * Waits until a page has nothing left to send: its entries have arrived, an event that is tracked behind
 * them too, and the page has heard the answers.
 */
export const untilSettled = async (stage: Stage, tab: Tab): Promise<void> => {
  await stage.untilArrived('SegmentEntry');
  // The stub of the tag answers no event.
  await tab.ready();
  const last = await tab.track('Settled');
  await until(
    async () => (await stage.arrived('Settled')).some(({ id }) => id === last?.id) || undefined,
    'the last event of the page',
  );
  await untilAnswered(tab.page);
};
