/** `v11.36.0` or `11.36.0-pre` as its three numbers; undefined where it is none. */
export const versionOf = (text: unknown): readonly [major: number, minor: number, patch: number] | undefined => {
  const found = typeof text === 'string' ? /^v?(\d+)\.(\d+)\.(\d+)/.exec(text) : null;
  return found === null ? undefined : [Number(found[1]), Number(found[2]), Number(found[3])];
};

/**
 * From 7.13 on, Prebid takes bidders from us and not only from its own config (spec S§5). One that does not say its
 * version may.
 */
export const takesBidders = (version: unknown): boolean => {
  const [major, minor] = versionOf(version) ?? [Infinity, 0];
  return major > 7 || (major === 7 && minor >= 13);
};
