import { guarded } from './guarded';

/** The part of Google's tag that the companion uses. */
export interface GoogleAdTag {
  cmd?: { readonly push: (command: () => void) => unknown };
  readonly pubads: () => {
    readonly setTargeting?: (key: string, value: string | readonly string[]) => unknown;
    readonly clearTargeting: (key: string) => unknown;
  };
  readonly setConfig: (config: { readonly targeting: object } | { readonly pps: object | null }) => unknown;
}

/** The page may not have begun the queue yet. */
declare const window: { googletag?: Partial<GoogleAdTag> };

/** Puts a command on Google's queue, which runs once the tag has loaded. */
export const onGoogletag = (command: () => void): void => {
  ((window.googletag ??= {}).cmd ??= new Array<() => void>()).push(guarded(command));
};
