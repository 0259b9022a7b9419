/** The part of Google Publisher Tag that we use, by its documented names. Older tags lack `setConfig`, newer ones may drop `setTargeting`. */
export interface Googletag {
  readonly cmd?: { readonly push: (command: () => void) => unknown };
  readonly setConfig?: (config: { readonly targeting: Readonly<Record<string, string | readonly string[]>> }) => void;
  readonly pubads?: () => { readonly setTargeting?: (key: string, value: string | readonly string[]) => unknown };
}
