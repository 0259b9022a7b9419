// npm run studio-pictures
// Draws the pictures of docs/studio.md: the views of Studio in Chromium, as wide as a desktop and as wide as a phone.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { buildStudioPage } from '../studio/build';
import { builtPage } from '../studio/pageFolder';
import { launchChromium } from '../test/browser/support/chromium';
import { studioFolder } from '../test/browser/support/studioFolder';
import { studioViews } from '../test/browser/support/studioViews';

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } };
const folder = fileURLToPath(new URL('../docs/studio/', import.meta.url));
mkdirSync(folder, { recursive: true });

await buildStudioPage();
const studio = await studioFolder(true, builtPage);
const browser = await launchChromium();
for (const [size, viewport] of Object.entries(sizes)) {
  const page = await browser.newPage({ viewport });
  await page.goto(studio.address);
  for (const [name, open] of Object.entries(studioViews)) {
    await open(page);
    const path = `${folder}${name}-${size}.png`;
    await page.screenshot({ path });
    console.log(path);
  }
  await page.close();
}
await browser.close();
await studio.close();
