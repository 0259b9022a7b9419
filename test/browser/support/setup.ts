import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { provide } from '../../../command/programs/provide';
import { project } from '../../../demo/project/project';
import type { BrowserName } from './browserName';

/** Once before all browser tests: there is a bundle to test, and a browser to test it in. */
export default (_: unknown, { globals }: { readonly globals: { readonly testedBrowser?: BrowserName } }): void => {
  const bundle = resolve(__dirname, `../../../dist/${project.workspaceId}-web.js`);
  if (!existsSync(bundle))
    throw new Error(`The browser tests drive the built bundle: run \`npm run build\` first (${bundle} is missing).`);
  provide(globals.testedBrowser ?? 'chromium');
  // The real Prebid of npm, as a publisher builds it.
  execFileSync(process.execPath, [resolve(__dirname, '../../../scripts/prebid.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
};
