import { combineLatest, concatMap, distinctUntilChanged, map, of, startWith } from 'rxjs';

import { AnyRecord, list, readOr, value } from '../codecs/codecs';
import { jsonValue } from '../hardening/jsonValue';
import { readNote, writeNote } from '../model/notes';
import type { ServiceOutput } from '../model/serviceOutput';
import { textHash } from '../primitives/textHash';
import { dataOutput, engines } from './lookups';
import { boundedSegments, type ProviderSegments, segmentsText } from './providerSegments';
import type { CohortService, ServiceDeps } from './service';

/** The note by which a later page knows whether the data has changed. */
const secondPartyNote = 'second_party';

/**
 * What other publishers know of the visitor, as the page gives it: `secondParty` of its settings, which are read again
 * at each page view, and `permutive.addon('second_party', …)`, whose providers replace those of the settings. Data for
 * queries, and an event where it is other than before, be that on this page or on the last one.
 */
export const secondPartyData: CohortService = (streams, deps) => {
  const segments$ = combineLatest([
    streams.pageview$.pipe(startWith(null)),
    deps.calls.addon(secondPartyNote).pipe(startWith({})),
  ]).pipe(
    // Copied, because the page may change its objects.
    map(([, handed]) => [deps.setting('secondParty'), handed].map((input) => jsonValue(input, () => undefined) ?? {})),
    distinctUntilChanged((a, b) => deps.json.stringify(a) === deps.json.stringify(b)),
    map((inputs) => boundedSegments([...new Map(inputs.flatMap((input) => secondPartyProviders(input, deps)))])),
  );
  return combineLatest([engines(streams), segments$]).pipe(
    concatMap(([, segments]) => of(dataOutput({ secondParty: segments }), ...eventOfChange(segments, deps))),
  );
};

const SegmentIds = list(
  value<string | number>('an id', (input) => typeof input === 'string' || Number.isFinite(input)),
  0,
  Infinity,
  'a list of ids',
);

/** The segments of each provider. A provider whose segments do not decode is reported and left out. */
const secondPartyProviders = (
  input: unknown,
  { report }: ServiceDeps,
): readonly (readonly [string, readonly string[]])[] => {
  const onFault = (cause: Error): void => report('Invalid second-party data', cause);
  return Object.entries(readOr(AnyRecord, input, {}, onFault)).flatMap(([provider, given]) => {
    const ids = readOr(SegmentIds, given, undefined, onFault);
    return ids === undefined ? [] : [[provider, ids.map(String)] as const];
  });
};

/** The event that tells queries of other data than before; none where the data is the same. */
const eventOfChange = (segments: ProviderSegments, deps: ServiceDeps): readonly ServiceOutput[] => {
  const known = textHash(segmentsText(segments));
  if (known === (readNote(secondPartyNote, deps) ?? textHash(segmentsText({})))) return [];
  writeNote(secondPartyNote, known, deps);
  return [{ type: 'draft', draft: { name: 'UpdateSecondPartyData', edgeOnly: true } }];
};
