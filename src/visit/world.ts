import type { Observable } from 'rxjs';

import type { AnyAddon } from '../addons/addon';
import type { PublicCalls } from '../api/publicCalls';
import type { Experiment } from '../contracts/experiment';
import type { Consent } from '../model/consent';
import type { PageProject, ServiceDefinition } from '../model/project';
import type { Tools } from '../platform/platform';

/**
 * The deferred chunk: code that is not needed at the start, and the project's addons that start later, with their
 * options and activations.
 */
export type DeferredParts = typeof import('./deferredParts') & {
  readonly addons: readonly AnyAddon[];
  /** Activations of the deferred addons, by addon. */
  readonly activations: PageProject['activations'];
  /** What the project says of the deferred addons, by addon. */
  readonly addonOptions: PageProject['addons'];
  /** What the cohort services and the visitor's identities read of the project. */
  readonly definition: ServiceDefinition;
};
// `typeof import`, because a contract would state the signature of each function twice. `deferredParts.ts` is the list
// of the parts, and the compiler holds the chunk to that list where `boot` is given the chunk.

/** Everything that the SDK runs on: the browser, the project, the settings and the calls of the page. */
export interface World extends Tools {
  /** The project's definition. */
  readonly project: PageProject;
  /** The project's experiment, which decides what page and partners are told of cohorts. */
  readonly experiment: Experiment;
  /** The addons that start with the page script; the others are in the deferred chunk. */
  readonly addons: readonly AnyAddon[];
  /** The deferred chunk. Cold; emits once, or completes without a value where it cannot be loaded. */
  readonly deferredParts$: Observable<DeferredParts>;
  /** State: the visitor's consent. Emits at once and on change. */
  readonly consent$: Observable<Consent>;
  /** Stores a refusal again that local storage had no room for. */
  readonly keepRefusal: () => void;
  /** Calls of the public methods, as streams. */
  readonly calls: PublicCalls;
  /** The inspector lets the tab pretend another world. Nothing of that world may be stored or sent. */
  readonly isPretended?: true;
}
