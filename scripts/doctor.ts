// npm run doctor -- URL [--global NAME] [--json]
// Opens the address in Chromium, asks the SDK on that page what is wrong, and prints it with what to do. Ends with 1
// where something is wrong (severity `error`), with 2 where it was called without an address. `--global`: the name of
// the tag's object where it is not `permutive` (setting `windowKey`). `--json`: the findings as data.
import { parseArgs } from 'node:util';

import { ensureChromium, launchChromium } from '../test/browser/support/chromium';
import { findingsText } from './doctor/findingsText';
import { lookAt } from './doctor/lookAt';
import { allFindings } from './doctor/outsideFindings';

const { values, positionals } = parseArgs({
  options: { global: { type: 'string', default: 'permutive' }, json: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [address = ''] = positionals;

if (URL.canParse(address)) {
  ensureChromium();
  const browser = await launchChromium();
  try {
    const findings = allFindings(await lookAt(browser, address, values.global));
    console.log(values.json ? JSON.stringify(findings, null, 2) : findingsText(findings));
    process.exitCode = findings.some(({ severity }) => severity === 'error') ? 1 : 0;
  } finally {
    await browser.close();
  }
} else {
  console.error(`Expected the address of a page, such as https://www.example.com/, got “${address}”`);
  process.exitCode = 2;
}
