/** A partner's fields under the names that events have; null where the partner says nothing. */
export const picked = <Source extends object>(
  source: Source,
  names: Readonly<Record<string, keyof Source>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(names).map(([name, field]) => [name, source[field] ?? null]));
