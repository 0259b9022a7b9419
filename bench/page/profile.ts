import { readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import type { Browser } from 'playwright-core';

import { printTable } from '../table';
import type { Ours } from './ours';
import type { BenchServer } from './server';
import { newContext, openTab, pause } from './tab';
import { readThread, traceCategories } from './trace';
import { measureCompiling } from './visit';

interface Profile {
  /** µs, on the clock of traces. */
  readonly startTime: number;
  readonly endTime: number;
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

/** What ran, when, and for how long, in µs. */
interface Sample {
  readonly name: string;
  readonly at: number;
  readonly us: number;
}

const settledMs = 3000;
const intervalUs = 100;
const mostRows = 60;

/**
 * Profiles a first visit of our own script, writes the profile, and prints the time of each of our modules, and of
 * each in the tasks over 50 ms. Parsing and compiling is in the time of the module that calls for the first time.
 */
export const profileOf = async (
  browser: Browser,
  server: BenchServer,
  candidate: Ours,
  rate: number,
  file: string,
): Promise<void> => {
  const context = await newContext(browser);
  const tab = await openTab(context, server.origin, candidate);
  const { session } = tab;
  await session.send('Profiler.enable');
  await session.send('Profiler.setSamplingInterval', { interval: intervalUs });
  await tab.throttle(rate);
  await browser.startTracing(tab.page, { categories: traceCategories });
  await session.send('Profiler.start');
  await tab.start();
  await pause(settledMs);
  const { profile } = (await session.send('Profiler.stop')) as { readonly profile: Profile };
  const { startUs, longTasks } = readThread(await browser.stopTracing(), 'insert');
  await tab.leave();
  const compileMs = await measureCompiling({ browser, context, server, candidate, rate });
  await context.close();
  writeFileSync(file, JSON.stringify(profile));

  const samples = samplesOf(profile, candidate.dist).filter(({ name, at }) => name !== '(idle)' && at >= startUs);
  const ms = (us: number): string => (us / 1000).toFixed(2);
  const rowsOf = (some: readonly Sample[], most: number): readonly (readonly string[])[] =>
    [...timesOf(some)].slice(0, most).map(([name, us]) => [name, ms(us)]);
  const head = ['module', 'ms'];
  const slowed = `slowed down ${rate} times`;
  // The browser's own, such as the end of the recording, comes after it.
  const starting = longTasks.filter(({ at }) => startUs + at * 1000 < profile.endTime);
  printTable(`Self time by module, ${slowed}`, head, rowsOf(samples, mostRows));
  for (const { at, endAt, ms: taskMs } of starting) {
    const [from, to] = [startUs + at * 1000, startUs + endAt * 1000];
    const inside = samples.filter((sample) => sample.at >= from && sample.at < to);
    printTable(`Of the task of ${taskMs} ms at ${at} ms, ${slowed}`, head, rowsOf(inside, 15));
  }
  console.log(`\nParsing and compiling, contained in the above: ${compileMs.toFixed(0)} ms in the next visit`);
};

const samplesOf = ({ startTime, nodes, samples = [], timeDeltas = [] }: Profile, dist: string): readonly Sample[] => {
  const moduleOf = new Map(nodes.map(({ id, callFrame }) => [id, moduleName(callFrame, dist)]));
  let at = startTime;
  // A delta is the time before its sample.
  return samples.map((id, i) => {
    at += timeDeltas[i] ?? 0;
    return { name: moduleOf.get(id) ?? '', at, us: timeDeltas[i + 1] ?? 0 };
  });
};

/** Times by name, the longest first. */
const timesOf = (samples: readonly Sample[]): readonly (readonly [name: string, us: number])[] => {
  const times = new Map<string, number>();
  for (const { name, us } of samples) times.set(name, (times.get(name) ?? 0) + us);
  return [...times].sort((a, b) => b[1] - a[1]);
};

const maps = new Map<string, TraceMap | undefined>();

const mapOf = (path: string): TraceMap | undefined => {
  if (!maps.has(path)) {
    try {
      // webpack writes maps before the files are named by their content.
      maps.set(path, new TraceMap(readFileSync(`${path.replace(/\.[\w-]{16}(?=\.js$)/, '')}.map`, 'utf8')));
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
  // Of the browser: native functions, and what V8 calls `(program)` and `(garbage collector)`.
  if (url === '') return functionName.startsWith('(') ? functionName : `native ${functionName}`;
  const file = basename(new URL(url).pathname);
  const map = mapOf(resolve(dist, file));
  const source =
    map === undefined ? null : originalPositionFor(map, { line: lineNumber + 1, column: columnNumber }).source;
  return source === null ? file : source.replace(/^webpack:\/\/[^/]*\//, '').replace(/\?.*$/, '');
};
