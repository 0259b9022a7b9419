import { dequal } from 'dequal/lite';
import {
  combineLatest,
  defer,
  EMPTY,
  filter,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  startWith,
  switchMap,
  take,
} from 'rxjs';

import { type Fields, isRecord } from '../../codecs/codecs';
import { ownFields } from '../../hardening/ownFields';
import { type Activation, activationText, reaction } from '../../model/activation';
import type { CriteriaContext } from '../../model/contextCriteria';
import type { EventDraft } from '../../model/event';
import type { Report } from '../../model/report';
import { permits, type Tcf, withConsent } from '../../model/tcf';
import { isolate } from '../../operators/isolate';
import { publicUrl } from '../../primitives/publicUrl';
import { isOwn, needsOf, type VendorOptions, vendorOptions } from '../activations/consentedActivations';
import { dueActivations } from '../activations/dueActivations';
import { evaluatedCohorts } from '../activations/evaluatedCohorts';
import { onceRequested } from '../activations/onceRequested';
import {
  compareMemberships,
  type ToldMemberships,
  toldMemberships,
  wants,
  withoutChange,
} from '../activations/toldMemberships';
import type { Addon, AddonDeps, AddonStreams } from '../addon';

/** An activation of the addon whose address and vendor id are valid. */
interface Pixel {
  readonly activation: Activation;
  /** An https address of a public host. */
  readonly url: string;
  /** The key under which the stored state has the pixel (spec S§3, S§5). */
  readonly host: string;
  /** TCF vendor whose consent the pixel needs; undefined where it needs none. */
  readonly vendorId: number | undefined;
  /** Purposes of the TCF that the pixel needs. */
  readonly purposes: readonly number[];
}

/** By host, what its pixels were told. */
type LastState = Readonly<Record<string, ToldMemberships>>;

/** Name of the note that keeps the last state (contract: storage). */
const stateName = 'addon:tracking_pixel';

/**
 * Requests the publisher's pixels and tracks an impression for each that was requested (spec S§4, S§6). OnEntry and
 * OnExit pixels fire where the visitor's cohorts differ from what the pixel was told last. A first run has no stored
 * state, so the OnEntry pixels of all present cohorts fire. EveryTime pixels fire once per view. A pixel with a vendor
 * id waits for the consent for that vendor and its purposes, and all pixels wait until the visitor's data may be
 * shared. An OnEntry or OnExit pixel that has failed is due again on the next page.
 */
export const trackingPixel: Addon<VendorOptions> = {
  name: 'tracking_pixel',
  autoInit: true,
  options: vendorOptions,
  run: (streams, options$, deps) =>
    options$.pipe(
      // A second start changes nothing, because the first goes on.
      take(1),
      switchMap((options) => {
        const pixels = deps.activations.flatMap((activation) => pixelOf(activation, options, deps.report));
        return pixels.length === 0
          ? EMPTY
          : merge(fireAtChanges(pixels, streams, deps), fireOncePerView(pixels, streams, deps));
      }),
    ),
};

/**
 * Fires OnEntry and OnExit pixels. Memberships are compared at each change of cohorts, in each view and at each answer
 * of the consent platform. The first comparison does not wait for that platform, because pixels without a vendor id do
 * not need it.
 */
const fireAtChanges = (pixels: readonly Pixel[], streams: AddonStreams, deps: AddonDeps): Observable<EventDraft> => {
  const { cohorts$, view$, tcf$, sharing$ } = streams;
  const takeBack = ({ activation, host }: Pixel): void => {
    const stored = recordOf(deps.recall(stateName));
    const told = toldMemberships(ownFields(stored)[host]);
    const change = { activation, entered: activation.tt === 'OnEntry' };
    deps.remember(stateName, { ...stored, [host]: withoutChange(told, change) });
  };
  return combineLatest([evaluatedCohorts({ cohorts$, view$ }), tcf$.pipe(startWith(undefined)), sharing$]).pipe(
    filter(([, , mayShare]) => mayShare),
    // mergeMap: pixels are requested at once, so nothing is cancelled or waited for.
    mergeMap(([{ members }, tcf]) => {
      const stored = recordOf(deps.recall(stateName));
      // A pixel that may not fire yet is left out of the state too, so that it is still due once it may.
      const considered = pixels.filter(
        (pixel) => pixel.activation.tt !== 'EveryTime' && (isOwn(pixel) || (tcf !== undefined && mayFire(pixel, tcf))),
      );
      const { due, next } = compared(considered, members, lastState(pixels, stored), deps.context());
      // The state is stored before the pixels fire, so that another tab does not fire them too. The state of other
      // hosts stays.
      const kept = { ...stored, ...next };
      if (!dequal(kept, stored)) deps.remember(stateName, kept);
      return merge(...due.map((pixel) => fire(pixel, tcf, { streams, deps, takeBack: () => takeBack(pixel) })));
    }),
  );
};

