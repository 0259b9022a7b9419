import { localKeys } from '../model/storageKeys';
import { stored, storedVisitor } from './storedVisitor';

/**
 * By taxonomy, ids of the entries that the last page has stored under a key, as far as a cohort that means them lasts;
 * none where the visitor has not allowed it. `storedVisitor` removes the key of a visitor who objects to sharing, and
 * of another user. `src/addons/adServer/taxonomies.ts` writes the key.
 */
export const storedEntries = (key: string): Readonly<Record<string, readonly string[]>> => {
  const { userId } = storedVisitor();
  const ends = stored(localKeys.codeEnds) as Readonly<Record<string, number>>;
  const entries: Record<string, string[]> = {};
  if (userId)
    for (const [taxonomy, id, ...cohorts] of stored(key) as readonly (readonly [string, string, ...string[]])[])
      if (cohorts.some((cohort) => !((ends[cohort] as number) < Date.now()))) (entries[taxonomy] ??= []).push(id);
  return entries;
};
