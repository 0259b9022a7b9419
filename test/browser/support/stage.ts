import type { Browser } from 'playwright-core';

import type { LoggedRequest, Rejected } from '../../../demo/api/journal';
import { type Demo, startDemo } from '../../../demo/servers';
import { browserName } from './browserName';
import { launchBrowser } from './launchBrowser';
import { until, untilSteady } from './until';
import { newVisitor, type Visitor, type VisitorOptions } from './visitor';

/** An event as the reference API has taken it. */
export interface Arrived {
  readonly id: string;
  readonly name: string;
  readonly time: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly view_id: string;
  readonly segments: readonly number[];
  readonly cohorts: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The demo's three servers and a browser, for the tests of one file. */
export interface Stage {
  readonly demo: Demo;
  readonly browser: Browser;
  /** A visitor with empty storage, and what went wrong on their pages. */
  readonly visitor: (options?: VisitorOptions) => Promise<Visitor>;
  /** Events that have arrived since the last reset of the API, each id once. */
  readonly arrived: (name?: string) => Promise<readonly Arrived[]>;
  /** Waits until `count` events of that name have arrived. */
  readonly untilArrived: (name: string, count?: number) => Promise<readonly Arrived[]>;
  /** Waits until the visitors have entered these cohorts; answers all entries that have arrived. */
  readonly untilEntered: (...codes: readonly number[]) => Promise<readonly Arrived[]>;
  /** How many events came again with a known id. */
  readonly duplicates: () => Promise<number>;
  readonly rejected: () => Promise<readonly Rejected[]>;
  readonly requests: (path?: string) => Promise<readonly LoggedRequest[]>;
  /** Waits until nothing has come in for a while. */
  readonly untilQuiet: (quietMs?: number) => Promise<void>;
  readonly resetApi: () => Promise<void>;
  readonly fault: (
    match: { readonly method?: string; readonly path?: string },
    action: object,
    times?: number,
  ) => Promise<void>;
  readonly clearFaults: () => Promise<void>;
  /** Ends all visits, empties the API, and tells what went wrong on the visitors' pages. */
  readonly endVisits: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

let browser: Promise<Browser> | undefined;
/** One for all stages of a file: visitors have contexts of their own, and starting a browser takes a second. */
const sharedBrowser = (): Promise<Browser> => (browser ??= launchBrowser());
afterAll(async () => (await browser)?.close());

export const openStage = async (): Promise<Stage> => {
  // Nobody is in the sample by chance: tests that want metrics ask for them in the address. Nor does a third party know
  // anybody by chance.
  const demo = await startDemo({ site: 0, cdn: 0, api: 0 }, { metricsSamplingPercentage: 0 }, { tpdProviders: [] });
  const browser = await sharedBrowser();
  let visitors: Visitor[] = [];
  const ask = async <A>(path: string): Promise<A> => (await (await fetch(demo.api + path)).json()) as A;
  const good = (name?: string): Promise<{ readonly events: Arrived[]; readonly duplicates: number }> =>
    ask(`/good${name === undefined ? '' : `?name=${name}`}`);
  const arrived: Stage['arrived'] = async (name) => (await good(name)).events;
  const requests: Stage['requests'] = async (path = '') =>
    (await ask<{ requests: LoggedRequest[] }>(`/requests?path=${path}`)).requests;
  const untilQuiet: Stage['untilQuiet'] = (quietMs = 700) => untilSteady(() => requests(), quietMs);
  const resetApi = async (): Promise<void> => {
    await fetch(`${demo.api}/reset`, { method: 'POST' });
  };
  const endContexts = async (): Promise<readonly Visitor[]> => {
    const ended = visitors;
    visitors = [];
    await Promise.all(ended.map(({ context }) => context.close()));
    return ended;
  };
  return {
    demo,
    browser,
    visitor: async (options) => {
      const visitor = await newVisitor(browser, demo.site, options);
      visitors.push(visitor);
      return visitor;
    },
    arrived,
    untilArrived: (name, count = 1) =>
      until(async () => {
        const events = await arrived(name);
        return events.length >= count ? events : undefined;
      }, `${count} ${name}`),
    untilEntered: (...codes) =>
      until(async () => {
        const entries = await arrived('SegmentEntry');
        const entered = new Set(entries.map(({ properties }) => properties['segment_number']));
        return codes.every((code) => entered.has(code)) ? entries : undefined;
      }, `entries of ${codes.join()}`),
    duplicates: async () => (await good()).duplicates,
    rejected: async () => (await ask<{ rejected: Rejected[] }>('/bad')).rejected,
    requests,
    untilQuiet,
    resetApi,
    fault: async (match, action, times) => {
      await fetch(`${demo.api}/faults`, {
        method: 'POST',
        body: JSON.stringify([{ match, action, ...(times !== undefined && { times }) }]),
      });
    },
    clearFaults: async () => {
      await fetch(`${demo.api}/faults`, { method: 'DELETE' });
    },
    endVisits: async () => {
      const ended = await endContexts();
      // Firefox sends the last requests of a page that was closed later than others.
      await untilQuiet(browserName === 'firefox' ? 500 : 100);
      await resetApi();
      return ended.flatMap(({ errors }) => errors);
    },
    close: async () => {
      await endContexts();
      await demo.close();
    },
  };
};

/** A stage for the tests of one `describe`. A test fails when a page of its visitors had an error. */
export const stageForTests = (): Stage => {
  let opened: Stage | undefined;
  beforeAll(async () => {
    opened = await openStage();
  });
  afterEach(async () => {
    expect(await opened?.endVisits()).toEqual([]);
  });
  afterAll(() => opened?.close());
  return new Proxy({} as Stage, { get: (_, name) => Reflect.get(opened ?? {}, name) as unknown });
};

// Longer than any wait of a test, so that a test that waits in vain says for what.
jest.setTimeout(180_000);
