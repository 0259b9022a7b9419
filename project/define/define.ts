import type { Activation } from '../../src/model/activation';
import type { Config } from '../../src/model/config';
import type { AddonName, AddonOptions, Platform } from './addonOptions';
import type { EventTypes } from './eventTypes';
import type { CohortDefinition } from './helpers';

export type { AddonName, AddonOptions, CommonOptions, IdentityProviderOptions, Platform } from './addonOptions';
export type { EventTypes, PropertyType, PropertyTypes } from './eventTypes';
export * from './helpers';
export { taxonomyEntry } from './taxonomyEntry';

/** A project as a publisher writes it. Fields that are left out are empty. */
export interface ProjectInput {
  /** Id of the workspace, a UUID. */
  readonly workspaceId: string;
  readonly organizationId: string;
  /** A UUID. */
  readonly apiKey: string;
  /** Settings in place of their defaults (docs/configuration.md). */
  readonly config?: Readonly<Partial<Config>>;
  /** The types of the site's events, such as `declareEvents` has them. The check refuses no other event; it warns. */
  readonly events?: EventTypes;
  /** The cohorts. */
  readonly queries?: readonly CohortDefinition[];
  /** Cohorts in short form, by id. */
  readonly rules?: Readonly<Record<string, unknown>>;
  /** The events whose counts the server keeps. */
  readonly lift?: { readonly events: readonly string[] };
  /** What addons do, and for which cohorts. */
  readonly activations?: Readonly<Partial<Record<AddonName, readonly Activation[]>>>;
  /** The addons of the build, each with its options. */
  readonly addons?: { readonly [Name in AddonName]?: AddonOptions[Name] };
  /** Codes of cohorts, by number. */
  readonly cohortCodes?: Readonly<Record<string, string>>;
  /** Numbers of the cohorts that a platform gets. */
  readonly platformCohorts?: Readonly<Partial<Record<Platform, readonly number[]>>>;
  /** Codes that a platform gets in place of all others. */
  readonly optimisedActivationsConfig?: Readonly<
    Partial<Record<Platform, { readonly cohorts?: readonly string[]; readonly ssps?: readonly string[] }>>
  >;
  /** Numbers of cohorts, by the UUID of their lookalike model. */
  readonly models?: Readonly<Record<string, number>>;
  /** Providers of third-party data that may be asked. */
  readonly tpdProviders?: readonly string[];
  /** Tags that `permutive.identify` accepts. */
  readonly identityTags?: readonly string[];
  /** A standard cohort holds from this affinity of the page on, from 0 to 1. Default 0.5. */
  readonly standardAudiences?: { readonly threshold?: number };
  /**
   * What cohorts mean in taxonomies that buyers read, by cohort number or code: `segtax` is the taxonomy's number in
   * OpenRTB (4: the IAB's Audience Taxonomy 1.1, 6 and 7: its Content Taxonomies 2.2 and 3.0), `id` the entry there.
   * `taxonomyEntry` finds both by the entry's name. Google and each bidder of Prebid's get them.
   */
  readonly taxonomies?: Readonly<Record<string, readonly { readonly segtax: number; readonly id: string }[]>>;
  /** An older form of `taxonomies`: by Google's name of a taxonomy and cohort number, the id of the entry there. */
  readonly pps?: Readonly<Partial<Record<'IAB_AUDIENCE_1_1' | 'IAB_CONTENT_2_2', Readonly<Record<string, string>>>>>;
  /**
   * Parameters of the page's query, by their exact names, that say which page it is, such as `id` of `/story?id=7`.
   * Services that look at the page are asked for its address with these alone.
   */
  readonly contentParameters?: readonly string[];
  /**
   * An experiment that shows what cohorts are worth. For `percent` of the visitors, from 0 to 100, cohorts are found
   * and nobody is told of them. `salt` is any text; another one divides the visitors anew. `cohorts` has the ids of the
   * cohorts that the experiment is about; all where it is left out.
   */
  readonly controlGroup?: { readonly percent: number; readonly salt: string; readonly cohorts?: readonly string[] };
  /** AMP pages use cohorts. */
  readonly amp?: boolean;
  /** Names of cohorts that no query of the definition finds, by number or code. */
  readonly cohortNames?: Readonly<Record<string, string>>;
}

/** The definition that is built: plain JSON. */
export type DefinedProject = ProjectInput &
  Required<
    Pick<
      ProjectInput,
      | 'config'
      | 'queries'
      | 'activations'
      | 'addons'
      | 'cohortCodes'
      | 'platformCohorts'
      | 'optimisedActivationsConfig'
      | 'models'
      | 'tpdProviders'
      | 'identityTags'
    >
  >;

/**
 * The definition of a project: the default export of `project.ts`. The compiler knows the names of addons with their
 * options, of platforms, and of settings; `declareEvents` adds the events of the site. Fields that are left out are
 * empty.
 */
export const defineProject = (project: ProjectInput): DefinedProject => ({
  config: {},
  queries: [],
  activations: {},
  addons: {},
  cohortCodes: {},
  platformCohorts: {},
  optimisedActivationsConfig: {},
  models: {},
  tpdProviders: [],
  identityTags: [],
  ...project,
});
