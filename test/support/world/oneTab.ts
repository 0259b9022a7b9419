import { merge, NEVER } from 'rxjs';

import { dfpWith } from '../../../src/addons/googleAdManager/dfp';
import { prebid } from '../../../src/addons/prebid/prebid';
import { web } from '../../../src/addons/web/web';
import { cohortStoreService } from '../../../src/cohorts/cohortStore';
import { partnerKeysService } from '../../../src/cohorts/partnerKeys';
import { published } from '../../../src/engine/language/canonical';
import type { Definition } from '../../../src/engine/language/language';
import { partnerKeys } from '../../../src/model/storageKeys';
import { keepCodeEnds } from '../../../src/visit/codeEnds';
import { lateParts, projectOf } from '../project';
import { type FakeBrowser, fakeBrowser, oneProcess } from './browser';
import { type VirtualClock, withClock } from './clock';
import type { Page, SiteProject } from './page';
import type { Use } from './use';

const siteOf = (queries: readonly Definition[]): SiteProject => ({
  project: projectOf({ addons: { web: {}, dfp: {}, prebid: { acBidders: ['appnexus'] } } }),
  bundle: { v: 1, id: 'site', seed: 0, queries: queries.map(published) },
  addonsOf: () => [web, dfpWith(() => NEVER), prebid],
  // The services that store what partners read. The others would ask servers.
  parts: lateParts({
    cohortServices: (streams, deps) =>
      merge(keepCodeEnds(streams, deps), partnerKeysService(streams, deps), cohortStoreService(streams, deps)),
  }),
});

/** A visitor with one tab, who reads one article after the other. */
export interface OneTab {
  readonly clock: VirtualClock;
  readonly browser: FakeBrowser;
  /** Opens the next page of the visitor, which begins a view. */
  readonly open: () => Page;
  /** All texts that were written for others to read, since the last page was opened. */
  readonly written: () => readonly string[];
  readonly stored: (key: string) => unknown;
  readonly told: (page: Page) => readonly string[];
  readonly stagesOf: () => readonly string[];
  readonly reports: readonly string[];
}

/** Plays a visitor of a site with these cohorts, in virtual time. */
export const playTab = <A>(queries: readonly Definition[], action: (played: OneTab) => A): A =>
  withClock((clock, life) => {
    const reports: string[] = [];
    let uses: Use[] = [];
    let stages: string[] = [];
    const browser = fakeBrowser(['www.site.example'], {
      clock,
      life,
      traits: oneProcess,
      project: siteOf(queries),
      onBoot: () => undefined,
      onUse: (_, use) => void uses.push(use),
      onReport: (_, message) => void reports.push(message),
    });
    let opened = 0;
    const open = (): Page => {
      [uses, stages] = [[], []];
      const ready = ['initialised', 'realtime'].map(
        (stage) => ['ready', () => void stages.push(stage), stage] as const,
      );
      return browser.open(browser.tabs[0]!, {
        path: `/article/${(opened += 1)}/`,
        config: { sendClientErrors: false, metricsSamplingPercentage: 0 },
        queue: [['addon', 'web', { page: {} }] as const, ...ready],
      });
    };
    return action({
      clock,
      browser,
      open,
      reports,
      written: () =>
        uses.flatMap((use) =>
          (use.door === 'local' || use.door === 'cookie') &&
          ([partnerKeys.all, partnerKeys.googleAdManager] as readonly string[]).includes(use.key)
            ? [`${use.key} ${String(use.text)}`]
            : [],
        ),
      stored: (key) => JSON.parse(browser.origins[0]!.local.get(key) ?? 'null') as unknown,
      told: (page) => page.googletag.targeting.get('permutive'),
      stagesOf: () => stages,
    });
  });
