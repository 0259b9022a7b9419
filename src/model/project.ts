import * as t from 'io-ts';

import { isUuid } from '../primitives/uuid';
import { ActivationCodec, TcfPurposes } from './activation';
import type { DataName } from './engineCommands';

const UuidText = t.refinement(t.string, isUuid, 'UUID');

/** What a Pageview says of the visitor's place and of the page's content (spec S§3), as placeholders by property. */
export const pageviewFields = {
  geo_info: '$ip_geo_info',
  isp_info: '$ip_isp_info',
  classifications: {
    categories: '$alchemy_taxonomy',
    concepts: '$alchemy_concepts',
    emotion: '$alchemy_document_emotion',
    entities: '$alchemy_entities',
    keywords: '$alchemy_keywords',
    sentiment: '$alchemy_document_sentiment',
    taxonomy_labels: '$alchemy_taxonomy_labels',
  },
} as const;

/** A cohort's number as a key of a JSON object. */
const CohortNumber = t.refinement(t.string, (key) => /^\d+$/.test(key), 'cohort number');

/** Codes that the publisher has chosen for a platform, which then gets no others. */
const OptimisedActivations = t.intersection(
  [t.partial({ cohorts: t.array(t.string) }), t.UnknownRecord],
  'OptimisedActivations',
);

/**
 * Options of an addon in the project. `auto_init` says whether it starts by itself, `tcf_purposes` which purposes of
 * the TCF it needs; the addon decodes the others.
 */
const AddonOptions = t.intersection(
  [t.partial({ auto_init: t.boolean, tcf_purposes: TcfPurposes }), t.UnknownRecord],
  'AddonOptions',
);

/**
 * An experiment that shows what cohorts are worth. For `percent` of the visitors, cohorts are found, and nobody is told
 * of them. `salt`: any text; another one divides the visitors anew. `cohorts`: ids of the cohorts that it is about; all
 * where the list is absent.
 */
const ControlGroup = t.exact(
  t.intersection([
    t.type({
      percent: t.refinement(t.number, (share) => share >= 0 && share <= 100, 'a number from 0 to 100'),
      salt: t.string,
    }),
    t.partial({ cohorts: t.readonlyArray(t.string) }),
  ]),
  'ControlGroup',
);
export type ControlGroup = Readonly<t.TypeOf<typeof ControlGroup>>;

/**
 * The project definition without its queries, which the worker loads (contract: project definition). Cohort codes are
 * by cohort number, activations and options by addon, cohorts by platform.
 */
export const ProjectDefinition = t.intersection(
  [
    t.strict({
      workspaceId: UuidText,
      organizationId: t.string,
      apiKey: UuidText,
      config: t.UnknownRecord,
      activations: t.record(t.string, t.array(ActivationCodec)),
      addons: t.record(t.string, AddonOptions),
      cohortCodes: t.record(CohortNumber, t.string),
      platformCohorts: t.record(t.string, t.array(t.number)),
      optimisedActivationsConfig: t.record(t.string, OptimisedActivations),
      models: t.record(UuidText, t.number),
      tpdProviders: t.array(t.string),
      identityTags: t.array(t.string),
    }),
    t.exact(
      t.partial({
        /** A standard cohort holds from this affinity of the page on, from 0 to 1. Default 0.5. */
        standardAudiences: t.exact(t.partial({ threshold: t.number })),
        /**
         * What Google Ad Manager's publisher provided signals say of a visitor: by taxonomy and cohort number, the id
         * of the entry in that taxonomy.
         */
        pps: t.record(t.string, t.record(t.string, t.string)),
        /**
         * What cohorts mean in taxonomies that buyers read, by cohort: the taxonomy's number in OpenRTB (`segtax`), and
         * the id of the entry there.
         */
        taxonomies: t.record(t.string, t.readonlyArray(t.readonly(t.type({ segtax: t.number, id: t.string })))),
        /**
         * Parameters of the page's query, by their exact names, without which an address is no page, or another one.
         * Services that look at the page are asked for its address with these. Default none.
         */
        contentParameters: t.readonlyArray(t.string),
        /** An experiment in which nobody is told of the cohorts of a part of the visitors. Default none. */
        controlGroup: ControlGroup,
        /** AMP pages use cohorts, so the CDN has a list of them. Default false, and the list is not asked for. */
        amp: t.boolean,
        /** Names of cohorts that no query of the definition finds, by number or code. For the inspector. */
        cohortNames: t.record(t.string, t.string),
      }),
    ),
  ],
  'ProjectDefinition',
);
export type ProjectDefinition = t.TypeOf<typeof ProjectDefinition>;

/**
 * What the cohort services and the visitor's identities read of the definition, beside what the page reads. These parts
 * of the definition are in the deferred chunk.
 */
export type ServiceDefinition = Pick<ProjectDefinition, 'tpdProviders' | 'standardAudiences' | 'amp'> & {
  /** Each page starts the secure signal: `addons.secure_signal.auto_init` of the definition. */
  readonly startsSecureSignal?: boolean;
  /** Where identities are found, by tag, as the build has read it from `addons.identity_manager.providers`. */
  readonly identityProviders?: Readonly<Record<string, IdentityProvider>>;
  /** Tags that `permutive.identify` accepts; all where it is absent. */
  readonly identityTags?: readonly string[];
  /** Ids of the cohorts whose queries score lookalike models, as the build has found. */
  readonly lookalikes?: readonly string[];
};

/**
 * Where an identity is found: at a url (GET, or POST of `{user_id}`, with credentials; `field` of the answer, default
 * `uid`), by a function of the page that calls back (`call`, its path; `field` of what it calls back with), in a cookie
 * of the site, or in a global of the page by its path (`gigya.account.UID`). The first that is given counts.
 * `tcf_vendor_id`: the vendor of the TCF list whose consent it needs; default: that of its tag. `tcf_purposes`: the
 * purposes that it needs; default: 1 for a vendor.
 */
export const IdentityProvider = t.partial(
  {
    url: t.string,
    method: t.keyof({ GET: null, POST: null }),
    field: t.string,
    call: t.string,
    cookie: t.string,
    global: t.string,
    tcf_vendor_id: t.number,
    tcf_purposes: TcfPurposes,
  },
  'IdentityProvider',
);
export type IdentityProvider = Readonly<t.TypeOf<typeof IdentityProvider>>;

/** What the page reads of the definition. The build leaves out the rest, which is for servers and for the worker. */
export type PageProject = Omit<
  ProjectDefinition,
  keyof ServiceDefinition | 'organizationId' | 'models' | 'pps' | 'taxonomies' | 'controlGroup' | 'cohortNames'
> & {
  /** Whether the project has lookalike models, which the engine then asks for. */
  readonly hasModels: boolean;
  /** What its queries look up and the page provides, as the build has found. */
  readonly lookups?: readonly DataName[];
  /** The fields of `pageviewFields` that its queries read, as the build has found. */
  readonly pageviewFields?: Partial<typeof pageviewFields>;
  /** Local storage keys of the publisher's choice, which activations write. */
  readonly storageKeys?: readonly string[];
};