/** Fires EveryTime pixels, each once it may. */
const fireOncePerView = (pixels: readonly Pixel[], streams: AddonStreams, deps: AddonDeps): Observable<EventDraft> => {
  const { cohorts$, view$, tcf$, sharing$ } = streams;
  const consented = (pixel: Pixel): Observable<Tcf | undefined> =>
    isOwn(pixel) ? of(undefined) : tcf$.pipe(filter((tcf) => mayFire(pixel, tcf)));
  // Transitions are not passed on: OnEntry and OnExit follow the stored state instead.
  return dueActivations({ cohorts$, transition$: EMPTY, view$ }, deps).pipe(
    mergeMap((activation) => pixels.filter((pixel) => pixel.activation === activation)),
    // mergeMap: a pixel that may fire does not wait for one that may not.
    mergeMap((pixel) =>
      sharing$.pipe(
        filter(Boolean),
        take(1),
        mergeMap(() => consented(pixel).pipe(take(1))),
        mergeMap((tcf) => fire(pixel, tcf, { streams, deps })),
      ),
    ),
  );
};

const mayFire = ({ vendorId, purposes }: Pixel, tcf: Tcf): boolean => permits(tcf, vendorId, purposes);

/** Where a pixel is requested, and what takes back that it was, where it has failed. */
interface Firing {
  readonly streams: AddonStreams;
  readonly deps: AddonDeps;
  readonly takeBack?: () => void;
}

/** Requests a pixel, with the consent where it needs one. Emits its impression; a failure is reported. */
const fire = (
  { activation, url, vendorId }: Pixel,
  tcf: Tcf | undefined,
  { streams, deps, takeBack }: Firing,
): Observable<EventDraft> =>
  defer(() => {
    const address = vendorId === undefined || tcf === undefined ? url : withConsent(url, tcf);
    return onceRequested(deps.loadPixel(address), streams, takeBack);
  }).pipe(
    map(() => reaction(activation, 'impression')),
    isolate(trackingPixelFailed, deps.report),
  );

const trackingPixelFailed = 'Failed to create tracking pixel';

/** The pixel of an activation in a list; an empty list, after a report, where its address or vendor id is invalid. */
const pixelOf = (activation: Activation, options: VendorOptions, report: Report): readonly Pixel[] => {
  const url = publicUrl(activationText(activation, 'pixel_url') ?? '');
  if (url === undefined) {
    report(trackingPixelFailed, new Error(`${activation.id}: pixel_url: expected an https address of a public host`));
    return [];
  }
  const needs = needsOf(activation, options, report);
  return needs === undefined ? [] : [{ activation, url: url.href, host: url.host, ...needs }];
};

/** What is stored, where it is an object. */
const recordOf = (stored: unknown): Fields => (isRecord(stored) ? stored : {});

/**
 * The stored state by host. What has another shape counts as empty, which is a first run. Earlier versions kept a list
 * of cohorts for the host: all of its pixels count as told of those.
 */
const lastState = (pixels: readonly Pixel[], stored: Fields): LastState =>
  Object.fromEntries(
    Object.entries(stored).map(([host, told]) => [
      host,
      Array.isArray(told)
        ? Object.fromEntries(
            pixels
              .filter((pixel) => pixel.host === host && told.map(String).includes(String(pixel.activation.sc)))
              .map(({ activation: { id, sc } }) => [id, String(sc)]),
          )
        : toldMemberships(told),
    ]),
  );

/** Compares memberships with the last state, host by host. `due` are the pixels that fire because of a difference. */
const compared = (
  pixels: readonly Pixel[],
  members: readonly string[],
  last: LastState,
  context: CriteriaContext,
): { readonly due: readonly Pixel[]; readonly next: LastState } => {
  const comparisons = [...new Set(pixels.map(({ host }) => host))].map((host) => {
    const ofHost = pixels.filter((pixel) => pixel.host === host);
    const activations = ofHost.map(({ activation }) => activation);
    const { changes, next } = compareMemberships(activations, members, ownFields(last)[host] ?? {}, context);
    return { host, next, due: changes.filter(({ activation, entered }) => wants(activation, entered)) };
  });
  const due = comparisons.flatMap((comparison) => comparison.due.map(({ activation }) => activation));
  return {
    due: pixels.filter(({ activation }) => due.includes(activation)),
    next: Object.fromEntries(comparisons.map(({ host, next }) => [host, next])),
  };
};
