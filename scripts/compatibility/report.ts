import { browsers, nameOf, requirementOf, type Versions } from './requirements';
import type { Use } from './usedFeatures';

/** A feature that is newer than one of the oldest browsers. */
export interface Newer {
  readonly name: string;
  readonly needs: Versions;
}

/** What one script needs of its browser. */
export interface Needs {
  /** The oldest versions on which the script runs. */
  readonly versions: Versions;
  /** Features newer than `oldest` of which nothing is known: the script would break there. */
  readonly unknown: readonly Newer[];
  /** The known names that the script has. */
  readonly known: readonly string[];
}

/** The versions that a script needs, and each feature that the oldest browsers do not have. */
export const needsOf = (uses: readonly Use[], oldest: Versions, known: ReadonlySet<string>): Needs => {
  const needed = uses.flatMap((use) => {
    const needs = requirementOf(use);
    return needs === undefined ? [] : [{ name: nameOf(use), needs }];
  });
  const strict = needed.filter(({ name }) => !known.has(name));
  return {
    versions: browsers.map((_, i) => Math.max(0, ...strict.map(({ needs }) => needs[i] ?? 0))),
    unknown: strict.filter(({ needs }) => needs.some((version, i) => version > (oldest[i] ?? 0))),
    known: needed.flatMap(({ name }) => (known.has(name) ? [name] : [])),
  };
};
