import { ignoreElements, map, mergeMap, NEVER, tap } from 'rxjs';

import type { AnyAddon } from '../../src/addons/addon';
import { web } from '../../src/addons/web/web';
import { lateValues } from '../../src/cohorts/lateValues';
import type { Definition } from '../../src/engine/engine';
import { published } from '../../src/engine/language/canonical';
import { isTransition } from '../../src/model/cohort';
import type { Event } from '../../src/model/event';
import { pageviewFields } from '../../src/model/project';
import { storeKeys } from '../../src/model/storageKeys';
import { lateParts, projectOf } from '../support/project';
import { type BrowserDeps, fakeBrowser, oneProcess, type Tab } from '../support/world/browser';
import { withClock } from '../support/world/clock';
import type { Origin } from '../support/world/origin';
import type { Page, SiteProject } from '../support/world/page';
import type { Story } from './story';

/** The n-th event of a story adds 4 to the power of n, so that a sum tells how often each event has counted. */
const base = 4;
const maxEvents = 16;
const never = 1e12;
const countedNames = ['Story', 'Reaction', 'Pageview'];

const queries: readonly Definition[] = [
  { id: '1', q: { event: 'Story', sum: 'amount', is: { gte: never }, within: { days: 7 } } },
  // Never kept in the events cache.
  { id: '2', q: { event: 'Reaction', sum: 'amount', is: { gte: never }, within: { days: 7 } } },
  { id: '3', q: { event: 'Pageview', is: { gte: 1000 }, within: { days: 7 } } },
  {
    id: '5',
    q: { event: 'Pageview', where: { p: 'isp_info.isp', in: ['An Isp'] }, is: { gte: 1000 }, within: { days: 7 } },
  },
  // Any Pageview, as a query counts it that waits for the visitor's place.
  {
    id: '4',
    q: {
      event: 'Pageview',
      where: {
        or: [
          { p: 'isp_info.isp', exists: true },
          { p: 'isp_info.isp', exists: false },
        ],
      },
      is: { gte: 1000 },
      within: { days: 7 },
    },
  },
];
/** Cohorts that a visitor enters once and never leaves. */
const lasting: readonly Definition[] = [
  ...[1, 2, 4].map((times) => ({ id: `1${times}`, q: { event: 'Story', is: { gte: times } } })),
  ...[1, 3].map((times) => ({ id: `2${times}`, q: { event: 'Reaction', is: { gte: times } } })),
  ...[1, 2, 4, 6].map((times) => ({ id: `3${times}`, q: { event: 'Pageview', is: { gte: times } } })),
  ...[1, 3].map((times) => ({ id: `4${times}`, q: { event: 'PageviewComplete', is: { gte: times } } })),
];
/** A site whose pages tell of each event that their addons hear. */
const siteOf = (onEvent: (event: Event) => void): SiteProject => {
  const probe: AnyAddon = {
    name: 'probe',
    autoInit: true,
    options: (input) => input,
    run: ({ event$ }) => event$.pipe(tap(onEvent), ignoreElements()),
  };
  return {
    project: projectOf({ addons: { web: {} }, pageviewFields: { isp_info: pageviewFields.isp_info } }),
    bundle: { v: 1, id: 'site', seed: 0, queries: [...queries, ...lasting].map(published), lateFields: ['isp_info'] },
    addonsOf: () => [probe, web],
    parts: lateParts({ cohortServices: lateValues }),
  };
};

/** What the stored state says: how often each event of the story has counted, and how many Pageviews have. */
export interface Counts {
  readonly times: readonly number[];
  readonly pageviews: number;
  /** The same, of a query that reads what a Pageview may have late. */
  readonly lateViews: number;
}

export interface Played {
  /** The counts at the end, when all is quiet; and the most that they were at any moment. */
  readonly counts: Counts;
  readonly most: Counts;
  /** What has arrived at the server. */
  readonly uploaded: Counts;
  /** How many Pageviews have counted with the visitor's place, at the end. */
  readonly placed: number;
  /** The cohorts of the stored state at the end, and those whose entry has arrived at the server, in order. */
  readonly members: readonly string[];
  readonly entered: readonly string[];
  /** The counted events that addons of the pages have heard, and that have not arrived. */
  readonly lost: readonly Event[];
}

