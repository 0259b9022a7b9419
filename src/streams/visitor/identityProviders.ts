import {
  catchError,
  defer,
  EMPTY,
  filter,
  map,
  merge,
  mergeMap,
  Observable,
  of,
  take,
  tap,
  throwError,
  timeout,
  toArray,
} from 'rxjs';

import { AnyRecord, AnyString, DecodeError, type Fields, readAs, readerOf, readOr } from '../../codecs/codecs';
import { vendorConsent } from '../../consent/vendorConsent';
import type { VisitorStreams } from '../../contracts/visitStreams';
import { call, type CallDeps, request } from '../../endpoints/call';
import { pxid } from '../../endpoints/pxid';
import { type Json, NoJson } from '../../hardening/json';
import { ownEntry, ownFields } from '../../hardening/ownFields';
import { AnswerSizeError, NotJsonError } from '../../model/errors';
import { type Identities, IdText, isDue } from '../../model/identity';
import { readNote } from '../../model/notes';
import type { IdentityProvider, ServiceDefinition } from '../../model/project';
import { identityPurposes, type Tcf, tcfVendors, withConsent } from '../../model/tcf';
import { poll, PollError } from '../../operators/creators/poll';
import { firstWithin } from '../../operators/firstWithin';
import { isolate } from '../../operators/isolate';
import type { CookieJar, Page, Tools } from '../../platform/platform';
import { fold } from '../../primitives/lists';
import { publicUrl } from '../../primitives/publicUrl';
import { isAddress } from '../../privacy/identityTag';

/**
 * How long a lookup waits for the answer of the consent platform (spec C§9), and then for the answer of the vendor
 * (spec S§7).
 */
const consentWaitMs = 2000;
const lookupTimeoutMs = 2000;

/** Of the notes in `local`, `amp_ready` is read. */
export interface ProvidersDeps extends CallDeps, Pick<Tools, 'local' | 'now' | 'report'> {
  readonly page: Pick<Page, 'userAgent' | 'global'>;
  readonly cookies: Pick<CookieJar, 'read'>;
}

/** Whom third parties are asked about. */
export interface LookedUpVisitor extends Pick<VisitorStreams, 'tcf$' | 'sharing$'> {
  /** The identities that are known already. */
  readonly known: Identities;
  /** The visitor's id at this moment; providers that are asked by POST get it. */
  readonly userId: () => string;
}

/**
 * Asks third parties what they know the visitor by (spec C§4, C§6): the project's providers and, where `pxidHost` is
 * set, the service `pxid`. Only identities that are absent or expired are asked for. Vendors of the TCF list are asked
 * only with their consent, and vendors and services only where the visitor's data may be shared. On Safari nobody is
 * asked, because third parties cannot recognise visitors there. Emits one list of tag and id and completes. A provider
 * that fails is reported, and neither it nor one without consent is in the list. Cold.
 */
export const lookUpIdentities = (
  visitor: LookedUpVisitor,
  definition: Pick<ServiceDefinition, 'identityProviders'>,
  deps: ProvidersDeps,
): Observable<readonly (readonly [tag: string, id: string])[]> =>
  defer(() => {
    if (isSafari(deps.page.userAgent())) return EMPTY;
    const { identityProviders = {} } = ownFields(definition);
    const lookups: (readonly [tag: string, id$: Observable<unknown>])[] = Object.entries(identityProviders)
      // The id of an AMP reader is used only once this note is set (spec C§3).
      .filter(([tag]) => tag !== 'amp' || readNote('amp_ready', deps) === true)
      .map(([tag, provider]) => [tag, askProvider(tag, provider, vendorOf(tag, identityProviders), visitor, deps)]);
    if (deps.setting('pxidHost') !== '')
      lookups.push(['pxid', call(pxid, {}, deps).pipe(map((answer) => answer.pxid))]);
    return merge(
      ...lookups
        .filter(([tag]) => isDue(visitor.known.get(tag), deps.now()))
        .map(([tag, id$]) =>
          allowed(tag, identityProviders, visitor).pipe(
            mergeMap(() => id$),
            mergeMap((id) => (typeof id === 'string' || typeof id === 'number' ? [[tag, String(id)] as const] : [])),
            tap(([, id]) => {
              const [fault] = IdText(id);
              if (fault) throw new Error(`${tag}: expected ${fault.expected}`);
            }),
            filter(([tag, id]) => !isAddress({ tag, id })),
            isolate('Could not ingest identities', deps.report),
          ),
        ),
    );
  }).pipe(toArray());

type ProviderDefinitions = NonNullable<ServiceDefinition['identityProviders']>;

/** The vendor whose consent is needed to ask for a tag; undefined for the publisher's own. */
const vendorOf = (tag: string, providers: ProviderDefinitions): number | undefined =>
  ownFields(ownFields(providers)[tag] ?? {}).tcf_vendor_id ?? ownEntry(tcfVendors, tag);

/**
 * Emits once if a tag may be asked for. Completes without a value where the visitor's data may not be shared, where the
 * vendor or one of its purposes has no consent, or where the visitor has not decided within 2 s. What the page itself
 * holds needs neither.
 */
