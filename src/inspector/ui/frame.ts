import { Observable, type Subscriber } from 'rxjs';

import { addStyles } from '../../hardening/addStyles';
import { unclobbered } from '../../hardening/unclobbered';
import type { World } from '../../visit/world';
import { inspectorStyle } from './inspectorStyle';

/** Above everything that pages and overlays show. */
const layerIndex = 2_147_483_647;

/**
 * Draws into an empty document in a frame of a layer, at the lower edge of the window. `draw` completes the stream when
 * a person closes the frame, and may answer what is to be done at the end. `size` replaces the size of the inspector,
 * with properties of CSS. What happens in a frame is heard by no listener of the page: clicks in the inspector are no
 * activity of the visitor, and no interaction that is measured. Unsubscribing removes frame and layer.
 */
export const inFrame = (
  openLayer: World['openLayer'],
  draw: (document: Document, closed: Subscriber<never>) => (() => void) | undefined,
  size: Readonly<Record<string, string>> = {},
): Observable<never> =>
  new Observable((closed) => {
    const { root, remove } = openLayer(layerIndex);
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
    return () => {
      end?.();
      remove();
    };
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
