import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CmpApi, SignalStatus } from '@iabgpp/cmpapi';

import { scriptFile, type Visitor } from './visitor';

const folder = resolve(__dirname, '../../../node_modules/@iabgpp/cmpapi/lib/mjs');
const address = '/iabgpp/';

// As text: the tests' compiler would make something else of `import()`.
const starting = `(async () => {
  const { CmpApi } = await import('${address}index.js');
  window.gpp = new CmpApi(30, 1);
})()`;

/** The fields that a visitor has chosen, by section. */
export type GppChoices = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Opens a page of the site on which a consent platform made of the IAB's own package stands before the SDK, and has not
 * asked the visitor yet. The answer is a function by which the visitor chooses.
 */
export const openWithGpp = async (
  { page, context, hold }: Visitor,
  url: string,
): Promise<(choices: GppChoices) => Promise<void>> => {
  await context.route(`**${address}**`, (route) => {
    const path = new URL(route.request().url()).pathname.slice(address.length);
    return route.fulfill({ body: readFileSync(join(folder, path), 'utf8'), contentType: 'text/javascript' });
  });
  const release = await hold(scriptFile);
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  await page.evaluate(starting);
  release();
  return (choices) =>
    page.evaluate(
      ([chosen, ready]) => {
        const { gpp } = window as unknown as { readonly gpp: CmpApi };
        for (const [section, fields] of Object.entries(chosen)) {
          for (const [field, value] of Object.entries(fields)) gpp.setFieldValue(section, field, value);
          gpp.fireSectionChange(section);
        }
        gpp.setSignalStatus(ready);
      },
      [choices, SignalStatus.READY] as const,
    );
};
