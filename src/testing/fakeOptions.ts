import type { ClientContext, Event } from '../model/event';
import type { Stage } from '../model/pageContext';
import type { CohortCode } from '../page/permutive';

/** How far a fake is: `loading` is a page with the snippet whose script has not loaded. */
export type FakeStage = 'loading' | Stage;

/** The page, visitor and project of a fake. Every field may be left out. */
export interface FakeOptions {
  /** The visitor's cohorts, as the last page has stored them. Default: none. */
  readonly cohorts?: readonly CohortCode[];
  /** By platform, such as `dfp` or `appnexus_adserver`, the cohorts that are activated there. */
  readonly activations?: Readonly<Record<string, readonly CohortCode[]>>;
  /** Short codes of cohorts, as the project definition has them. */
  readonly cohortCodes?: Readonly<Record<string, string>>;
  /** Codes of cohorts by the names that `segment`, `query`, `trigger` and `explain` take. */
  readonly cohortNames?: Readonly<Record<string, CohortCode>>;
  /** Default: `realtime`. `reach` goes further. */
  readonly stage?: FakeStage;
  /** Settings of the page, such as `{ consentRequired: true }`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Names that `permutive.addon` accepts. Default: all that the SDK has. */
  readonly addons?: readonly string[];
  /** What `explain` answers, by cohort. Default: null, as for a cohort that does not exist. */
  readonly explanations?: Readonly<Record<string, string>>;
  /** Why the server refuses an event: the message for its `error` callback. Undefined: the server takes the event. */
  readonly refusal?: (event: Event) => string | undefined;
  /** What events say of the page. Default: an article of `site.example`. */
  readonly page?: Partial<Pick<ClientContext, 'url' | 'title' | 'referrer' | 'user_agent'>>;
  /** Where `permutive:ready` and the like are dispatched as CustomEvents: give it `window`. Default: nowhere. */
  readonly target?: Pick<EventTarget, 'dispatchEvent'>;
  /** The time in ms since 1970. Default: noon of 1 January 2026, always. */
  readonly now?: () => number;
}
