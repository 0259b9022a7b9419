// npm run bench:store
// What the encrypted events cache costs in Chromium at its limit of 2.5 MB, beside the same cache as one blob that is
// rewritten as a whole, in the same run. Ratios are what to look at.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

import { chromiumPath } from '../test/browser/support/chromium';
import { buildStoreTasks } from './bundle';
import { median } from './measure';
import type { StoreTimes } from './storeTasks';
import { printTable } from './table';

const folder = mkdtempSync(join(tmpdir(), 'bench-store-'));
const script = await buildStoreTasks();
const server = createServer((_, response) =>
  response.setHeader('content-type', 'text/html').end('<!doctype html>'),
).listen(0);
// On a disk, as a visitor's is.
const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
  executablePath: chromiumPath(),
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run'],
});
try {
  const page = await context.newPage();
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  await page.addScriptTag({ content: script });
  const { chunks, oneBlob, events } = await page.evaluate(() =>
    (
      window as unknown as { measure: () => Promise<{ chunks: StoreTimes; oneBlob: StoreTimes; events: number }> }
    ).measure(),
  );
  const row = (what: string, name: keyof StoreTimes): readonly string[] => {
    const [ours, whole] = [median(chunks[name]), median(oneBlob[name])];
    return [what, `${ours.toFixed(1)} ms`, `${whole.toFixed(1)} ms`, `${(whole / ours).toFixed(1)}×`];
  };
  printTable(
    `Encrypted events cache, ${events} events, 2.5 MB`,
    ['', 'chunks', 'one blob', 'ratio'],
    [row('append an event', 'append'), row('append at the limit', 'prune'), row('load', 'load')],
  );
} finally {
  await context.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
