import { pause } from './pause';
import { until } from './until';
import type { Tab } from './visitor';

/** Waits until the SDK of a page knows that the visitor has refused, and what starts late would have started. */
export const untilRefused = async (tab: Tab): Promise<void> => {
  await until(async () => ((await tab.track('Refused')) === null ? true : undefined), 'the refusal to be known');
  await pause(500, 'a part of the SDK that did not know of the refusal would load, and ask its server, by then');
};
