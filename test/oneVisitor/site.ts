import { defer, ignoreElements, NEVER, tap } from 'rxjs';

import type { AnyAddon } from '../../src/addons/addon';
import { dfpWith } from '../../src/addons/googleAdManager/dfp';
import { prebid } from '../../src/addons/prebid/prebid';
import { trackingPixel } from '../../src/addons/trackingPixel/trackingPixel';
import { web } from '../../src/addons/web/web';
import { isRecord } from '../../src/codecs/codecs';
import type { Definition } from '../../src/engine/engine';
import { published } from '../../src/engine/language/canonical';
import type { Event } from '../../src/model/event';
import { localKeys } from '../../src/model/storageKeys';
import { lateParts, projectOf } from '../support/project';
import type { Page, SiteProject } from '../support/world/page';

/** There are cohorts of visitors with so many Pageviews at least, from 1 to this number. They tell what was counted. */
export const levels = 8;
const levelOfCode = (code: unknown): number => (Number(code) <= levels ? Number(code) : 0);
/** Ids of the cohorts that are asked how many Pageviews, and how many completed views, the engine has counted. */
export const countingCohorts = { pageviews: '11', completions: '12' } as const;
/** So many that no engine stops counting before: it need not count on once a query holds. */
const never = 1000;

/** How many Pageviews cohort codes tell of. */
export const levelOf = (codes: readonly unknown[]): number => Math.max(0, ...codes.map(levelOfCode));

/** How many Pageviews the codes tell of that are stored under a key. */
export const levelIn = (key: string, text: string): number => {
  const stored: unknown = JSON.parse(text);
  return levelOf(leavesOf(isRecord(stored) && key === localKeys.appState ? stored['core'] : stored));
};

const leavesOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [value];

const queries: readonly Definition[] = [
  ...Array.from({ length: levels }, (_, i): Definition => ({
    id: String(i + 1),
    q: { event: 'Pageview', is: { gte: i + 1 } },
    activations: { dfp: { trigger: 'OnEntry' } },
  })),
  { id: countingCohorts.pageviews, q: { event: 'Pageview', is: { gte: never } } },
  { id: countingCohorts.completions, q: { event: 'PageviewComplete', is: { gte: never } } },
];

/** The pixel of a cohort. */
const pixelUrl = (level: number): string => `https://pixel.example/level/${level}`;
/** How many Pageviews a pixel tells of. */
export const levelOfPixel = (url: string): number => levelOf([url.slice(url.lastIndexOf('/') + 1)]);

const activations = {
  tracking_pixel: [2, 4].map((level) => ({
    id: `pixel-${level}`,
    short_id: level,
    sc: String(level),
    tt: 'OnEntry' as const,
    c: { pixel_url: pixelUrl(level) },
  })),
};

/** One visit of a page, as an addon sees it. */
export interface SeenVisit {
  /** The user of this moment. */
  readonly user: () => string;
}

/** Who hears of visits and of their accepted events. */
export interface Probe {
  readonly onVisit: (page: Page, visit: SeenVisit) => void;
  readonly onEvent: (page: Page, visit: SeenVisit, event: Event) => void;
}

/** The site of the law: its addons are real ones, and one that looks on. */
export const siteOf = ({ onVisit, onEvent }: Probe): SiteProject => {
  const probeOf = (page: Page): AnyAddon => ({
    name: 'probe',
    autoInit: true,
    options: (input) => input,
    run: ({ event$ }, _options$, deps) =>
      defer(() => {
        const visit: SeenVisit = { user: () => deps.visitor().userId };
        onVisit(page, visit);
        return event$.pipe(
          tap((event) => onEvent(page, visit, event)),
          ignoreElements(),
        );
      }),
  });
  return {
    project: projectOf({ addons: { web: {}, dfp: {}, prebid: { acBidders: ['appnexus'] } } }),
    bundle,
    addonsOf: (page) => [probeOf(page), web, dfp, prebid],
    parts,
  };
};

const bundle: SiteProject['bundle'] = { v: 1, id: 'site', seed: 0, queries: queries.map(published) };
const dfp = dfpWith(() => NEVER);
const parts = lateParts({ addons: [trackingPixel], activations, addonOptions: { tracking_pixel: {} } });
