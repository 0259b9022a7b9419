import type { ObservableInput } from 'rxjs';

import type { LoadServiceParts } from './servedEngine';

/**
 * Loads the parts of the engine's host that come after the engine. In a worker each is a file of its own, which a visit
 * loads only where it needs the part; on the page all are in one file.
 */
export interface LoadParts extends LoadServiceParts {
  /** The services that each visit has, what recounts a state of an older version, and what moves a history. */
  readonly services: () => ObservableInput<typeof import('./services')>;
}
