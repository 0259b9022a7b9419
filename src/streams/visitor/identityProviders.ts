import * as t from 'io-ts';
import { defer, EMPTY, filter, map, merge, mergeMap, type Observable, of, take, timeout, toArray } from 'rxjs';

import { call, type CallDeps, request } from '../../endpoints/call';
import { pxid } from '../../endpoints/pxid';
import { type Identities, isDue } from '../../model/identity';
import { readNote } from '../../model/notes';
import type { IdentityProvider, PageProject } from '../../model/project';
import type { Report } from '../../model/report';
import { type Tcf, tcfVendors } from '../../model/tcf';
import { isolate } from '../../operators/isolate';
import { vendorConsent } from '../../operators/vendorConsent';
import type { CookieJar, Page, TextStorage } from '../../platform/platform';

/** How long a lookup waits for the consent platform's answer (spec C§9), and for the vendor's (spec S§7). */
const consentWaitMs = 2000;
const lookupTimeoutMs = 2000;

/** What asking third parties needs. */
export interface ProvidersDeps extends CallDeps {
  readonly project: Pick<PageProject, 'identityProviders'>;
  readonly page: Pick<Page, 'userAgent' | 'global'>;
  readonly cookies: Pick<CookieJar, 'read'>;
  readonly local: TextStorage;
  readonly tcf$: Observable<Tcf>;
  readonly userId: () => string;
  readonly now: () => number;
  readonly report: Report;
}

/**
 * Identities that others know the visitor by: those of the project's providers and, with a `pxidHost`, `pxid`. Only
 * what is not known or has expired is asked for; a vendor of the TCF list only with its consent; nobody on Safari,
 * where no third party knows anybody (spec C§4, C§6). Emits one list of tag and id; a provider that fails or is refused
 * is not in it.
 */
export const lookUpIdentities = (
  known: Identities,
  deps: ProvidersDeps,
): Observable<readonly (readonly [tag: string, id: string])[]> =>
  defer(() => {
    if (isSafari(deps.page.userAgent())) return EMPTY;
    const { identityProviders = {} } = deps.project;
    const lookups: (readonly [tag: string, id$: Observable<unknown>])[] = Object.entries(identityProviders)
      // The id of an AMP reader is used only once this note is set (spec C§3).
      .filter(([tag]) => tag !== 'amp' || readNote('amp_ready', deps) === true)
      .map(([tag, provider]) => [tag, ask(provider, deps)]);
    if (deps.setting('pxidHost') !== '')
      lookups.push(['pxid', call(pxid, {}, deps).pipe(map((answer) => answer.pxid))]);
    return merge(
      ...lookups
        .filter(([tag]) => isDue(known.get(tag), deps.now()))
        .map(([tag, id$]) =>
          allowed(tag, deps.tcf$).pipe(
            mergeMap(() => id$),
            mergeMap((id) => (typeof id === 'string' || typeof id === 'number' ? [[tag, String(id)] as const] : [])),
            isolate('Could not ingest identities', deps.report),
          ),
        ),
    );
  }).pipe(toArray());

/** Emits once the vendor has consent; completes where it has none, or where nothing was decided in time. */
const allowed = (tag: string, tcf$: Observable<Tcf>): Observable<unknown> => {
  const vendor = tcfVendors[tag];
  return vendor === undefined
    ? of(true)
    : vendorConsent(tcf$, vendor).pipe(timeout({ first: consentWaitMs, with: () => EMPTY }), take(1), filter(Boolean));
};

const ask = (
  { url, method = 'GET', field = 'uid', cookie, global }: IdentityProvider,
  deps: ProvidersDeps,
): Observable<unknown> =>
  defer(() => {
    if (url !== undefined) {
      const body = method === 'POST' ? { body: deps.json.stringify({ user_id: deps.userId() }) } : {};
      return request(
        { method, url, credentials: true, responseType: 'json', ...body },
        t.UnknownRecord,
        lookupTimeoutMs,
        deps,
      ).pipe(map((answer) => answer[field]));
    }
    return of(cookie === undefined ? valueAt(global ?? '', deps.page) : deps.cookies.read(cookie));
  });

/** The value at a path of the page's globals. Throws where a getter of the page throws. */
const valueAt = (path: string, page: Pick<Page, 'global'>): unknown => {
  const [name = '', ...keys] = path.split('.');
  return keys.reduce(
    (value: unknown, key) => (value as Record<string, unknown> | null | undefined)?.[key],
    page.global(name),
  );
};

/** Chromium browsers name Safari in their user agent too, so they are excluded. */
const isSafari = (userAgent: string): boolean =>
  /safari/i.test(userAgent) && !/chrom|crios|android|fxios|edg/i.test(userAgent);