/** Changes the platform of the pages, to show that the law can fail. */
export type Fault = NonNullable<BrowserDeps['changed']>;

/** Ms after which all that a page has begun is over, and the last pages have taken over and counted what was left. */
const quietMs = 12_000;

/** A page goes on for so long after it was left before its script has run, at most. */
const lingerMs = 25;

/** Plays a story in virtual time with the real SDK and its real engine. */
export const play = (story: Story, fault: Fault = (platform) => platform): Played =>
  withClock((clock, life) => {
    const heard: Event[] = [];
    let place = { works: true, lateMs: 0 };
    let [localWorks, engineWorks, tracked, opened] = [true, true, 0, 0];
    /** While all pages leave in one moment: what each process knows of local storage. */
    let before: ReadonlyMap<string, string> | undefined;
    const copies = new Map<Page, Map<string, string>>();
    let most: Counts = { times: [], pageviews: 0, lateViews: 0 };
    const look = (origin: Origin): void => {
      const now = countsIn(origin);
      most = {
        times: now.times.map((times, i) => Math.max(times, most.times[i] ?? 0)),
        pageviews: Math.max(now.pageviews, most.pageviews),
        lateViews: Math.max(now.lateViews, most.lateViews),
      };
    };
    const changed: Fault = (given, page) => {
      const platform = fault(given, page);
      const { local, http } = platform;
      const ownCopy = (): Map<string, string> | undefined => {
        if (before === undefined) return undefined;
        const copy = copies.get(page) ?? new Map(before);
        copies.set(page, copy);
        return copy;
      };
      return {
        ...platform,
        http: {
          ...http,
          send: (request) => {
            if (!request.url.includes('/geoip')) return http.send(request);
            const { works, lateMs } = place;
            const body = JSON.stringify({ isp_info: { isp: 'An Isp' } });
            return http.send(request).pipe(
              mergeMap(() => clock.after(lateMs)),
              map(() => (works ? { status: 200, body } : { status: 500, body: '' })),
            );
          },
        },
        local: {
          ...local,
          read: (key) => {
            const copy = ownCopy();
            return copy ? (copy.get(key) ?? null) : local.read(key);
          },
          write: (key, text) => {
            if (!localWorks && (local.read(key)?.length ?? 0) < text.length) return 'quota';
            ownCopy()?.set(key, text);
            return local.write(key, text);
          },
        },
        openEngine: () => (engineWorks ? platform.openEngine() : { message$: NEVER, send: () => undefined }),
      };
    };
    const browser = fakeBrowser(['site.example', 'site.example', 'site.example'], {
      clock,
      life,
      traits: { ...oneProcess, lingerMs },
      project: siteOf((event) => heard.push(event)),
      changed,
      onBoot: () => undefined,
      onUse: (page) => look(page.origin),
      onReport: () => undefined,
    });
    const { tabs, server } = browser;
    const origin = browser.origins[0]!;
    const open = (tab: Tab): void =>
      void browser.open(tab, {
        path: `/article/${(opened += 1)}/`,
        config: { consentRequired: false, sendClientErrors: false, metricsSamplingPercentage: 0 },
        queue: [['addon', 'web', { page: {} }]],
      });
    const track = (page: Page, name: string): void => {
      if (tracked >= maxEvents) return;
      page.call('track', name, { amount: base ** tracked });
      tracked += 1;
    };
    const leaveAll = (): void => {
      before = new Map(tabs[0]!.origin.local);
      tabs.forEach((tab) => browser.close(tab));
      before = undefined;
      copies.clear();
    };

    for (const step of story) {
      switch (step.do) {
        case 'leaveAll':
          leaveAll();
          break;
        case 'network':
          browser.setOnline(step.works);
          break;
        case 'place':
          place = step;
          break;
        case 'local':
          localWorks = step.works;
          break;
        case 'engine':
          engineWorks = step.works;
          break;
        case 'store':
          origin.isStoreRefused = !step.works;
          break;
        case 'busy':
          origin.busyUntil = clock.now() + step.ms;
          break;
        default:
          takeInTab(step.do, tabs[step.tab]!);
      }
      clock.run(step.then);
    }
    function takeInTab(deed: string, tab: Tab): void {
      if (deed === 'back' && tab.cached) return void browser.back(tab, () => undefined);
      if (deed === 'open' || tab.page === undefined || deed === 'back') return open(tab);
      if (deed === 'freeze') {
        browser.freeze(tab.page);
        return;
      }
      // A visitor looks at a page before doing anything on it. The browser may end one that is frozen without a word.
      if (deed !== 'close' && deed !== 'crash') browser.thaw(tab.page);
      // A router shows another article.
      if (deed === 'view') {
        tab.page.path = `/article/${(opened += 1)}/`;
        tab.page.call('addon', 'web', { page: {} });
      } else if (deed === 'close') browser.close(tab);
      else if (deed === 'crash') browser.crash(tab);
      else if (deed === 'hide' || deed === 'show') browser.setHidden(tab.page, deed === 'hide');
      else track(tab.page, deed === 'track' ? 'Story' : 'Reaction');
    }
    // All is well again, and two more pages are looked at for a while: the first may still meet what is being saved.
    browser.setOnline(true);
    [localWorks, engineWorks] = [true, true];
    [origin.isStoreRefused, origin.busyUntil] = [false, 0];
    place = { works: true, lateMs: 0 };
    clock.run(60_000);
    leaveAll();
    for (let pages = 0; pages < 2; pages += 1) {
      clock.run(100);
      open(tabs[0]!);
      clock.run(quietMs);
    }
    look(origin);
    const arrived = new Set(server.arrived.map(({ id }) => id));
    const lost = heard.filter(({ id, name }) => countedNames.includes(name) && !arrived.has(id));
    return {
      counts: countsIn(origin),
      placed: totalsIn(origin)('5'),
      most,
      uploaded: countsOf(server.arrived),
      members: membersIn(origin),
      entered: server.arrived
        .flatMap((event) => {
          const { name, properties } = event as unknown as Event;
          return isTransition(name)
            ? [`${name === 'SegmentExit' ? 'exit ' : ''}${String(properties['segment_number'])}`]
            : [];
        })
        .sort(),
      lost,
    };
  });

