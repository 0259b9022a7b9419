import { dequal } from 'dequal/lite';
import {
  combineLatest,
  defer,
  EMPTY,
  filter,
  merge,
  mergeMap,
  type Observable,
  of,
  startWith,
  switchMap,
  take,
} from 'rxjs';

import { type Activation, appliesIn, reaction, textOf } from '../../model/activation';
import type { EventDraft } from '../../model/event';
import type { Report } from '../../model/report';
import type { Tcf } from '../../model/tcf';
import { dueActivations as dueActivations } from '../../operators/creators/dueActivations';
import { isolate } from '../../operators/isolate';
import type { Addon } from '../addon';

/** An activation whose address and vendor make sense. */
interface Pixel {
  readonly activation: Activation;
  readonly url: string;
  /** Pixels of one host share a state (spec S§5). */
  readonly host: string;
  readonly vendorId: number | undefined;
}

/** By host, the cohorts that its pixels were last told of. */
type LastState = Readonly<Record<string, readonly string[]>>;

const stateName = 'addon:tracking_pixel';

/**
 * Asks for the publisher's pixels: OnEntry and OnExit where the visitor's cohorts differ from those of the last time,
 * so that a first run tells of all, and nothing is told twice; EveryTime once per view. A pixel with a vendor id waits
 * for that vendor's consent (spec S§4, S§6).
 */
export const trackingPixel: Addon<unknown> = {
  name: 'tracking_pixel',
  autoInit: true,
  options: () => undefined,
  run: ({ cohorts$, view$, tcf$ }, options$, deps) => {
    const { report, context, loadPixel, recall, remember } = deps;
    const fire = ({ activation, url, vendorId }: Pixel, tcf: Tcf | undefined): Observable<EventDraft> =>
      defer(() => {
        loadPixel(vendorId === undefined || tcf === undefined ? url : withConsent(url, tcf));
        return of(reaction(activation, 'impression'));
      }).pipe(isolate(pixelFailure, report));

    return options$.pipe(
      take(1),
      switchMap(() => {
        const pixels = deps.activations.flatMap((activation) => pixelOf(activation, report));
        if (pixels.length === 0) return EMPTY;
        const changed$ = combineLatest([
          cohorts$.pipe(filter(({ isRealtime }) => isRealtime)),
          tcf$.pipe(startWith(undefined)),
        ]).pipe(
          mergeMap(([{ members }, tcf]) => {
            const now = context();
            const last = lastState(recall(stateName));
            const considered = pixels.filter(
              ({ activation, vendorId }) =>
                activation.tt !== 'EveryTime' &&
                appliesIn(activation, now) &&
                (vendorId === undefined || tcf?.vendorConsent(vendorId) === true),
            );
            const { due, next } = compared(considered, members, last);
            // Before the pixels: another tab must not ask for them too.
            if (!dequal(next, last)) remember(stateName, next);
            return merge(...due.map((pixel) => fire(pixel, tcf)));
          }),
        );
        const everyTime$ = dueActivations({ cohorts$, transition$: EMPTY, view$ }, deps).pipe(
          mergeMap((activation) => pixels.filter((pixel) => pixel.activation === activation)),
          mergeMap((pixel) => {
            const { vendorId } = pixel;
            const allowed$: Observable<Tcf | undefined> =
              vendorId === undefined
                ? of(undefined)
                : tcf$.pipe(
                    filter((tcf) => tcf.vendorConsent(vendorId)),
                    take(1),
                  );
            return allowed$.pipe(mergeMap((tcf) => fire(pixel, tcf)));
          }),
        );
        return merge(changed$, everyTime$);
      }),
    );
  },
};

const pixelFailure = 'Failed to create tracking pixel';

const pixelOf = (activation: Activation, report: Report): readonly Pixel[] => {
  const given = activation.c?.['tcf_vendor_id'] ?? '';
  const vendorId = given === '' ? undefined : Number(given);
  const url = publicUrl(textOf(activation, 'pixel_url') ?? '');
  if (url === undefined)
    report(pixelFailure, new Error(`${activation.id}: pixel_url: expected an https address of a public host`));
  else if (Number.isNaN(vendorId))
    report('Invalid tcf vendor ID', new Error(`${activation.id}: tcf_vendor_id: expected a number`));
  else return [{ activation, url: url.href, host: url.host, vendorId }];
  return [];
};

/**
 * Nothing that a stranger's phone should not be made to ask: other protocols, credentials, hosts of its own network.
 */
const publicUrl = (text: string): URL | undefined => {
  try {
    const url = new URL(text);
    const isPublic =
      url.hostname.includes('.') && !/^[\d.]+$|^\[|\.(localhost|local|internal)\.?$|^localhost\.$/.test(url.hostname);
    return url.protocol === 'https:' && url.username === '' && url.password === '' && isPublic ? url : undefined;
  } catch {
    return undefined;
  }
};

const withConsent = (address: string, { gdprApplies, tcString }: Tcf): string => {
  const url = new URL(address);
  url.searchParams.set('gdpr', gdprApplies ? '1' : '0');
  url.searchParams.set('gdpr_consent', tcString);
  return url.href;
};

/** What is stored and makes no sense counts as a first run. */
const lastState = (stored: unknown): LastState =>
  typeof stored === 'object' && stored !== null
    ? Object.fromEntries(
        Object.entries(stored).map(([host, list]) => [host, Array.isArray(list) ? list.map(String) : []]),
      )
    : {};

/**
 * The pixels that a difference makes due, and the state after them. Cohorts that are not considered now stay as they
 * were.
 */
const compared = (
  pixels: readonly Pixel[],
  members: readonly string[],
  last: LastState,
): { readonly due: readonly Pixel[]; readonly next: LastState } => {
  const state = new Map(Object.entries(last).map(([host, list]) => [host, new Set(list)]));
  const due: Pixel[] = [];
  for (const pixel of pixels) {
    const [id, was] = [String(pixel.activation.sc), last[pixel.host]?.includes(String(pixel.activation.sc)) === true];
    const is = members.includes(id);
    if (is !== was && pixel.activation.tt === (is ? 'OnEntry' : 'OnExit')) due.push(pixel);
    const now = state.get(pixel.host) ?? new Set();
    if (is) now.add(id);
    else now.delete(id);
    state.set(pixel.host, now);
  }
  return { due, next: Object.fromEntries([...state].map(([host, ids]) => [host, [...ids]])) };
};
