import type { Observable } from 'rxjs';

import type { Addresses } from '../contracts/contentUrl';
import type { Experiment } from '../contracts/experiment';
import type { CohortStreams, PageStreams, PageviewStreams, VisitorStreams } from '../contracts/visitStreams';
import type { ContextualAnswer } from '../endpoints/contextualState';
import type { CohortEnds, Data, PageDataName } from '../model/engineCommands';
import type { Tracked } from '../model/event';
import type { PageContext } from '../model/pageContext';
import type { PageProject, ServiceDefinition } from '../model/project';
import type { ServiceOutput } from '../model/serviceOutput';
import type { Page, Tools } from '../platform/platform';

/**
 * What cohort services read of a visit. «State»: a subscriber starts with the current value. The other streams are hot.
 */
export interface ServiceStreams
  extends
    Addresses,
    PageStreams,
    PageviewStreams,
    VisitorStreams,
    Pick<CohortStreams, 'cohorts$' | 'transitionsSinceInit$'> {
  /** State with a history: the latest 200 events of the visit. */
  readonly latest$: Observable<Tracked>;
  /** State without a value at first: the engine has loaded what is stored; `migrated` from an older version. */
  readonly initialised$: Observable<{ readonly migrated: boolean }>;
  /** All third-party segments that made cohorts true, at each change. */
  readonly usage$: Observable<readonly { readonly provider: string; readonly id: string }[]>;
  /** The lookalike models have changed, and the engine has them. */
  readonly models$: Observable<unknown>;
  /** State without a value at first: when cohorts of the visitor end by themselves. */
  readonly ends$: Observable<CohortEnds>;
  /**
   * State without a value at first: what the contextual service says of the page, once somebody has asked; undefined:
   * nothing yet of this address. A subscriber causes no request.
   */
  readonly contextual$: Observable<ContextualAnswer | undefined>;
  /** Whether this browser had no user id before this visit. */
  readonly isNew: boolean;
  /**
   * The server has given the visitor another id, and the engine of that id has begun. That engine has to be given all
   * data that queries look up.
   */
  readonly adopted$: Observable<string>;
  /** Whether it has, since the visit began. */
  readonly isAdopted: () => boolean;
  /** The visit ends; shared states then let go of their sources. */
  readonly stop$: Observable<unknown>;
  /**
   * Asks for data of the page at an address, unless it was asked for in this view: `geo`, or else its `classification`.
   * In one value, which is empty where there is none.
   */
  readonly lookup: (name: PageDataName, url: string) => Observable<Data>;
  /** The event with its placeholders replaced, once what they need is known. Emits once. */
  readonly fill: (tracked: Tracked) => Observable<Tracked>;
  /** User, session, view and page of this moment. */
  readonly context: () => PageContext;
}

/** What cohort services act with. */
export interface ServiceDeps extends Pick<
  Tools,
  'http' | 'setting' | 'json' | 'local' | 'now' | 'random' | 'appears' | 'endOfTask' | 'yieldThread' | 'report'
> {
  readonly project: PageProject & ServiceDefinition;
  /** Decides what partners are told. */
  readonly experiment: Experiment;
  /** What the page hands to a service by `permutive.addon(name, given)`. A late subscriber gets the latest again. */
  readonly calls: { readonly addon: (name: string) => Observable<unknown> };
  readonly page: Pick<Page, 'url' | 'global'>;
}

/**
 * A producer of cohorts, lookup data or events beside the query engine. A service never errors: what fails is reported,
 * and a default stands in for it. The service ends with the visit. Cold.
 */
export type CohortService = (streams: ServiceStreams, deps: ServiceDeps) => Observable<ServiceOutput>;
