import { dequal } from 'dequal/lite';
import { combineLatest, defer, EMPTY, ignoreElements, merge, mergeMap, type Observable, switchMap, take } from 'rxjs';

import { AnyString, isRecord } from '../../codecs/codecs';
import { optionsOf } from '../../codecs/options';
import { partnerConsent } from '../../consent/partnerConsent';
import { ownFields } from '../../hardening/ownFields';
import { type Activation, appliesIn, isForMembers } from '../../model/activation';
import { partnerPurposes, permits, Purposes, type Tcf, withConsent } from '../../model/tcf';
import { isolate } from '../../operators/isolate';
import { publicUrl } from '../../primitives/publicUrl';
import { purposesOf } from '../activations/consentedActivations';
import { evaluatedCohorts } from '../activations/evaluatedCohorts';
import { onceRequested } from '../activations/onceRequested';
import type { Addon, AddonDeps, AddonStreams } from '../addon';

/** Name of the note that keeps, by dpid, the segments that PubMatic was told last (spec C§3, S§3). */
const toldName = 'pubmatic';
/** PubMatic in the TCF vendor list (spec C§6). */
const vendorId = 76;

/** By dpid, the segments of the visitor. */
type SegmentsByDpid = Readonly<Record<string, readonly string[]>>;

/** What a page or project may give `permutive.addon('pubmatic', …)`. */
export const pubmaticOptions = optionsOf({
  /** Address that recognises the visitor and redirects, without parameters. */
  cookie_set_url: [AnyString, 'https://image2.pubmatic.com/AdServer/UCookieSetPug'],
  /** Address that takes the segments, without parameters. */
  segment_url: [AnyString, 'https://aud.pubmatic.com/AdServer/Artemis'],
  /** Purposes of the TCF that it needs for activations that name none; undefined: 1, 3 and 4. */
  tcf_purposes: [Purposes, undefined],
});
export type PubmaticOptions = ReturnType<typeof pubmaticOptions>;

/**
 * Tells PubMatic the visitor's segments, by data provider (`dpid` of an activation): all segments of a dpid in one
 * pixel, and only when its list has changed (spec S§4). The pixel is PubMatic's cookie-set address, which redirects to
 * the one that takes the segments (spec S§7). The addon waits for the consent of the vendor, and leaves out activations
 * whose purposes have none.
 */
export const pubmatic: Addon<PubmaticOptions> = {
  name: 'pubmatic',
  autoInit: true,
  options: pubmaticOptions,
  run: (streams, options$, deps) =>
    options$.pipe(
      // A second start changes nothing, because the first has told everything.
      take(1),
      switchMap((options) => {
        const activations = deps.activations.filter(
          (activation) => dpidOf(activation) !== undefined && isForMembers(activation),
        );
        if (activations.length === 0) return EMPTY;
        // Which purposes are needed, each activation says.
        const consent$ = partnerConsent(streams, { vendorId, purposes: [] });
        const permitted = (tcf: Tcf): readonly Activation[] =>
          activations.filter((activation) =>
            permits(tcf, vendorId, purposesOf(activation, options.tcf_purposes) ?? partnerPurposes),
          );
        return combineLatest([evaluatedCohorts(streams), consent$]).pipe(
          // mergeMap: pixels are embedded at once, so nothing is cancelled or waited for.
          mergeMap(([{ members }, { isGiven, tcf }]) =>
            isGiven && tcf ? embedChanged(permitted(tcf), members, tcf, options, { streams, deps }) : EMPTY,
          ),
        );
      }),
    ),
};

const pixelFailure = '[pubmatic] Failed to create pixel';

/** Embeds a pixel for each dpid whose list differs from what PubMatic was told. Emits nothing. */
const embedChanged = (
  activations: readonly Activation[],
  members: readonly string[],
  tcf: Tcf,
  options: PubmaticOptions,
  { streams, deps }: { readonly streams: AddonStreams; readonly deps: AddonDeps },
): Observable<never> =>
  defer(() => {
    const told = readLists(deps.recall(toldName));
    const lists = segmentLists(activations, members, told, deps);
    const changed = Object.entries(lists).filter(([dpid, list]) => !dequal(list, ownFields(told)[dpid] ?? []));
    if (changed.length === 0) return EMPTY;
    // Made first, because nothing counts as told where the options make no address.
    const pixels = changed.map(([dpid, list]) => ({ dpid, address: cookieSetAddress(dpid, list, tcf, options) }));
    const takeBack = (dpid: string): void =>
      deps.remember(toldName, { ...readLists(deps.recall(toldName)), [dpid]: ownFields(told)[dpid] ?? [] });
    // Kept before the pixels are embedded, so that another tab does not embed them too.
    deps.remember(toldName, { ...told, ...lists });
    return merge(
      ...pixels.map(({ dpid, address }) =>
        defer(() => onceRequested(deps.loadPixel(address), streams, () => takeBack(dpid))).pipe(
          ignoreElements(),
          isolate(pixelFailure, deps.report),
        ),
      ),
    );
  }).pipe(isolate(pixelFailure, deps.report));

/**
 * By dpid, the codes of its activations that the visitor is in. An activation whose criteria do not hold on this page
 * keeps its place in what PubMatic was last told.
 */
const segmentLists = (
  activations: readonly Activation[],
  members: readonly string[],
  told: SegmentsByDpid,
  { context, codesOf }: AddonDeps,
): SegmentsByDpid => {
  const now = context();
  const lists = new Map<string, Set<string>>();
  for (const activation of activations) {
    const [dpid = '', id] = [dpidOf(activation), String(activation.sc)];
    const code = codesOf([id])[0] ?? id;
    const list = lists.get(dpid) ?? new Set();
    lists.set(dpid, list);
    const isIn = appliesIn(activation, now) ? members.includes(id) : ownFields(told)[dpid]?.includes(code) === true;
    if (isIn) list.add(code);
  }
  return Object.fromEntries([...lists].map(([dpid, codes]) => [dpid, [...codes].sort()]));
};

/** The data provider of an activation; undefined where it names none. */
const dpidOf = (activation: Activation): string | undefined => {
  const { dpid } = ownFields<{ readonly dpid?: unknown }>({ ...ownFields(activation).c });
  return typeof dpid === 'number' || (typeof dpid === 'string' && dpid !== '') ? String(dpid) : undefined;
};

/** The stored lists of codes by dpid. A value of any other shape counts as no list. */
const readLists = (stored: unknown): SegmentsByDpid =>
  isRecord(stored)
    ? Object.fromEntries(
        Object.entries(stored).map(([dpid, list]) => [dpid, Array.isArray(list) ? list.map(String) : []]),
      )
    : {};

/** PubMatic puts its id of the visitor into the redirect where this stands. */
const userIdMacro = '#PM_USER_ID';

const cookieSetAddress = (
  dpid: string,
  segments: readonly string[],
  tcf: Tcf,
  { cookie_set_url, segment_url }: PubmaticOptions,
): string => {
  const cookieSet = publicUrl(cookie_set_url);
  const redirect = publicUrl(segment_url);
  if (!cookieSet) throw new Error('cookie_set_url: expected an https address of a public host');
  if (!redirect) throw new Error('segment_url: expected an https address of a public host');
  redirect.searchParams.set('dpid', dpid);
  redirect.searchParams.set('segid', segments.join());
  // Added as text, because PubMatic looks for the macro before the address is decoded a second time.
  const target = `${withConsent(redirect.href, tcf)}&userid=${userIdMacro}`;
  cookieSet.searchParams.set('rd', target);
  return withConsent(cookieSet.href, tcf);
};
