import { command } from './command';
import { findingsText, printable } from './doctor/findingsText';
import { lookAt } from './doctor/lookAt';
import { withChromium } from './doctor/openChromium';
import { allFindings } from './doctor/outsideFindings';

/**
 * Opens the address in Chromium, asks the SDK on that page what is wrong, and prints it with what to do. Ends with 1
 * where something is wrong (severity `error`), with 2 where it was called without an address.
 */
export const doctor = command(
  {
    usage: 'URL [--global NAME] [--json] [--install]',
    summary:
      'Opens a page in Chromium and says what is wrong with the SDK on it. --global: the tag’s object where it is not `permutive`.',
    options: {
      global: { type: 'string', default: 'permutive' },
      json: { type: 'boolean', default: false },
      install: { type: 'boolean', default: false },
    },
    operands: [1, 1],
  },
  async ({ values, positionals: [address = ''] }, io) =>
    withChromium({ command: 'doctor', address, isAllowed: values.install }, io, async (browser) => {
      const findings = allFindings(await lookAt(browser, address, values.global)).map(printable);
      io.out(values.json ? JSON.stringify(findings, null, 2) : findingsText(findings));
      return findings.some(({ severity }) => severity === 'error') ? 1 : 0;
    }),
);
