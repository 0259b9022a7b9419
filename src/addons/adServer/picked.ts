/**
 * A partner's fields under the names that our events use; null where the partner gives none. `names` maps each of our
 * names to the partner's.
 */
export const picked = <Source extends object>(
  source: Source,
  names: Readonly<Record<string, keyof Source>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(names).map(([name, field]) => [name, source[field] ?? null]));
