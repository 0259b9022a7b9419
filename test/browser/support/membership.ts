import { until } from './until';
import type { Tab } from './visitor';

/** Waits until the visitor is in a cohort, or out of it. */
export const untilMember = async ({ ask }: Pick<Tab, 'ask'>, code: number, isIn = true): Promise<void> => {
  await until(
    async () => (await ask((permutive, cohort) => permutive.segment(cohort), code)) === isIn || undefined,
    `${isIn ? 'membership of' : 'the exit from'} cohort ${code}`,
  );
};
