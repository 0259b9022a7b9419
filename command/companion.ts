// npm run companion -- URL [--global NAME] [--json] [--install]
// Opens the address in Chromium as a new visitor, loads it once more, and prints the cohort codes of each ad request:
// when it began, and which codes it lacked of those that the first view had stored. Ends with 0 where the second view
// lacked none, with 1 where it lacked some or nothing could be compared, with 2 where the page did not load or no
// address was given. `--global`: the name of the tag's object where it is not `permutive`. `--json`: the rows as data.
// Where there is no Chromium, it asks before it installs one; `--install` says yes.
import { parseArgs } from 'node:util';

import { followVisits } from './companion/followVisits';
import { isComplete, visitsText } from './companion/visitsText';
import { plainText } from './doctor/findingsText';
import { openChromium } from './doctor/openChromium';

const { values, positionals } = parseArgs({
  options: {
    global: { type: 'string', default: 'permutive' },
    json: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [address = ''] = positionals;

/** Texts without the characters that a terminal would obey. */
const plainValue = (_: string, value: unknown): unknown => (typeof value === 'string' ? plainText(value) : value);

const browser = await openChromium('report', address, values.install);
if (browser !== undefined)
  try {
    const followed = await followVisits(browser, address, values.global);
    if (followed.pageFailure !== undefined) {
      console.error(`The page has not loaded: ${plainText(followed.pageFailure)}`);
      process.exitCode = 2;
    } else {
      console.log(values.json ? JSON.stringify(followed, plainValue, 2) : visitsText(followed));
      process.exitCode = isComplete(followed) ? 0 : 1;
    }
  } finally {
    await browser.close();
  }
