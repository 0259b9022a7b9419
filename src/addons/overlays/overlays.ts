import { defer, EMPTY, exhaustMap, from, map, mergeMap, type Observable } from 'rxjs';

import { type Activation, activationText, reaction } from '../../model/activation';
import type { Layer, OverlayAct, OverlayContent, OverlayView } from '../../model/overlay';
import { isolate } from '../../operators/isolate';
import { consentedActivations, type VendorOptions, vendorOptions } from '../activations/consentedActivations';
import type { Addon, AddonDeps } from '../addon';

/**
 * Stacking order of the first overlay (spec S§2). Each further one is a step higher, so that it opens above the earlier
 * ones.
 */
const firstZIndex = 1_000_000;
/** Longest fade that an activation may configure; a longer one is shortened to it. */
const longestFadeMs = 10_000;

type ShowOverlay = (
  view: OverlayView,
  deps: {
    readonly openLayer: () => Layer;
    readonly yieldThread: AddonDeps['yieldThread'];
    readonly onRemoved: (names: readonly string[]) => void;
  },
) => Observable<OverlayAct>;

/**
 * Loads React and everything that draws. The function is called when the first overlay is about to show, because pages
 * without an overlay need none of it.
 */
const loadOverlay = (): Observable<ShowOverlay> =>
  defer(() => from(import(/* webpackChunkName: "overlay" */ '../../overlay/showOverlay'))).pipe(
    map(({ showOverlay }) => showOverlay),
  );

/**
 * Shows modals over the page to members of a cohort. Tracks an impression when a modal opens, and a conversion when a
 * link or a form in it is used (spec S§2). An overlay with a vendor id waits for the vendor's consent. `load` gets the
 * code that draws; tests pass their own. An overlay that fails is reported, and the others go on.
 */
export const overlaysWith = (load: () => Observable<ShowOverlay>): Addon<VendorOptions> => ({
  name: 'overlays',
  autoInit: true,
  options: vendorOptions,
  run: (streams, options$, deps) =>
    options$.pipe(
      // exhaustMap: a second start is ignored, because the first one still runs.
      exhaustMap((options) => {
        const onRemoved = removalReports(deps);
        return consentedActivations(streams, options, deps).pipe(
          // mergeMap: several overlays may be open at the same time.
          mergeMap((activation, i) => {
            const view = viewOf(activation, deps);
            if (view === undefined) return EMPTY;
            return load().pipe(
              mergeMap((show) =>
                show(view, {
                  ...deps,
                  openLayer: () => deps.openLayer(firstZIndex + i),
                  onRemoved: (names) => onRemoved(activation, names),
                }),
              ),
              map((act) => reaction(activation, act)),
              isolate('Failed to show overlay', deps.report),
            );
          }),
        );
      }),
    ),
});

/** Reports once for each overlay what the sanitiser has removed from its html, because the publisher wrote it there. */
const removalReports = ({ report }: Pick<AddonDeps, 'report'>) => {
  const reported = new Set<Activation>();
  return (activation: Activation, names: readonly string[]): void => {
    if (reported.has(activation)) return;
    reported.add(activation);
    report('Parts of an overlay were removed', new Error(`overlays/${activation.short_id}: ${names.join(', ')}`));
  };
};

/** The addon `overlays` as projects use it, with the code that draws in a chunk of its own. */
export const overlays = overlaysWith(loadOverlay);

/**
 * What an activation shows and how it fades; undefined, after a report, where its config names no content.
 * `opacity_percentage` defaults to 50, `opacity_transition_ms` to 0.
 */
const viewOf = (activation: Activation, deps: AddonDeps): OverlayView | undefined => {
  const content = overlayContent(activation, deps);
  if (content === undefined) {
    deps.report(
      'Failed to show overlay',
      new Error(`overlays/${activation.short_id}: expected html, or image_url and image_link`),
    );
    return undefined;
  }
  const { c = {} } = activation;
  return {
    content,
    opacityPercentage: within(c['opacity_percentage'], 0, 100, 50),
    opacityTransitionMs: within(c['opacity_transition_ms'], 0, longestFadeMs, 0),
  };
};

/**
 * Html wins over the image. The image needs `image_url` and `image_link`, both absolute or relative to the page: the
 * link must lead to the web, and the image may also carry its own bytes as a data: url (spec S§2).
 */
const overlayContent = (activation: Activation, { context }: AddonDeps): OverlayContent | undefined => {
  const html = activationText(activation, 'html');
  if (html !== undefined) return { html };
  const base = String(context()['url']);
  const imageUrl = addressOf(activationText(activation, 'image_url'), base, /^(https?:|data:image\/)/);
  const imageLink = addressOf(activationText(activation, 'image_link'), base, /^https?:/);
  return imageUrl !== undefined && imageLink !== undefined ? { imageUrl, imageLink } : undefined;
};

/**
 * The address in full; undefined where it is missing, cannot be parsed, or has a scheme that `allowed` does not match.
 */
const addressOf = (text: string | undefined, base: string, allowed: RegExp): string | undefined => {
  try {
    const { href } = new URL(text ?? '', text === undefined ? undefined : base);
    return allowed.test(href) ? href : undefined;
  } catch {
    return undefined;
  }
};

/** A number within its bounds; text that holds a number counts too. `otherwise` is used for everything else. */
const within = (input: unknown, lowest: number, highest: number, otherwise: number): number => {
  const given = typeof input === 'string' && input.trim() !== '' ? Number(input) : input;
  return typeof given === 'number' && Number.isFinite(given) ? Math.min(highest, Math.max(lowest, given)) : otherwise;
};
