import { letPass } from './clock';
import type { Stage } from './stage';
import type { Visitor } from './visitor';

/** Longer than any timer of the SDK with which it asks its servers. */
const minuteMs = 60_000;

/**
 * Fails where a page has asked the API, or does so within a minute. The page has a clock of tests and no engine. The
 * driver tells of what a page asks before it says that the minute is over, so no request is missed that has not come in
 * yet.
 */
export const expectSilence = async ({ page, asked }: Pick<Visitor, 'page' | 'asked'>, stage: Stage): Promise<void> => {
  await letPass(page, minuteMs);
  await stage.untilIdle();
  expect(asked.filter((address) => address.startsWith(stage.demo.api))).toEqual([]);
  expect(await stage.requests()).toEqual([]);
};
