import { EMPTY, filter, map, mergeMap, switchMap } from 'rxjs';

import { ownFields } from '../hardening/ownFields';
import type { Tracked } from '../model/event';
import type { ServiceOutput } from '../model/serviceOutput';
import { shareState } from '../operators/shareState';
import { engines } from './lookups';
import type { CohortService } from './service';

/** Events whose values are kept for the engine of another user, at most: the latest. */
const maxKept = 200;

/**
 * Gives the engine the values of events that were tracked without them. The engine holds the queries that read these
 * until then (docs/decisions/010-page-data.md).
 */
export const lateValues: CohortService = (streams, { project }) => {
  if (project.pageviewFields === undefined) return EMPTY;
  const { latest$, fill, stop$ } = streams;
  const filled$ = latest$.pipe(
    filter(({ draft }) => ownFields(draft).unfilled !== undefined),
    mergeMap((tracked) => fill(withPlaceholders(tracked))),
    map(({ event }): ServiceOutput => ({ type: 'filled', event })),
    shareState(stop$, maxKept),
  );
  return engines(streams).pipe(switchMap(() => filled$));
};

/** The event as it was before its placeholders were emptied. */
const withPlaceholders = ({ draft, event }: Tracked): Tracked => ({
  draft,
  event: { ...event, properties: ownFields(draft).unfilled ?? event.properties },
});
