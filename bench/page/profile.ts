import { readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import type { Browser } from 'playwright-core';

import { printTable } from '../table';
import type { Candidate } from './candidates';
import { scriptUrl } from './server';

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly url: string;
      readonly functionName: string;
      readonly lineNumber: number;
      readonly columnNumber: number;
    };
  }[];
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
}

const settledMs = 3000;
const intervalUs = 100;

/** Profiles a first visit of our own script, writes the profile, and prints the time of each of our modules. */
export const profileOf = async (
  browser: Browser,
  origin: string,
  candidate: Candidate & { readonly dist?: string },
  file: string,
): Promise<void> => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.goto(`${origin}/page/${encodeURIComponent(candidate.name)}`);
  await session.send('Profiler.enable');
  await session.send('Profiler.setSamplingInterval', { interval: intervalUs });
  await session.send('Profiler.start');
  const script = scriptUrl(origin, candidate);
  await page.evaluate(
    (src) => (window as unknown as { bench: { insert: (src: string) => void } }).bench.insert(src),
    script,
  );
  await page.waitForTimeout(settledMs);
  const { profile } = (await session.send('Profiler.stop')) as { readonly profile: Profile };
  await context.close();
  writeFileSync(file, JSON.stringify(profile));
  const times = selfTimes(profile, candidate.dist ?? '');
  const rows = [...times].sort((a, b) => b[1] - a[1]).slice(0, 60);
  printTable(
    'Self time by module, unthrottled',
    ['module', 'ms'],
    rows.map(([name, us]) => [name, (us / 1000).toFixed(2)]),
  );
};

const selfTimes = ({ nodes, samples = [], timeDeltas = [] }: Profile, dist: string): ReadonlyMap<string, number> => {
  const moduleOf = new Map(nodes.map(({ id, callFrame }) => [id, moduleName(callFrame, dist)]));
  const times = new Map<string, number>();
  samples.forEach((id, i) => {
    const name = moduleOf.get(id) ?? '';
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[i] ?? 0));
  });
  return times;
};

const maps = new Map<string, TraceMap | undefined>();

const mapOf = (path: string): TraceMap | undefined => {
  if (!maps.has(path)) {
    try {
      maps.set(path, new TraceMap(readFileSync(`${path}.map`, 'utf8')));
    } catch {
      maps.set(path, undefined);
    }
  }
  return maps.get(path);
};

const moduleName = (
  { url, functionName, lineNumber, columnNumber }: Profile['nodes'][number]['callFrame'],
  dist: string,
): string => {
  if (url === '') return functionName;
  const file = basename(new URL(url).pathname);
  const map = mapOf(resolve(dist, file));
  const source =
    map === undefined ? null : originalPositionFor(map, { line: lineNumber + 1, column: columnNumber }).source;
  return source === null ? file : source.replace(/^webpack:\/\/[^/]*\//, '').replace(/\?.*$/, '');
};
