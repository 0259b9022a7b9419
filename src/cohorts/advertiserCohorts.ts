import {
  catchError,
  defer,
  delayWhen,
  EMPTY,
  from,
  mergeMap,
  type Observable,
  of,
  startWith,
  switchMap,
  take,
  tap,
  withLatestFrom,
} from 'rxjs';

import { DecodeError, isRecord } from '../codecs/codecs';
import {
  type AdvertiserCohorts,
  advertiserSegment,
  type AdvertiserSegmentAnswer,
} from '../endpoints/advertiserSegment';
import { call } from '../endpoints/call';
import { codeOf, isStandard } from '../model/cohort';
import type { Cohorts } from '../model/cohorts';
import { readNote, writeNote } from '../model/notes';
import type { ServiceOutput } from '../model/serviceOutput';
import { exhaustLatest } from '../operators/exhaustLatest';
import { boundedCodes } from './boundedCodes';
import { forEachUser } from './forEachUser';
import { requestPause } from './requestPause';
import type { CohortService, ServiceDeps } from './service';
import { viewIds } from './viewIds';

/** Note with the last answer and the user whom it is about: `[userId, answer]` (spec S§5). */
const noteName = 'advertiser';
/** A longer answer is not kept, because other notes need the room. In characters of JSON. */
const maxStoredLength = 100_000;
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
    const { event$, sharing$, context } = streams;
    const view$ = viewIds(event$, () => context().view_id);
    return forEachUser(streams, (userId, evaluated$) => {
      const asked$ = evaluated$.pipe(
        take(1),
        delayWhen(() => standardKnown$),
        switchMap(() => view$),
        withLatestFrom(evaluated$),
        exhaustLatest(([, cohorts]) => askAdvertiserServer(userId, cohorts, deps)),
      );
      return sharing$.pipe(
        switchMap((mayShare) => (mayShare ? defer(() => asked$.pipe(startWith(lastAnswer(userId, deps)))) : of(null))),
        mergeMap((answer) => from(producedByAdvertiser(answer?.c ?? noAdvertiserCohorts))),
      );
    });
  };

/** One request. Completes without an answer where none may be made, or where it fails, which is reported. */
const askAdvertiserServer = (
  userId: string,
  cohorts: Cohorts,
  deps: ServiceDeps,
): Observable<AdvertiserSegmentAnswer> =>
  defer(() => {
    const pause = requestPause('advertiser', deps);
    if (pause.isOn()) {
      deps.report('Advertiser segmentation request blocked by rate limiting');
      return EMPTY;
    }
    const body = { user_id: userId, ...segmentationBody(cohorts, lastAnswer(userId, deps)) };
    return call(advertiserSegment, { body }, deps).pipe(
      tap((answer) => {
        const isSmall = deps.json.stringify(answer).length <= maxStoredLength;
        writeNote(noteName, isSmall ? [userId, answer] : null, deps);
      }),
      catchError((cause: unknown) => {
        if (cause instanceof DecodeError) deps.report(`Failed to decode data from response: ${cause.message}`, cause);
        else deps.report('Failed to fetch advertiser cohorts', cause);
        pause.begin();
        return EMPTY;
      }),
    );
  });

const noAdvertiserCohorts: AdvertiserCohorts = { cohorts: [], groups: { types: [], counts: [] } };

/** The visitor's cohorts by number, standard ones apart, with what the server said last. */
const segmentationBody = (
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

/**
 * The last answer for this user; null where there is none. An answer that does not decode is reported and forgotten.
 */
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
const producedByAdvertiser = ({ cohorts, groups: { types, counts } }: AdvertiserCohorts): readonly ServiceOutput[] => {
  const isLeft = (group: number): boolean => (counts[group] ?? 0) > 0;
  const isOfCleanRoom = ({ groups }: Bought): boolean => groups.some((group) => types[group] === cleanRoomType);
  const reasonOf = ({ groups }: Bought): string => {
    const spent = groups.filter((group) => !isLeft(group)).map((group) => types[group]);
    return spent.length === 0 ? 'all of its groups have a count left' : `nothing is left of ${spent.join(', ')}`;
  };
  const output = (
    producer: 'advertiser' | 'cleanRoom',
    name: string,
    ofProducer: readonly Bought[],
  ): ServiceOutput => ({
    type: 'produced',
    producer,
    cohorts: ofProducer.filter(({ groups }) => groups.every(isLeft)).map(({ code }) => code),
    reasons: Object.fromEntries(ofProducer.map((cohort) => [cohort.code, `${name}: ${reasonOf(cohort)}.`])),
  });
  const bounded = boundedCodes(cohorts, ({ code }) => code);
  return [
    output(
      'advertiser',
      'Advertiser segmentation',
      bounded.filter((cohort) => !isOfCleanRoom(cohort)),
    ),
    output('cleanRoom', 'Clean room', bounded.filter(isOfCleanRoom)),
  ];
};

/** A cohort that an advertiser has bought. */
type Bought = AdvertiserCohorts['cohorts'][number];
