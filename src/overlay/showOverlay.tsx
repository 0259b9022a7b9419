import { createRoot } from 'react-dom/client';
import { defer, from, map, mergeMap, Observable, of } from 'rxjs';

import type { Layer, OverlayAct, OverlayContent, OverlayView } from '../model/overlay';
import { Overlay, type SafeContent } from './Overlay';
import { overlayStyle } from './overlayStyle';

/**
 * Shows an overlay in a layer of its own and tells what the visitor does with it. Completes when it has been closed and
 * has faded; unsubscribing takes it away at once. Errors where it cannot be shown.
 */
export const showOverlay = (view: OverlayView, openLayer: () => Layer): Observable<OverlayAct> =>
  safeContent(view.content).pipe(mergeMap((content) => mounted(content, view, openLayer)));

const mounted = (
  content: SafeContent,
  { opacityPercentage, opacityTransitionMs }: OverlayView,
  openLayer: () => Layer,
): Observable<OverlayAct> =>
  new Observable((act) => {
    const { root: shadow, remove } = openLayer();
    addStyle(shadow);
    const place = shadow.ownerDocument.createElement('div');
    shadow.append(place);
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

/** The sanitiser is loaded only for html. */
const safeContent = (content: OverlayContent): Observable<SafeContent> =>
  'html' in content
    ? defer(() => from(import(/* webpackChunkName: "html" */ './sanitizedHtml'))).pipe(
        map(({ sanitizedHtml }) => ({ fragment: sanitizedHtml(content.html) })),
      )
    : of(content);

/** Constructed sheets pass a strict style policy; browsers that lack them get an element. */
const addStyle = (shadow: ShadowRoot): void => {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(overlayStyle);
    shadow.adoptedStyleSheets = [sheet];
  } catch {
    const style = shadow.ownerDocument.createElement('style');
    style.textContent = overlayStyle;
    shadow.append(style);
  }
};