const allowed = (
  tag: string,
  providers: ProviderDefinitions,
  { sharing$, tcf$ }: Pick<LookedUpVisitor, 'sharing$' | 'tcf$'>,
): Observable<unknown> => {
  const vendor = vendorOf(tag, providers);
  const purposes =
    ownFields(ownFields(providers)[tag] ?? {}).tcf_purposes ?? (vendor === undefined ? [] : identityPurposes);
  // A platform that has failed, or has come late, may still answer in time.
  const answered$ = tcf$.pipe(filter(({ status }) => status !== 'aborted'));
  if (vendor !== undefined || purposes.length > 0)
    return decided(sharing$).pipe(mergeMap(() => decided(vendorConsent(answered$, vendor, purposes))));
  const isOfPage = Object.hasOwn(providers, tag) && providers[tag]?.url === undefined;
  return isOfPage ? of(true) : decided(sharing$);
};

const decided = (answer$: Observable<boolean>): Observable<unknown> =>
  answer$.pipe(timeout(ownFields({ first: consentWaitMs, with: () => EMPTY })), take(1), filter(Boolean));

/**
 * The id as one provider gives it, in one value of unknown type. The first that is given of url, call, cookie and
 * global is used. The address of a vendor is told what the visitor has consented to.
 */
const askProvider = (
  tag: string,
  provider: IdentityProvider,
  vendor: number | undefined,
  { userId, tcf$ }: Pick<LookedUpVisitor, 'userId' | 'tcf$'>,
  deps: ProvidersDeps,
): Observable<unknown> =>
  defer(() => {
    const { url, method = 'GET', field = 'uid', call: path, cookie, global } = ownFields(provider);
    if (url !== undefined) {
      if (!publicUrl(url)) throw new Error(`${tag}/url: expected an https address of a public host`);
      const body = method === 'POST' ? { body: deps.json.stringify({ user_id: userId() }) } : {};
      return providerAddress(url, vendor, tcf$).pipe(
        mergeMap((address) =>
          request(
            { method, url: address, credentials: true, responseType: 'text', ...body },
            readerOf(AnyString),
            lookupTimeoutMs,
            deps,
          ),
        ),
        map((text) => fieldsIn(text, deps.json)[field]),
      );
    }
    if (path !== undefined) return callbackAnswer(path, deps.page).pipe(map((answer) => ownFields(answer)[field]));
    return of(cookie === undefined ? valueAt(global ?? '', deps.page) : deps.cookies.read(cookie));
  });

/** The address, with consent where it is that of a vendor and the page has a consent platform. In one value. */
const providerAddress = (url: string, vendor: number | undefined, tcf$: Observable<Tcf>): Observable<string> =>
  vendor === undefined
    ? of(url)
    : tcf$.pipe(
        take(1),
        map((tcf) => (tcf.status === 'loaded' ? withConsent(url, tcf) : url)),
      );

/** Characters of an answer that are read at most: room for an id of the greatest length and what else a vendor says. */
const maxAnswer = 65_536;

/** The texts and the numbers of JSON, each from its first to its last character. */
const textOrNumber = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/g;

/**
 * The fields of an answer. Ids that are whole numbers too long for a number of JavaScript are read as text, because
 * rounded ones would be those of strangers.
 */
const fieldsIn = (text: string, json: Json): Fields => {
  if (text.length > maxAnswer) throw new AnswerSizeError('64 kB');
  // Only JSON is looked through, because its texts and numbers have an end.
  if (json.parse(text) === NoJson) throw new NotJsonError(text);
  const exact = text.replace(textOrNumber, (found) => (/^-?\d{16,}$/.test(found) ? `"${found}"` : found));
  const fields = readAs(AnyRecord, json.parse(exact));
  if (fields instanceof DecodeError) throw fields;
  return fields;
};

/**
 * What a function of the page calls back with: it is called with `{ callback }`, as the web SDK of Gigya takes it. The
 * function is waited for, because its script may load later. A page without it knows nobody. Errors where it has not
 * called back within 2 s.
 */
const callbackAnswer = (path: string, page: Pick<Page, 'global'>): Observable<Fields> =>
  poll(() => {
    const [owner, method] = [valueAt(path.split('.').slice(0, -1).join('.'), page), valueAt(path, page)];
    return typeof method === 'function'
      ? (callback: (answer: unknown) => void): unknown => Reflect.apply(method, owner, [{ callback }])
      : undefined;
  }).pipe(
    catchError((cause: unknown) => (cause instanceof PollError ? EMPTY : throwError(() => cause as Error))),
    mergeMap(
      (invoke) =>
        new Observable<unknown>((subscriber) => {
          invoke((answer) => subscriber.next(answer));
        }),
    ),
    firstWithin(lookupTimeoutMs, () => new Error(`${path}: expected an answer within ${lookupTimeoutMs} ms`)),
    take(1),
    map((answer) => readOr(AnyRecord, answer, {}, () => undefined)),
  );

/** The value at a path of the page's globals. Throws where a getter of the page throws. */
const valueAt = (path: string, page: Pick<Page, 'global'>): unknown => {
  const [name = '', ...keys] = path.split('.');
  return fold(keys, page.global(name), (value, key) => (value as Record<string, unknown> | null | undefined)?.[key]);
};

/** Chromium browsers name Safari in their user agent too, so they are excluded. */
const isSafari = (userAgent: string): boolean =>
  /safari/i.test(userAgent) && !/chrom|crios|android|fxios|edg/i.test(userAgent);
