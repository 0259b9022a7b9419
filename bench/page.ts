// npm run bench:page -- [--rounds N] [--only NAME,…] [--throttle 4,1] [--json FILE] [--profile FILE]
//   [--also NAME=FOLDER,…]
// What the SDK costs a page, compared with other SDKs. All take turns within one run, in Chromium with its processor
// slowed down. Only the ratios count, because times depend on the machine. A visit in which the renderer had to wait
// too long for a processor is repeated. `--also` measures further builds of ours, such as one of an earlier revision.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { startDemo } from '../demo/servers';
import { launchChromium } from '../test/browser/support/chromium';
import { type Candidate, peers } from './page/candidates';
import { ours as ourCandidates } from './page/ours';
import { profileOf } from './page/profile';
import { startServer } from './page/server';
import { summarise } from './page/summary';
import { measureVisits, type Visit } from './page/visit';
import { printTable } from './table';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    throttle: { type: 'string', default: '4' },
    json: { type: 'string' },
    profile: { type: 'string' },
    also: { type: 'string', default: '' },
  },
});

const builds = values.also
  .split(',')
  .filter((text) => text !== '')
  .map((text) => text.split('=') as [name: string, folder: string]);
const demo = await startDemo({ site: 0, cdn: 0, api: 0 }, {});
const wanted = values.only.split(',').filter((name) => name !== '');
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.some((part) => name.includes(part));
const candidates: readonly Candidate[] = [
  ...peers().filter(({ name }) => isWanted(name)),
  ...ourCandidates(new URL(demo.api).host, builds, isWanted),
];
const server = await startServer(candidates);
const browser = await launchChromium();
try {
  if (values.profile !== undefined) {
    const own = candidates.find((candidate) => 'dist' in candidate);
    if (own === undefined) throw new Error('--profile is for our own script');
    await profileOf(browser, server.origin, own, values.profile);
  } else {
    for (const rate of values.throttle.split(',').map(Number)) {
      const visits: Visit[] = [];
      for (let round = 0; round < Number(values.rounds); round += 1) {
        for (const candidate of candidates)
          visits.push(...(await measureVisits(browser, server.origin, candidate, rate)));
        console.error(`round ${round + 1} of ${values.rounds} at throttle ${rate}`);
      }
      const { tables, results } = summarise(candidates, visits);
      console.log(`\nProcessor slowed down ${rate} times, medians of ${values.rounds} rounds`);
      for (const { title, head, rows } of tables) printTable(title, head, rows);
      if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ rate, results, visits }, null, 2));
    }
  }
} finally {
  await browser.close();
  await server.close();
  await demo.close();
}
