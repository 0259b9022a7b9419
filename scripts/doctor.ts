// npm run doctor -- URL [--global NAME] [--json] [--install]
// Opens the address in Chromium, asks the SDK on that page what is wrong, and prints it with what to do. Ends with 1
// where something is wrong (severity `error`), with 2 where it was called without an address. `--global`: the name of
// the tag's object where it is not `permutive` (setting `windowKey`). `--json`: the findings as data.
// Where there is no Chromium, it asks before it installs one; `--install` says yes.
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';

import { ensureChromium, hasChromium, launchSandboxed } from '../test/browser/support/chromium';
import { findingsText, printable } from './doctor/findingsText';
import { lookAt } from './doctor/lookAt';
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

/** Whether Chromium may be installed: by the flag, or by a yes of whoever sits at the terminal. */
const mayInstall = async (): Promise<boolean> => {
  if (values.install) return true;
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('There is no Chromium. Install it? [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
};

if (!URL.canParse(address)) {
  console.error(`Expected the address of a page, such as https://www.example.com/, got “${address}”`);
  process.exitCode = 2;
} else if (!hasChromium() && !(await mayInstall())) {
  console.error('The doctor needs Chromium. Install it and set CHROMIUM_PATH, or call the doctor with --install.');
  process.exitCode = 2;
} else {
  if (!hasChromium()) ensureChromium();
  const browser = await launchSandboxed();
  try {
    const findings = allFindings(await lookAt(browser, address, values.global)).map(printable);
    console.log(values.json ? JSON.stringify(findings, null, 2) : findingsText(findings));
    process.exitCode = findings.some(({ severity }) => severity === 'error') ? 1 : 0;
  } finally {
    await browser.close();
  }
}
