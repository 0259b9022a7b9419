import { defer, EMPTY, exhaustMap, from, map, mergeMap, type Observable } from 'rxjs';

import { type Activation, reaction, textOf } from '../../model/activation';
import type { Layer, OverlayAct, OverlayContent, OverlayView } from '../../model/overlay';
import { dueActivations } from '../../operators/creators/dueActivations';
import { isolate } from '../../operators/isolate';
import type { Addon, AddonDeps } from '../addon';

/** Overlays are stacked from here, later ones above (spec S§2). */
const firstZIndex = 1_000_000;
const longestFadeMs = 10_000;

type ShowOverlay = (view: OverlayView, openLayer: () => Layer) => Observable<OverlayAct>;

/** React, and all that is visible: loaded when the first overlay is about to show. */
const loadChunk = (): Observable<ShowOverlay> =>
  defer(() => from(import(/* webpackChunkName: "overlay" */ '../../overlay/showOverlay'))).pipe(
    map(({ showOverlay }) => showOverlay),
  );

/**
 * Modals over the page for members of a cohort; each tracks that it was seen, and that its links or forms were used
 * (spec S§2).
 */
export const overlaysWith = (load: () => Observable<ShowOverlay>): Addon<unknown> => ({
  name: 'overlays',
  autoInit: true,
  options: (input) => input,
  run: (streams, options$, deps) =>
    options$.pipe(
      // exhaustMap: started again, it goes on as it is.
      exhaustMap(() =>
        dueActivations(streams, deps).pipe(
          // mergeMap: one may open above another.
          mergeMap((activation, i) => {
            const view = viewOf(activation, deps);
            if (view === undefined) return EMPTY;
            return load().pipe(
              mergeMap((show) => show(view, () => deps.openLayer(firstZIndex + i))),
              map((act) => reaction(activation, act)),
              isolate('Failed to show overlay', deps.report),
            );
          }),
        ),
      ),
    ),
});

export const overlays = overlaysWith(loadChunk);

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

/** Html wins over the image, which needs its link; both lead to the web and nowhere else (spec S§2). */
const overlayContent = (activation: Activation, { context }: AddonDeps): OverlayContent | undefined => {
  const html = textOf(activation, 'html');
  if (html !== undefined) return { html };
  const base = String(context()['url']);
  const imageUrl = addressOf(textOf(activation, 'image_url'), base, /^(https?:|data:image\/)/);
  const imageLink = addressOf(textOf(activation, 'image_link'), base, /^https?:/);
  return imageUrl !== undefined && imageLink !== undefined ? { imageUrl, imageLink } : undefined;
};

const addressOf = (text: string | undefined, base: string, allowed: RegExp): string | undefined => {
  try {
    const { href } = new URL(text ?? '', text === undefined ? undefined : base);
    return allowed.test(href) ? href : undefined;
  } catch {
    return undefined;
  }
};

/** A number, which may come as text, held between its bounds. */
const within = (input: unknown, lowest: number, highest: number, otherwise: number): number => {
  const given = typeof input === 'string' && input.trim() !== '' ? Number(input) : input;
  return typeof given === 'number' && Number.isFinite(given) ? Math.min(highest, Math.max(lowest, given)) : otherwise;
};
