import { type Browser, chromium } from 'playwright-core';

import { headlessPath, quiet } from '../../../command/doctor/chromium';

export { chromiumPath, headlessPath, quiet } from '../../../command/doctor/chromium';

/** Chromium for pages of the tests, with more arguments where a test needs them. */
export const launchChromium = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: headlessPath(), args: [...quiet, ...args] });
