import { catchError, forkJoin, map, type Observable, of, take } from 'rxjs';

import { aliveLock } from '../model/storageKeys';
import type { ClaimDeps } from './claiming';

/**
 * Emits once: those of the pages that have ended. A page holds the lock of itself while it lives. A lock that cannot be
 * asked for counts as held.
 */
export const endedPages = (
  pages: Iterable<string>,
  hold: NonNullable<ClaimDeps['hold']>,
): Observable<ReadonlySet<string>> => {
  const owners = [...new Set(pages)];
  if (owners.length === 0) return of(new Set<string>());
  const areEnded = owners.map((owner) =>
    hold(aliveLock(owner)).pipe(
      take(1),
      catchError(() => of(false)),
    ),
  );
  return forkJoin(areEnded).pipe(map((areFree): ReadonlySet<string> => new Set(owners.filter((_, i) => areFree[i]))));
};