/** The lasting cohorts of a stored state. */
const membersIn = ({ store }: Origin): readonly string[] => {
  const { internal_query_states: states = {} } = JSON.parse(store.get(storeKeys.queries) ?? '{}') as {
    internal_query_states?: Readonly<Record<string, [string, unknown, 0 | 1]>>;
  };
  return lasting.map(({ id }) => id).filter((id) => states[id]?.[2] === 1);
};

const timesIn = (sum: bigint): readonly number[] =>
  Array.from({ length: maxEvents }, (_, i) => Number((sum / BigInt(base) ** BigInt(i)) % BigInt(base)));

/** How much the stored state of an origin has counted, by query. */
const totalsIn = ({ store }: Origin): ((id: string) => number) => {
  const { internal_query_states: states = {} } = JSON.parse(store.get(storeKeys.queries) ?? '{}') as {
    internal_query_states?: Readonly<Record<string, [string, readonly (readonly number[])[]]>>;
  };
  // Buckets of time, each with its weight in thousandths.
  return (id) => (states[id]?.[1]?.[0] ?? []).reduce((total, weight, i) => (i % 2 === 1 ? total + weight : total), 0);
};

/** What the stored state of an origin has counted. */
const countsIn = (origin: Origin): Counts => {
  const totalOf = totalsIn(origin);
  return {
    times: timesIn(BigInt(totalOf('1') + totalOf('2')) / 1000n),
    pageviews: totalOf('3'),
    lateViews: totalOf('4'),
  };
};

const countsOf = (events: readonly { readonly name: string }[]): Counts => {
  const pageviews = events.filter(({ name }) => name === 'Pageview').length;
  return {
    times: timesIn(
      events.reduce((sum, event) => {
        const { amount } = (event as { readonly properties: { readonly amount?: number } } & typeof event).properties;
        return sum + BigInt(amount ?? 0);
      }, 0n),
    ),
    pageviews,
    lateViews: pageviews,
  };
};
