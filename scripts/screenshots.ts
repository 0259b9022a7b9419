// npm run screenshots [-- chromium firefox webkit]
// Writes into build/screenshots what people see of the SDK: the demo's front page, an overlay, the inspector, the views
// of Studio and the documentation, in each browser, as wide as a desktop and as wide as a phone. The build must be
// there.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';

import { startDemo } from '../demo/servers';
import { buildStudioPage } from '../studio/build';
import { builtPage } from '../studio/pageFolder';
import { launchChromium } from '../test/browser/support/chromium';
import { launchFirefox } from '../test/browser/support/firefox';
import { seenPages } from '../test/browser/support/seenPages';
import { studioFolder } from '../test/browser/support/studioFolder';
import { studioViews } from '../test/browser/support/studioViews';
import { newVisitor, type Visitor } from '../test/browser/support/visitor';
import { launchWebkit } from '../test/browser/support/webkit/launch';

const launch: Readonly<Record<string, () => Promise<Browser>>> = {
  chromium: launchChromium,
  firefox: launchFirefox,
  webkit: launchWebkit,
};
const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

const root = new URL('..', import.meta.url);
const folder = new URL('build/screenshots/', root);
mkdirSync(folder, { recursive: true });

const docs = readFileSync(new URL('build/docs/index.html', root));
const server = createServer((_, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(docs));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const docsPage = `http://localhost:${(server.address() as AddressInfo).port}/`;
await buildStudioPage();
const studio = await studioFolder(true, builtPage);
const pages: Readonly<Record<string, (visitor: Visitor) => Promise<unknown>>> = {
  ...seenPages,
  ...Object.fromEntries(
    Object.entries(studioViews).map(([name, open]) => [
      `studio-${name}`,
      async ({ page }: Visitor) => {
        await page.goto(studio.address);
        await open(page);
      },
    ]),
  ),
  documentation: ({ page }) => page.goto(docsPage),
};

const demo = await startDemo({ site: 0, cdn: 0, api: 0 });
const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(launch)) {
  const browser = await launch[name]?.();
  if (browser === undefined) throw new Error(`No browser is called ${name}: ${Object.keys(launch).join(', ')}`);
  for (const [size, viewport] of Object.entries(sizes))
    for (const [what, open] of Object.entries(pages)) {
      const visitor = await newVisitor(browser, demo.site);
      await visitor.page.setViewportSize(viewport);
      await open(visitor);
      // Overlays fade in, and advertisements come.
      await visitor.page.waitForTimeout(1500);
      const file = new URL(`${name}-${size}-${what.replace(' ', '-')}.png`, folder);
      writeFileSync(file, await visitor.page.screenshot());
      console.log(fileURLToPath(file));
      await visitor.context.close();
    }
  await browser.close();
}
await demo.close();
await studio.close();
server.close();
