import { command } from './command';
import { followVisits } from './companion/followVisits';
import { isComplete, visitsText } from './companion/visitsText';
import { withChromium } from './doctor/openChromium';
import { plainText } from './support/plainText';

/** Texts without the characters that a terminal would obey. */
const plainValue = (_: string, value: unknown): unknown => (typeof value === 'string' ? plainText(value) : value);

/**
 * Opens the address in Chromium as a new visitor, loads it once more, and prints the cohort codes and the entries of
 * taxonomies of each ad request: when it began, which codes it lacked of those that the first view had stored, and what
 * was taken out of it. Below stands which script has written to the places that ad requests read. Ends with 0 where the
 * second view lacked nothing, with 1 where it lacked something or nothing could be compared, with 2 where the page did
 * not load or no address was given.
 */
export const companion = command(
  {
    usage: 'URL [--global NAME] [--json] [--install]',
    summary: 'Opens a page twice in Chromium and prints what was in which ad request, and which script wrote it.',
    options: {
      global: { type: 'string', default: 'permutive' },
      json: { type: 'boolean', default: false },
      install: { type: 'boolean', default: false },
    },
    operands: [1, 1],
  },
  async ({ values, positionals: [address = ''] }, io) =>
    withChromium({ command: 'report', address, isAllowed: values.install }, io, async (browser) => {
      const followed = await followVisits(browser, address, values.global);
      if (followed.pageFailure !== undefined) {
        io.err(`The page has not loaded: ${plainText(followed.pageFailure)}`);
        return 2;
      }
      io.out(values.json ? JSON.stringify(followed, plainValue, 2) : visitsText(followed));
      return isComplete(followed) ? 0 : 1;
    }),
);
