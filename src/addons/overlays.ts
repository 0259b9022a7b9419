import * as t from 'io-ts';
import { defer, from, isObservable, map, mergeMap, type Observable } from 'rxjs';
import type { Layer, OverlayAct, OverlayContent, OverlayView } from '../model/overlay';

/** Overlays are stacked from here, later ones above (spec S§2). */
const firstZIndex = 1_000_000;

type ShowOverlay = (view: OverlayView, openLayer: () => Layer) => Observable<OverlayAct>;

/** React and all that is visible: loaded when the first overlay is about to show. */
const load = (): Observable<ShowOverlay> => defer(() => from(import(/* webpackChunkName: "overlay" */ '../overlay/showOverlay'))).pipe(map(({ showOverlay }) => showOverlay));

/** Numbers may come as text. */
const within = (input: unknown, lowest: number, highest: number, otherwise: number): number => {
  const given = typeof input === 'number' || (typeof input === 'string' && input.trim() !== '') ? Number(input) : NaN;
  return Number.isFinite(given) ? Math.min(highest, Math.max(lowest, given)) : otherwise;
};

export const tmp = (zIndex: (n: number) => Layer, view: OverlayView) => load().pipe(mergeMap((show) => show(view, () => zIndex(firstZIndex))));
export { t, isObservable, within, type OverlayContent };
