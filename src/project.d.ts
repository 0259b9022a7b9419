// Modules that the build generates for each project, and what webpack provides.

/** Loads a chunk by its name, for each dynamic import. */
declare let __webpack_chunk_load__: (name: string) => Promise<void>;

/** The bundle's modules by their ids. */
declare const __webpack_modules__: Record<string, unknown>;

/** Hashes of the files of this build. */
declare const bundleHashes: import('./platform/bundleFiles').FileHashes;

/** The page's part of the project: its definition, and the addons of the page script. */
declare module '@project/page' {
  export const project: import('./model/project').PageProject;
  /** The project's experiment. Without one, its code is not built in. */
  export const experiment: import('./contracts/experiment').Experiment;
  /** Addons of the project that start with the page. Addons that the project does not use are not built in. */
  export const addons: readonly import('./addons/addon').AnyAddon[];
  /** Names of the project's addons in the deferred chunk. */
  export const deferredAddons: readonly string[];
}

/** The deferred chunk of the project. */
declare module '@project/deferred' {
  const parts: import('./visit/world').DeferredParts;
  export = parts;
}

/**
 * The project's query definitions, for the engine. The definitions are in a file of their own, so that the worker's
 * code stays cached when they change.
 */
declare module '@project/queries' {
  export const bundle: import('./engine/language/canonicalLanguage').PublishedBundle;
}

/**
 * What the gate, the companion and the check of natives know of the project. A page's own settings win over those that
 * it may change.
 */
declare module '@project/settings' {
  export const workspaceId: string;
  export const windowKey: string;
  /** Where the definition says that the files of the bundle are, if anywhere. */
  export const cdn: { readonly cdnBaseUrl?: string; readonly cdnProtocol?: string };
  /** Keys of local storage that activations write. */
  export const storageKeys: readonly string[];
  export const stateNamespace: string;
  export const cookieName: string;
  export const consentRequired: boolean;
  export const respectGpc: boolean;
  /** Whether visitors are in groups. No page changes it. */
  export const hasExperiment: boolean;
}
