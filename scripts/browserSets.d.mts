export const fastInChromium: readonly string[];
export const fastElsewhere: readonly string[];
export const widerElsewhere: Readonly<Record<'firefox' | 'webkit', readonly string[]>>;
export const leftToAll: readonly { readonly what: string; readonly why: string }[];
