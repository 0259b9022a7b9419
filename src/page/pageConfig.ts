import type { Config } from '../model/config';

/** Settings that count in the project definition only. */
type ProjectOnly = 'sendIpAddress' | 'windowKey';

/**
 * Settings that a page may give in `window.permutive.config`. The table in docs/configuration.md says what each means.
 */
export type PageConfig = {
  -readonly [Name in Exclude<keyof Config, ProjectOnly>]?: Config[Name];
};
