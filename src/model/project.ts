import * as t from 'io-ts';
import { Activation } from './activation';
import { Uuid } from './uuid';

const CohortNumber = t.refinement(t.string, (key) => /^\d+$/.test(key), 'cohort number');

/** Codes that the publisher has chosen for a platform, whatever the definitions say. */
const OptimisedActivations = t.intersection([t.partial({ cohorts: t.array(t.string) }), t.UnknownRecord], 'OptimisedActivations');

const AddonOptions = t.intersection([t.partial({ auto_init: t.boolean }), t.UnknownRecord], 'AddonOptions');

/** What the page script knows of a project; the queries travel with the worker (contract: project definition). */
export const PageProject = t.strict(
  {
    workspaceId: Uuid,
    organizationId: t.string,
    apiKey: Uuid,
    config: t.UnknownRecord,
    activations: t.record(t.string, t.array(Activation)),
    addons: t.record(t.string, AddonOptions),
    cohortCodes: t.record(CohortNumber, t.string),
    platformCohorts: t.record(t.string, t.array(t.number)),
    optimisedActivationsConfig: t.record(t.string, OptimisedActivations),
    models: t.record(Uuid, t.number),
    tpdProviders: t.array(t.string),
    identityTags: t.array(t.string),
  },
  'PageProject',
);
export type PageProject = t.TypeOf<typeof PageProject> & {
  /** Data of the page that its queries ask for, as the build has found: `geo`, `classification`. */
  readonly lookups?: readonly string[];
  /** Local storage keys of the publisher's choice, which activations write. */
  readonly storageKeys?: readonly string[];
};
