export declare const packageEntries: Readonly<
  Record<string, { readonly name: string; readonly source: string; readonly hasGlobals?: true }>
>;
