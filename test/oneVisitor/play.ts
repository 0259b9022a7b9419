import { type BrowserDeps, type FakeBrowser, fakeBrowser, oneProcess, type Tab } from '../support/world/browser';
import { withClock } from '../support/world/clock';
import type { Page } from '../support/world/page';
import type { Violation } from './clauses';
import { type Judge, judgeOf } from './law';
import { countingCohorts, siteOf } from './site';
import { hosts, type Step, type Story, type TabDeed } from './steps';

/** What the world tells of a story that was played. */
export interface Played {
  readonly violations: readonly Violation[];
  /** What the SDK has reported. */
  readonly reports: readonly string[];
}

/** A pause is lived through up to this length; during the rest the device sleeps, and its clock goes on. */
const awakeMs = 7000;
/** Ms after which nothing more happens by itself. */
const quietMs = 2000;
/** Ms that the last pages have to send what earlier ones have left. */
const lastMs = 4000;

/**
 * Plays a story in virtual time, and judges it; once more in the end, on a last page of each origin. `changed` breaks
 * the platform of the pages.
 */
export const play = ({ consentRequired, traits, steps }: Story, changed?: BrowserDeps['changed']): Played =>
  withClock((clock, life) => {
    const reports: string[] = [];
    const queued = new Map<Page, boolean>();
    const judge: Judge = judgeOf(() => browser, { isRequired: consentRequired, ...(traits ?? oneProcess) }, clock.now);
    const browser: FakeBrowser = fakeBrowser(hosts, {
      clock,
      life,
      project: siteOf(judge),
      traits: traits ?? oneProcess,
      onBoot: (page) => judge.onBoot(page, queued.get(page)),
      onUse: judge.onUse,
      changed,
      onReport: (page, message, cause) =>
        void reports.push(`page ${page.number}: ${message} ${cause instanceof Error ? cause.message : ''}`),
    });
    const wait = (ms: number): void => {
      clock.run(Math.min(ms, awakeMs));
      if (ms > awakeMs) browser.stepClock(ms - awakeMs);
      if (ms >= quietMs) judge.onSettled();
    };

    let opened = 0;
    const opening = (consent?: boolean) => {
      const stages = ['initialised', 'realtime'];
      const ready = stages.map((stage) => ['ready', () => judge.onReady(page!, stage), stage] as const);
      const answers = consent === undefined ? [] : [['consent', consentOf(consent)] as const];
      let page: Page | undefined;
      return {
        known: (loaded: Page): void => {
          page = loaded;
          if (consent !== undefined) queued.set(loaded, consent);
        },
        how: {
          path: `/article/${(opened += 1)}/`,
          config: { consentRequired, sendClientErrors: false, metricsSamplingPercentage: 0, loggingEnabled: true },
          queue: [...answers, ['addon', 'web', { page: {} }] as const, ...ready],
        },
      };
    };
    const open = (tab: Tab, consent?: boolean): Page => {
      const { how, known } = opening(consent);
      judge.onLeave(tab.page);
      const page = browser.open(tab, how);
      known(page);
      return page;
    };

    const take = (step: Step): void => {
      if (step.do === 'clock') {
        judge.onClock();
        return browser.stepClock(step.ms);
      }
      if (step.do === 'network') return browser.setOnline(step.isOnline);
      takeInTab(step);
    };
    const takeInTab = (step: TabDeed): void => {
      const { tabs } = browser;
      if (step.do === 'open') return void open(tabs[step.tab]!, step.consent);
      // A deed is done in the tab of that number among those that show a page.
      const showing = tabs.filter((tab) => tab.page);
      const tab = showing[step.tab % showing.length];
      if (tab?.page === undefined) return void open(tabs[step.tab]!);
      const { page } = tab;
      switch (step.do) {
        case 'route':
          page.path = `/article/${(opened += 1)}/`;
          return;
        case 'spa':
          page.path = `/article/${(opened += 1)}/`;
          return void page.call('addon', 'web', { page: {} });
        case 'again':
          return void page.call('addon', 'web', { page: {} });
        case 'login':
          judge.onLogin(page);
          return void page.call('identify', [{ tag: 'login', id: step.as }]);
        case 'logout':
          // Without its methods, a page can only note what it wants.
          if (!page.isBooted) return;
          judge.onReset(page);
          return void page.call('reset');
        case 'consent':
          if (!page.isBooted) return;
          judge.onConsent(page, step.given);
          return void page.call('consent', consentOf(step.given));
        case 'waver':
          if (!page.isBooted) return;
          judge.onWaver(page);
          return clock.task(page.life, () => {
            page.call('consent', consentOf(true));
            page.call('consent', consentOf(false));
          });
        case 'close':
          judge.onLeave(page);
          return browser.close(tab);
        case 'crash':
          judge.onCrash(page);
          return browser.crash(tab);
        case 'back':
          if (tab.cached === undefined) return void open(tab);
          judge.onLeave(page);
          return void browser.back(tab, (cached) => {
            judge.onReturn(cached);
            // The page's own listener, which comes before that of the SDK.
            cached.call('track', 'Returned');
          });
        case 'prerender': {
          const { how, known } = opening();
          browser.prerender(tab, how);
          return known(tab.prerendered!);
        }
        case 'activate':
          if (tab.prerendered === undefined) return;
          judge.onLeave(page);
          judge.onShow(tab.prerendered);
          return void browser.activate(tab);
        case 'hide':
        case 'show':
          judge.onHide(page, step.do === 'hide');
          return browser.setHidden(page, step.do === 'hide');
      }
    };

    for (const step of steps) {
      take(step);
      wait(step.then);
    }
    // The network is back, all pauses between requests are over, and another page of each origin is opened.
    browser.setOnline(true);
    wait(3_600_000);
    for (const tab of browser.tabs) {
      judge.onLeave(tab.page);
      browser.close(tab);
    }
    clock.run(100);
    const last = browser.origins.map((origin) => open(browser.tabs.find((tab) => tab.origin === origin)!));
    wait(lastMs);
    for (const page of last) count(page, judge);
    clock.run(quietMs);
    judge.onEnd();
    return { violations: judge.violations, reports };
  });

const consentOf = (given: boolean): unknown => (given ? { opt_in: true, token: 'CONSENT' } : { opt_in: false });

/** Asks the engine of a page what it has counted. */
const count = (page: Page, judge: Judge): void => {
  if (judge.standingOf(page) !== 'permitted') return;
  page.call('explain', countingCohorts.pageviews, (pageviews: unknown) =>
    page.call('explain', countingCohorts.completions, (completions: unknown) =>
      judge.onCounted(page, numberIn(pageviews), numberIn(completions)),
    ),
  );
};

const numberIn = (words: unknown): number => Number(/has (\d+)/.exec(String(words))?.[1] ?? 0);
