// What the build puts in.

/** Where the bundle was loaded from. */
declare let __webpack_public_path__: string;

declare module '@project/page' {
  export const project: import('./model/project').PageProject;
  /** The addons that the project uses, and no others: those that start with the page, */
  export const addons: readonly import('./addons/addon').AnyAddon[];
  /** and the names of those that come later. */
  export const lateAddons: readonly string[];
}

declare module '@project/late' {
  const parts: import('./late').LateParts;
  export = parts;
}

declare module '@project/queries' {
  export const bundle: import('./engine/language').Bundle;
}
