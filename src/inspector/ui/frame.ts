import { concat, defer, EMPTY, finalize, map, merge, mergeMap, Observable, of, type Subscriber, take } from 'rxjs';

import { addStyles } from '../../hardening/addStyles';
import { unclobbered } from '../../hardening/unclobbered';
import type { World } from '../../visit/world';
import { inspectorStyle } from './inspectorStyle';
import { toTopLayer } from './topLayer';

/** Above everything that pages and overlays show. */
const layerIndex = 2_147_483_647;

/**
 * Draws into an empty document in a frame of a layer, at the lower edge of the window. `draw` completes the stream when
 * a person closes the frame, and may answer what is to be done at the end. `size` replaces the size of the inspector,
 * with properties of CSS. What happens in a frame is heard by no listener of the page: clicks in the inspector are no
 * activity of the visitor, and no interaction that is measured. Unsubscribing removes frame and layer. Where a dialog
 * opens or closes, the frame is drawn anew in a place where it can be used.
 */
export const inFrame = (
  openLayer: World['openLayer'],
  draw: Draw,
  size: Readonly<Record<string, string>> = {},
): Observable<never> =>
  defer(() => {
    const { root, remove } = openLayer(layerIndex);
    const moved$ = toTopLayer(root.host as HTMLElement).pipe(map(() => 'moved' as const));
    return merge(concat(frameIn(root, draw, size), of('closed' as const)), moved$).pipe(finalize(remove));
  }).pipe(
    take(1),
    mergeMap((end) => (end === 'moved' ? inFrame(openLayer, draw, size) : EMPTY)),
  );

type Draw = (document: Document, closed: Subscriber<never>) => (() => void) | undefined;

const frameIn = (root: ShadowRoot, draw: Draw, size: Readonly<Record<string, string>>): Observable<never> =>
  new Observable((closed) => {
    const frame = unclobbered(root.ownerDocument).createElement('iframe');
    frame.title = 'Inspector of the audience SDK';
    for (const [property, value] of Object.entries({ ...frameStyle, ...size }))
      frame.style.setProperty(property, value, 'important');
    let end: (() => void) | undefined;
    const show = (): void => {
      const document = frame.contentDocument;
      if (document === null || closed.closed) return;
      document.documentElement.lang = 'en';
      addStyles(document, inspectorStyle);
      end = draw(document, closed);
    };
    root.append(frame);
    // Some browsers replace the first document of a frame when it has loaded.
    if (frame.contentDocument?.readyState === 'complete') show();
    else frame.addEventListener('load', show, { once: true });
    return () => end?.();
  });

const frameStyle = {
  position: 'fixed',
  inset: 'auto 0 0 0',
  width: '100%',
  height: 'min(30rem, 75vh)',
  border: '0',
  'border-top': '1px solid #8888',
  'box-shadow': '0 -8px 32px rgb(0 0 0 / 25%)',
  'color-scheme': 'light dark',
};
