// npm run doctor -- URL [--global NAME] [--json] [--install]
// Opens the address in Chromium, asks the SDK on that page what is wrong, and prints it with what to do. Ends with 1
// where something is wrong (severity `error`), with 2 where it was called without an address. `--global`: the name of
// the tag's object where it is not `permutive` (setting `windowKey`). `--json`: the findings as data.
// Where there is no Chromium, it asks before it installs one; `--install` says yes.
import { parseArgs } from 'node:util';

import { findingsText, printable } from './doctor/findingsText';
import { lookAt } from './doctor/lookAt';
import { openChromium } from './doctor/openChromium';
import { allFindings } from './doctor/outsideFindings';

const { values, positionals } = parseArgs({
  options: {
    global: { type: 'string', default: 'permutive' },
    json: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [address = ''] = positionals;

const browser = await openChromium('doctor', address, values.install);
if (browser !== undefined)
  try {
    const findings = allFindings(await lookAt(browser, address, values.global)).map(printable);
    console.log(values.json ? JSON.stringify(findings, null, 2) : findingsText(findings));
    process.exitCode = findings.some(({ severity }) => severity === 'error') ? 1 : 0;
  } finally {
    await browser.close();
  }
