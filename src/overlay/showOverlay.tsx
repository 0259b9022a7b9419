import { createRoot } from 'react-dom/client';
import { defer, delayWhen, from, map, mergeMap, Observable, of } from 'rxjs';

import { addStyles } from '../hardening/addStyles';
import { ownFields } from '../hardening/ownFields';
import { unclobbered } from '../hardening/unclobbered';
import type { Layer, OverlayAct, OverlayContent, OverlayView } from '../model/overlay';
import { Overlay, type SafeContent } from './Overlay';
import { overlayStyle } from './overlayStyle';
import { reactPlace } from './reactPlace';

/** What an overlay is shown with. */
export interface OverlayDeps {
  /** Opens the layer that the overlay is drawn into. Called once the content is ready. */
  readonly openLayer: () => Layer;
  /** Lets other work of the page's thread go first. */
  readonly yieldThread: () => Observable<unknown>;
  /** Called with the names of what was removed from the html, where something was. */
  readonly onRemoved: (names: readonly string[]) => void;
}

/**
 * Shows an overlay in a layer of its own and emits what the visitor does with it. Completes when the overlay has been
 * closed and has faded; unsubscribing removes the overlay at once. Errors where it cannot be shown. What takes long on
 * a slow phone runs in tasks of its own: loading this code, making the content safe, and drawing.
 */
export const showOverlay = (view: OverlayView, deps: OverlayDeps): Observable<OverlayAct> =>
  deps.yieldThread().pipe(
    mergeMap(() => safeContent(view.content, deps)),
    mergeMap((content) => mounted(content, view, deps.openLayer)),
  );

/** Renders the overlay into a new layer. Unsubscribing unmounts it and removes the layer. */
const mounted = (
  content: SafeContent,
  { opacityPercentage, opacityTransitionMs }: OverlayView,
  openLayer: () => Layer,
): Observable<OverlayAct> =>
  new Observable((act) => {
    const { root: shadow, remove } = openLayer();
    addStyles(shadow, overlayStyle);
    const place = reactPlace(unclobbered(shadow.ownerDocument));
    shadow.append(place);
    // Without these handlers, React would pass errors to the page's `onerror` and console.
    const fail = (cause: unknown): void => act.error(cause);
    const root = createRoot(place, { onUncaughtError: fail, onCaughtError: fail });
    root.render(
      <Overlay
        content={content}
        opacity={opacityPercentage / 100}
        fadeMs={opacityTransitionMs}
        onAct={(done) => act.next(done)}
        onGone={() => act.complete()}
      />,
    );
    return () => {
      root.unmount();
      remove();
    };
  });

/** The content without anything that could act. The sanitiser is loaded only for html, because it is large. */
const safeContent = (given: OverlayContent, { yieldThread, onRemoved }: OverlayDeps): Observable<SafeContent> => {
  const content = ownFields(given);
  return 'html' in content
    ? defer(() => from(import(/* webpackChunkName: "html" */ './sanitizedHtml'))).pipe(
        delayWhen(yieldThread),
        map(({ sanitizedHtml }) => {
          const { fragment, removed } = sanitizedHtml(content.html);
          if (removed.length > 0) onRemoved(removed);
          return { fragment };
        }),
      )
    : of(content);
};
