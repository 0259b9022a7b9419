import { EMPTY } from 'rxjs';

import type { PageProject, ProjectDefinition } from '../../src/model/project';
import * as late from '../../src/visit/deferredParts';
import type { DeferredParts } from '../../src/visit/world';

const shared = {
  workspaceId: 'b1cb1816-7d85-457c-9f32-2a1422d00e17',
  organizationId: 'organization',
  apiKey: '5bb7fb0f-d8d9-415b-8725-460b8ce504db',
  config: {},
  activations: {},
  addons: {},
  cohortCodes: {},
  platformCohorts: {},
  optimisedActivationsConfig: {},
};

/** The definition of a project without cohorts, as the build reads it. */
export const projectDefinition: ProjectDefinition = { ...shared, models: {}, tpdProviders: [], identityTags: [] };

/** A project without cohorts, as the page reads it. */
export const projectOf = (changes: Partial<PageProject> = {}): PageProject => ({
  ...shared,
  hasModels: false,
  ...changes,
});

/** The chunk of a project without late addons: it is there at once. */
export const lateParts = (changes: Partial<DeferredParts> = {}): DeferredParts => ({
  ...late,
  // The services have tests of their own; their requests would be among those of the visit.
  cohortServices: () => EMPTY,
  addons: [],
  activations: {},
  addonOptions: {},
  definition: { tpdProviders: [] },
  ...changes,
});
