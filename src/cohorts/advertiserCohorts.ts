import {
  catchError,
  defer,
  delayWhen,
  distinctUntilChanged,
  EMPTY,
  from,
  map,
  mergeMap,
  type Observable,
  of,
  startWith,
  switchMap,
  tap,
  withLatestFrom,
} from 'rxjs';

import {
  type AdvertiserCohorts,
  advertiserSegment,
  type AdvertiserSegmentAnswer,
} from '../endpoints/advertiserSegment';
import { call } from '../endpoints/call';
import { DecodeError, isRecord } from '../model/codecs';
import { codeOf, isStandard } from '../model/cohort';
import type { Cohorts } from '../model/cohorts';
import { readNote, writeNote } from '../model/notes';
import type { ServiceOutput } from '../model/serviceOutput';
import { exhaustLatest } from '../operators/exhaustLatest';
import { onceRealtime } from './realtimeCohorts';
import { requestPause } from './requestPause';
import type { CohortService, ServiceDeps } from './service';

/** Note with the last answer and the user whom it is about: `[userId, answer]` (spec S§5). */
const noteName = 'advertiser';
/** Type of the groups that clean rooms sell from (contract: cohort services). */
const cleanRoomType = 'clean_room';

/**
 * Advertiser segmentation: cohorts that advertisers have bought (spec S§4). Asked once for each view, as soon as the
 * cohorts of this page are known; one request is in flight at a time. Where a request fails, the last answer for the
 * same user stands, else there is none. Nothing is asked and none is given while the visitor objects to sharing.
 * `standardKnown$`: emits once the standard cohorts are known, with which the server is asked.
 */
export const advertiserCohorts =
  (standardKnown$: Observable<unknown>): CohortService =>
  (streams, deps) => {
    const { event$, cohorts$, sharing$, context } = streams;
    const view$ = event$.pipe(
      map(({ view_id }) => view_id),
      startWith(context().view_id),
      distinctUntilChanged(),
    );
    const pause = requestPause('advertiser', deps);
    const ask = (cohorts: Cohorts): Observable<AdvertiserSegmentAnswer> =>
      defer(() => {
        const userId = context().user_id;
        if (pause.isOn()) {
          deps.report('Advertiser segmentation request blocked by rate limiting');
          return EMPTY;
        }
        return call(
          advertiserSegment,
          { body: { user_id: userId, ...bodyOf(cohorts, lastAnswer(userId, deps)) } },
          deps,
        ).pipe(
          tap((answer) => writeNote(noteName, [userId, answer], deps)),
          catchError((cause: unknown) => {
            if (cause instanceof DecodeError)
              deps.report(`Failed to decode data from response: ${cause.message}`, cause);
            else deps.report('Failed to fetch advertiser cohorts', cause);
            pause.begin();
            return EMPTY;
          }),
        );
      });
    const asked$ = onceRealtime(cohorts$).pipe(
      delayWhen(() => standardKnown$),
      switchMap(() => view$),
      withLatestFrom(cohorts$),
      exhaustLatest(([, cohorts]) => ask(cohorts)),
    );
    return sharing$.pipe(
      switchMap((mayShare) =>
        mayShare ? defer(() => asked$.pipe(startWith(lastAnswer(context().user_id, deps)))) : of(null),
      ),
      mergeMap((answer) => from(produced(answer?.c ?? noCohorts))),
    );
  };

const noCohorts: AdvertiserCohorts = { cohorts: [], groups: { types: [], counts: [] } };

/** The visitor's cohorts by number, standard ones apart, with what the server said last. */
const bodyOf = (
  { members }: Cohorts,
  last: AdvertiserSegmentAnswer | null,
): { readonly ctx: unknown; readonly custom_cohorts: number[]; readonly standard_cohorts: number[] } => {
  const numbersOf = (ids: readonly string[]): number[] => ids.map(codeOf).filter((code) => typeof code === 'number');
  return {
    ctx: last?.ctx ?? null,
    custom_cohorts: numbersOf(members.filter((id) => !isStandard(id))),
    standard_cohorts: numbersOf(members.filter(isStandard)),
  };
};

/** The last answer for this user; null where there is none. What does not decode is reported and forgotten. */
const lastAnswer = (userId: string, deps: ServiceDeps): AdvertiserSegmentAnswer | null => {
  const stored = readNote(noteName, deps);
  if (stored === null) return null;
  const [storedUser, lastSuccess] = Array.isArray(stored) && stored.length === 2 ? (stored as readonly unknown[]) : [];
  if (typeof storedUser !== 'string' || !isRecord(lastSuccess)) {
    deps.report('Failed to decode stored advertiser state', new Error('expected [userId, lastSuccess]'));
    writeNote(noteName, null, deps);
    return null;
  }
  if (storedUser !== userId) return null;
  const answer = advertiserSegment.answer(lastSuccess);
  return answer instanceof DecodeError ? null : answer;
};

/** The cohorts that may be used: those whose groups all have a positive count left (spec S§5). */
const produced = ({ cohorts, groups: { types, counts } }: AdvertiserCohorts): readonly ServiceOutput[] => {
  const isLeft = (group: number): boolean => (counts[group] ?? 0) > 0;
  const isOfCleanRoom = (group: number): boolean => types[group] === cleanRoomType;
  const output = (producer: 'advertiser' | 'cleanRoom', ofProducer: AdvertiserCohorts['cohorts']): ServiceOutput => ({
    type: 'produced',
    producer,
    cohorts: ofProducer.filter(({ groups }) => groups.every(isLeft)).map(({ code }) => code),
    reasons: Object.fromEntries(
      ofProducer.map(({ code, groups }) => {
        const spent = groups.filter((group) => !isLeft(group)).map((group) => types[group]);
        const why =
          spent.length === 0 ? 'all of its groups have a count left' : `nothing is left of ${spent.join(', ')}`;
        return [code, `Advertiser segmentation: ${why}.`];
      }),
    ),
  });
  const isCleanRoom = ({ groups }: AdvertiserCohorts['cohorts'][number]): boolean => groups.some(isOfCleanRoom);
  return [
    output(
      'advertiser',
      cohorts.filter((cohort) => !isCleanRoom(cohort)),
    ),
    output('cleanRoom', cohorts.filter(isCleanRoom)),
  ];
};
