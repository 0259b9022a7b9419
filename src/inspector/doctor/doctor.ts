import type { Finding } from '../../model/finding';
import type { InspectedPage } from '../inspectedPage';
import { factsOf } from './factsOf';
import { findingsOf } from './findingsOf';

/**
 * What is wrong on the page, the worst first. `asksServer`: whether the page's own server is asked for its time, to
 * compare the clock.  What fails while looking is reported, and answers no finding.
 */
export const doctor = async (page: InspectedPage, asksServer: boolean): Promise<readonly Finding[]> => {
  try {
    return findingsOf(await factsOf(page, asksServer));
  } catch (cause) {
    page.world.report('Inspector failed', cause);
    return [];
  }
};
