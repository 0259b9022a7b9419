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
import { readyChromium } from './doctor/readyChromium';

const { values, positionals } = parseArgs({
  options: {
    global: { type: 'string', default: 'permutive' },
    json: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [address = ''] = positionals;

/** Asks the person at the terminal a question. */
const ask = async (question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
};

/** Whether there is Chromium, installed now if need be. */
const isReady = (): Promise<boolean> =>
  readyChromium({
    hasChromium,
    isAllowed: values.install,
    ask: process.stdin.isTTY ? ask : undefined,
    install: ensureChromium,
  });

if (!URL.canParse(address)) {
  console.error(`Expected the address of a page, such as https://www.example.com/, got “${address}”`);
  process.exitCode = 2;
} else if (!(await isReady())) {
  console.error('The doctor needs Chromium. Install it and set CHROMIUM_PATH, or call the doctor with --install.');
  process.exitCode = 2;
} else {
  const browser = await launchSandboxed();
  try {
    const findings = allFindings(await lookAt(browser, address, values.global)).map(printable);
    console.log(values.json ? JSON.stringify(findings, null, 2) : findingsText(findings));
    process.exitCode = findings.some(({ severity }) => severity === 'error') ? 1 : 0;
  } finally {
    await browser.close();
  }
}
