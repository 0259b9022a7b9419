import { combineLatest, defer, filter, ignoreElements, merge, type Observable, tap } from 'rxjs';

import { isRecord } from '../codecs/codecs';
import type { ServiceDeps, ServiceStreams } from '../cohorts/service';
import { NoJson } from '../hardening/json';
import { ownFields } from '../hardening/ownFields';
import { codesOf, type Cohorts } from '../model/cohorts';
import type { CohortEnds } from '../model/engineCommands';
import { sessionTimeoutMs } from '../model/pageContext';
import { localKeys, partnerCookies, partnerKeys } from '../model/storageKeys';
import { perform } from '../operators/creators/perform';
import { type CookieDeps, writeCookie } from '../streams/visitor/userId';

export type CodeEndsStreams = Pick<ServiceStreams, 'cohorts$' | 'ends$' | 'event$' | 'pageExit$'>;
export type CodeEndsDeps = Pick<ServiceDeps, 'local' | 'json' | 'now' | 'project'> & CookieDeps;

/** By code or number of a cohort, the end of its truth in ms since 1970. Most codes have none. */
type CodeEnds = Readonly<Record<string, number>>;

/**
 * Keeps until when the stored codes of cohorts are true: beside the codes, because partners read these as flat lists. A
 * code of the view has ended for every reader on another page, and a code of the session ends with the session. Readers
 * of the next page's first moments leave out what has ended: the addons of ad servers, and the companion.
 *
 * Prebid and servers read keys and cookies by themselves. What has ended is removed from those as the page unloads, and
 * at the start of a page, because a page may end without a word. Until then, bidders of the page get codes of its view.
 */
export const keepCodeEnds = (streams: CodeEndsStreams, deps: CodeEndsDeps): Observable<never> =>
  defer(() => {
    const { cohorts$, ends$, event$, pageExit$ } = streams;
    let lastEvent = deps.now();
    let latest: (() => CodeEnds) | undefined;
    let kept: string | null = null;
    const keep = (): void => {
      if (latest === undefined) return;
      const text = deps.json.stringify(latest());
      if (text !== kept) deps.local.write(localKeys.codeEnds, text);
      kept = text;
    };
    return merge(
      perform(() => removeEnded(deps)),
      event$.pipe(tap(() => (lastEvent = deps.now()))),
      combineLatest([ends$, cohorts$.pipe(filter(({ isRealtime }) => isRealtime))]).pipe(
        tap(([ofCohorts, cohorts]) => {
          latest = () => endsOfCodes(ofCohorts, cohorts, lastEvent + sessionTimeoutMs, deps);
          keep();
        }),
      ),
      pageExit$.pipe(
        filter(({ step }) => step === 'flush'),
        tap(({ isUnloading }) => {
          // What is stored may have been removed with everything of another user.
          kept = deps.local.read(localKeys.codeEnds);
          // The session has gone on since.
          keep();
          if (isUnloading) removeEnded(deps);
        }),
      ),
    ).pipe(ignoreElements());
  });

/** By id and by code, because partners get some cohorts by their numbers. */
const endsOfCodes = (
  ends: CohortEnds,
  cohorts: Cohorts,
  sessionEnd: number,
  { project }: Pick<CodeEndsDeps, 'project'>,
): CodeEnds => {
  // What a service says of a page is true for that page.
  const { affinity = [], contextual = [] } = ownFields(ownFields(cohorts).produced ?? {});
  const ofQueries = Object.entries(ends).map(([id, end]) => [id, endOf(end, sessionEnd)] as const);
  const ofPage = [...affinity, ...contextual].map((id) => [id, 0] as const);
  return Object.fromEntries(
    [...ofPage, ...ofQueries].flatMap(([id, end]) => [id, ...codesOf([id], project)].map((code) => [code, end])),
  );
};

const endOf = (end: CohortEnds[string], sessionEnd: number): number => {
  const { scope, at = Infinity } = ownFields(end);
  if (scope === 'view') return 0;
  return scope === 'session' ? Math.min(at, sessionEnd) : at;
};

/** The lists of codes in a stored value, without those that have ended. `ssps` is a list of bidders. */
const lasting = (stored: unknown, lasts: (code: unknown) => boolean): unknown => {
  if (Array.isArray(stored)) return stored.filter(lasts);
  if (!isRecord(stored)) return stored;
  return Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [name, name === 'ssps' ? value : lasting(value, lasts)]),
  );
};

/** Removes codes that have ended from the keys and cookies that others read by themselves. */
const removeEnded = (deps: CodeEndsDeps): void => {
  const { local, json, now, project } = deps;
  const read = (key: string): unknown => json.parse(local.read(key) ?? 'null');
  const ends = Object(read(localKeys.codeEnds)) as CodeEnds;
  const lasts = (code: unknown): boolean => !(Number(ends[String(code)]) < now());
  if (Object.keys(ends).every(lasts)) return;
  for (const key of [...Object.values<string>(partnerKeys), ...(project.storageKeys ?? [])]) {
    const text = local.read(key);
    if (text === null) continue;
    const left = lasting(json.parse(text), lasts);
    if (left === NoJson || json.stringify(left) === text) continue;
    local.write(key, json.stringify(left));
    if ((partnerCookies as readonly string[]).includes(key) && Array.isArray(left))
      writeCookie(
        key,
        left.map((code) => json.stringify(code)),
        deps,
      );
  }
};
