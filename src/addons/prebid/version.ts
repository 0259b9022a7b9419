/** The three numbers of a version such as `v11.36.0` or `11.36.0-pre`; undefined where the text is none. */
export const versionOf = (text: unknown): readonly [major: number, minor: number, patch: number] | undefined => {
  const found = typeof text === 'string' ? /^v?(\d+)\.(\d+)\.(\d+)/.exec(text) : null;
  return found === null ? undefined : [Number(found[1]), Number(found[2]), Number(found[3])];
};

/**
 * Whether this version of Prebid takes bidders from the SDK, and not only from its own config: from 7.13 on (spec S§5).
 * An unknown version is taken to be new enough.
 */
export const takesBidders = (version: unknown): boolean => {
  const [major, minor] = versionOf(version) ?? [Infinity, 0];
  return major > 7 || (major === 7 && minor >= 13);
};
