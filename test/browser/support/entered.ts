import type { Stage } from './stage';
import { until } from './until';
import { untilAnswered } from './untilAnswered';
import type { Tab } from './visitor';

/** Waits until the API has been told of each cohort that the visitor is in, and answers their codes. */
export const untilAllEntered = (
  { arrived }: Pick<Stage, 'arrived'>,
  { ask }: Pick<Tab, 'ask'>,
): Promise<readonly (number | string)[]> => {
  let untold: readonly (number | string)[] = [];
  return until(
    async () => {
      const codes = await ask((permutive) => permutive.segments());
      const entered = (await arrived('SegmentEntry')).map(({ properties }) => properties['segment_number']);
      // Those of advertisers and models have no number.
      untold = codes.filter((code) => typeof code === 'number' && !entered.includes(code));
      return codes.length > 0 && untold.length === 0 ? codes : undefined;
    },
    () => `an entry for each cohort: none came of ${untold.join(', ')}`,
  );
};

/** Waits until a page has nothing to send: its cohorts are told, and all answers have been heard. */
export const untilNothingToSend = async (
  stage: Pick<Stage, 'arrived'>,
  tab: Pick<Tab, 'ask' | 'page'>,
): Promise<void> => {
  await untilAllEntered(stage, tab);
  await untilAnswered(tab.page);
};

/**
 * Waits until a page has started and has nothing to send. Services give cohorts later than the page view is evaluated,
 * and a batch of their own tells those.
 */
export const untilStarted = async (
  stage: Pick<Stage, 'arrived'>,
  tab: Pick<Tab, 'ask' | 'page' | 'ready'>,
): Promise<void> => {
  await tab.ready();
  await tab.ask((permutive) => permutive.startup());
  await untilNothingToSend(stage, tab);
};

/** Events are sent in their order: once this one has arrived, a page has sent all that it was to send before. */
export const trackLast = async (
  stage: Pick<Stage, 'arrived' | 'untilArrived'>,
  tab: Pick<Tab, 'track' | 'ready'>,
): Promise<void> => {
  await tab.ready('initialised');
  const last = await tab.track('TheLast');
  await until(
    async () => (await stage.arrived('TheLast')).some(({ id }) => id === last?.id) || undefined,
    'the last event',
  );
};
