import {
  catchError,
  defer,
  distinctUntilChanged,
  filter,
  map,
  mergeMap,
  type Observable,
  of,
  switchMap,
  tap,
} from 'rxjs';

import { audienceMatching, type AudienceMatchingRequest, type ThirdPartyAnswer } from '../endpoints/audienceMatching';
import { call } from '../endpoints/call';
import { legacyTpd } from '../endpoints/legacyTpd';
import { json } from '../hardening/plainJson';
import { type Identities, storableIdentities } from '../model/identity';
import type { ServiceOutput } from '../model/serviceOutput';
import { localKeys } from '../model/storageKeys';
import { dayMs, pauseMs } from '../primitives/duration';
import { isWithin } from '../primitives/isWithin';
import { textHash } from '../primitives/textHash';
import { dataOutput, engines } from './lookups';
import { boundedSegments, type ProviderSegments, segmentsText } from './providerSegments';
import { PausedError, unlessPaused } from './requestPause';
import type { CohortService, ServiceDeps } from './service';
import { type KeptAnswer, readThirdParty, writeThirdParty } from './thirdPartyChunk';

/** Tags that audience matching is not asked with (spec S§5). */
const excludedTags = ['amp', 'gigya', 'pxid', 'sailthru'];
/** An answer is used for a day, and for a week where no newer one can be had (contract: cohort services). */
const freshMs = dayMs;
const usableMs = 7 * dayMs;

/**
 * The visitor's segments at third-party providers (spec S§3, S§5): data for queries and an event for each provider. The
 * server is asked once the visitor's identities are known, and again for other identities or after a day. Where it
 * fails, the legacy endpoint is asked, then the last good answer is used, then there is none. Only providers that the
 * project lists count. A visitor who does not share data has none, and what was kept is removed.
 */
export const thirdPartyData: CohortService = (streams, deps) =>
  engines(streams).pipe(
    switchMap(() => (deps.project.tpdProviders.length === 0 ? of(false) : streams.sharing$)),
    switchMap((isAllowed) => {
      if (isAllowed)
        return streams.identities$.pipe(
          filter(({ ready }) => ready),
          map(({ byTag }) => matched(byTag, streams.context().user_id, deps.now())),
          distinctUntilChanged((a, b) => a.asked === b.asked),
          // switchMap: nobody waits for an answer about other identities.
          switchMap((request) => thirdPartySegments(request, deps)),
        );
      deps.local.remove(localKeys.thirdParty);
      return of(dataOutput({ thirdParty: {} }));
    }),
  );

/** What the server is asked with. */
interface Matched extends AudienceMatchingRequest {
  readonly userId: string;
  /** Hash of both, by which an answer is found again. */
  readonly asked: number;
}

const matched = (byTag: Identities, userId: string, now: number): Matched => {
  const identities = storableIdentities(byTag, now)
    .filter(({ tag }) => !excludedTags.includes(tag))
    .map(({ tag, id }) => ({ tag, id }))
    .sort((a, b) => (a.tag < b.tag ? -1 : 1));
  return { userId, identities, asked: textHash(json.stringify([userId, identities])) };
};

/** The segments that were kept, or else those that the server answers, with the events that follow from those. */
const thirdPartySegments = (request: Matched, deps: ServiceDeps): Observable<ServiceOutput> =>
  defer(() => {
    const kept = readThirdParty(deps).answer;
    const now = deps.now();
    if (kept?.asked === request.asked && kept.time <= now && now < kept.freshUntil)
      return of(dataOutput({ thirdParty: listedProviders(Object.entries(kept.segments), deps) }));
    return deps.yieldThread().pipe(mergeMap(() => askMatchingServer(request, kept, deps)));
  });

/** The server's answer, which is kept; where there is none, the one that was kept before, as long as it is usable. */
const askMatchingServer = (
  request: Matched,
  kept: KeptAnswer | undefined,
  deps: ServiceDeps,
): Observable<ServiceOutput> =>
  fetchAnswer(request, deps).pipe(
    tap((answer) => writeThirdParty({ answer }, deps)),
    mergeMap(({ segments }) => [
      dataOutput({ thirdParty: segments }),
      ...segmentEvents(segments, kept?.segments ?? {}),
    ]),
    catchError((cause: unknown) => {
      const isUsable = kept?.asked === request.asked && isWithin(kept.time, usableMs, deps.now());
      deps.report(`Third-party data is ${isUsable ? 'that of an earlier page' : 'empty'}`, cause);
      return of(dataOutput({ thirdParty: isUsable ? listedProviders(Object.entries(kept.segments), deps) : {} }));
    }),
  );

/** The server's answer, or else that of the legacy endpoint. Errors where both fail. */
const fetchAnswer = ({ userId, identities, asked }: Matched, deps: ServiceDeps): Observable<KeptAnswer> => {
  const answerOf =
    (ms: number) =>
    ({ items }: ThirdPartyAnswer): KeptAnswer => {
      const segments = listedProviders(
        items.map((item) => [item.provider, item.segments] as const),
        deps,
      );
      return { asked, segments, time: deps.now(), freshUntil: deps.now() + ms };
    };
  const matching$ = call(audienceMatching, { params: { user_id: userId }, body: { identities } }, deps);
  const legacy$ = call(legacyTpd, { body: { user_id: userId } }, deps);
  return unlessPaused('audienceMatching', matching$, deps).pipe(
    map(answerOf(freshMs)),
    catchError((cause: unknown) => {
      if (cause instanceof PausedError) deps.report('Blocked by persistent backoff');
      else deps.report('Error fetching TPD', cause);
      // The legacy endpoint knows less, so its answer stands only until audience matching may be asked again.
      return unlessPaused('legacyTpd', legacy$, deps).pipe(map(answerOf(pauseMs)));
    }),
  );
};

/** The segments of the providers that the project lists. */
const listedProviders = (
  items: readonly (readonly [provider: string, segments: readonly string[]])[],
  { project: { tpdProviders } }: ServiceDeps,
): ProviderSegments => boundedSegments(items.filter(([provider]) => tpdProviders.includes(provider)));

/** One event for each provider, and one for queries where the segments are other ones than before. */
const segmentEvents = (segments: ProviderSegments, before: ProviderSegments): readonly ServiceOutput[] => {
  const event = (name: string, properties = {}, edgeOnly = false): ServiceOutput => ({
    type: 'draft',
    draft: { name, properties, edgeOnly },
  });
  return [
    ...Object.entries(segments).map(([provider, ids]) =>
      event('ThirdPartySegments', { data_provider: provider, segments: ids }),
    ),
    ...(segmentsText(segments) === segmentsText(before) ? [] : [event('UpdateThirdPartyData', {}, true)]),
  ];
};
