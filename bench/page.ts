// npm run bench:page -- [--rounds N] [--only NAME,…] [--json FILE] [--also NAME=FOLDER,…]
//   [--trace [--throttle 4,1]] [--scenarios] [--profile FILE]
// What the SDK costs a page, compared with other SDKs. All take turns within one run. Only the ratios count, because
// times depend on the machine. Chromium gets nothing but the page's address, and the kernel's account of processor time
// is read; so this needs Linux. `--trace` attaches DevTools instead: slower and dearer, but it can slow the processor
// down and says which tasks were long. `--also` measures further builds of ours, such as one of an earlier revision.
// `--scenarios` prints the longest task of what ours does after its start, and `--profile` where its start spends its
// time, by module. The peers are installed by `npm ci --prefix bench/page`.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';

import { type Demo, startDemo } from '../demo/servers';
import { launchChromium } from '../test/browser/support/chromium';
import { type Candidate, peers } from './page/candidates';
import { type Ours, ours as ourCandidates } from './page/ours';
import { profileOf } from './page/profile';
import { summariseQuietly } from './page/quietSummary';
import { measureQuietly, type QuietVisit } from './page/quietVisit';
import { measureScenarios } from './page/scenarios';
import { type BenchServer, startServer } from './page/server';
import { summarise } from './page/summary';
import { measureVisits, type Visit } from './page/visit';
import { printTable } from './table';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    trace: { type: 'boolean', default: false },
    throttle: { type: 'string' },
    json: { type: 'string' },
    profile: { type: 'string' },
    scenarios: { type: 'boolean', default: false },
    also: { type: 'string', default: '' },
  },
});
const listed = (text: string): readonly string[] => text.split(',').filter((part) => part !== '');
// A profile is finer without.
const rates = listed(values.throttle ?? (values.profile === undefined ? '4' : '1')).map(Number);
const isQuiet = !values.trace && !values.scenarios && values.profile === undefined;
const onlyOurs = values.scenarios || values.profile !== undefined;

const compareQuietly = async (server: BenchServer, candidates: readonly Candidate[]): Promise<void> => {
  const visits: QuietVisit[] = [];
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    for (const candidate of candidates) visits.push(...(await measureQuietly(server, candidate)));
    console.error(`round ${round} of ${values.rounds}`);
  }
  const { tables, results } = summariseQuietly(candidates, visits);
  console.log(`\nProcessor time in ms, medians of ${values.rounds} rounds`);
  for (const { title, head, rows } of tables) printTable(title, head, rows);
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ results, visits }, null, 2));
};

const compareAttached = async (
  browser: Browser,
  server: BenchServer,
  candidates: readonly Candidate[],
): Promise<void> => {
  const all: unknown[] = [];
  for (const rate of rates) {
    const visits: Visit[] = [];
    for (let round = 1; round <= Number(values.rounds); round += 1) {
      for (const candidate of candidates) visits.push(...(await measureVisits(browser, server, candidate, rate)));
      console.error(`round ${round} of ${values.rounds} at throttle ${rate}`);
    }
    const { tables, results } = summarise(candidates, visits, rate);
    console.log(`\nProcessor slowed down ${rate} times, medians of ${values.rounds} rounds`);
    for (const { title, head, rows } of tables) printTable(title, head, rows);
    all.push({ rate, results, visits });
    if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(all, null, 2));
  }
};

const playScenarios = async (browser: Browser, origin: string, own: readonly Ours[], demo: Demo): Promise<void> => {
  for (const rate of rates) {
    for (const candidate of own) {
      const { title, head, rows } = await measureScenarios(browser, origin, candidate, rate, demo.api);
      printTable(title, head, rows);
    }
  }
};

const demo = await startDemo({ site: 0, cdn: 0, api: 0 }, {});
const isWanted = (name: string): boolean =>
  values.only === '' || listed(values.only).some((part) => name.includes(part));
const builds = listed(values.also).map((text) => text.split('=') as [name: string, folder: string]);
const own = ourCandidates(new URL(demo.api).host, builds, isWanted, isQuiet ? 'both' : 'with');
const candidates = [...(onlyOurs ? [] : peers(isWanted)), ...own];
const server = await startServer(candidates);
/** Runs what was asked for that needs a browser with DevTools. */
const runAttached = async (): Promise<void> => {
  const browser = await launchChromium();
  try {
    if (values.profile !== undefined) {
      const [first] = own;
      if (first === undefined) throw new Error('--profile is for our own script');
      await profileOf(browser, server, first, rates[0] ?? 1, values.profile);
    } else if (values.scenarios) await playScenarios(browser, server.origin, own, demo);
    else await compareAttached(browser, server, candidates);
  } finally {
    await browser.close();
  }
};

try {
  await (isQuiet ? compareQuietly(server, candidates) : runAttached());
} finally {
  await server.close();
  await demo.close();
}
