// What the build puts in.

/** Where the bundle was loaded from. */
declare let __webpack_public_path__: string;

declare module '@project/page' {
  export const project: import('./model/project').PageProject;
  /** The addons that the project uses, and no others: those that start with the page, */
  export const addons: readonly import('./addons/addon').AnyAddon[];
  /** and those of a chunk. */
  export const late: import('./startAddons').LateAddons;
}

declare module '@project/queries' {
  export const bundle: import('./engine/language').Bundle;
}
