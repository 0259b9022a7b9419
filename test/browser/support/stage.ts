import type { Browser, BrowserContext } from 'playwright-core';

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
  /** Waits until the API has answered all requests that have come in. */
  readonly untilIdle: () => Promise<void>;
  /** Waits until nothing has come in for a while. */
  readonly untilQuiet: (quietMs?: number) => Promise<void>;
  readonly resetApi: () => Promise<void>;
  readonly fault: (
    match: { readonly method?: string; readonly path?: string },
    action: object,
    times?: number,
  ) => Promise<void>;
  readonly clearFaults: () => Promise<void>;
  /** What went wrong on the visitors' pages since it was asked last. */
  readonly takeErrors: () => readonly string[];
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
  const untilIdle: Stage['untilIdle'] = async () => {
    await until(
      async () => (await ask<{ underWay: number }>('/requests?since=10000')).underWay === 0 || undefined,
      'answers',
    );
  };
  const untilQuiet: Stage['untilQuiet'] = (quietMs = 700) => untilSteady(() => requests(), quietMs);
  const resetApi = async (): Promise<void> => {
    await fetch(`${demo.api}/reset`, { method: 'POST' });
  };
  const takeErrors = (of: readonly Visitor[] = visitors): readonly string[] =>
    of.flatMap(({ errors }) => errors.splice(0));
  const endContexts = async (): Promise<readonly Visitor[]> => {
    const ended = visitors;
    visitors = [];
    await Promise.all(ended.map(({ context }) => closeContext(context)));
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
    untilIdle,
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
    takeErrors: () => takeErrors(),
    endVisits: async () => {
      const ended = await endContexts();
      // What a page sends as it closes has come in by now. Only Firefox sends it later.
      await (browserName === 'firefox' ? untilQuiet(500) : untilIdle());
      await resetApi();
      return takeErrors(ended);
    },
    close: async () => {
      await endContexts();
      await demo.close();
    },
  };
};

/** Closes a visitor's pages. What answers their last requests finds no page any more, and that is no failure. */
const closeContext = async (context: BrowserContext): Promise<void> => {
  const unrouted = [context, ...context.pages()].map((routed) => routed.unrouteAll({ behavior: 'ignoreErrors' }));
  await Promise.all([context.close(), Promise.allSettled(unrouted)]);
};

interface StageOptions {
  /** Visits go on from test to test: for tests that only look at what a visit has led to. */
  readonly keepsVisits?: boolean;
}

/** A stage for the tests of one `describe`. A test fails when a page of its visitors had an error. */
export const stageForTests = ({ keepsVisits = false }: StageOptions = {}): Stage => {
  let opened: Stage | undefined;
  beforeAll(async () => {
    opened = await openStage();
  });
  afterEach(async () => {
    expect(keepsVisits ? opened?.takeErrors() : await opened?.endVisits()).toEqual([]);
  });
  afterAll(() => opened?.close());
  return new Proxy({} as Stage, { get: (_, name) => Reflect.get(opened ?? {}, name) as unknown });
};
