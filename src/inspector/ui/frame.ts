import { Observable } from 'rxjs';

import { addStyles } from '../../hardening/addStyles';
import { unclobbered } from '../../hardening/unclobbered';
import type { Layer } from '../../model/overlay';
import { inspectorStyle } from './inspectorStyle';

/**
 * Opens an empty document in a frame of the layer, at the lower edge of the window, and emits it. `size` replaces the
 * size of the inspector, with properties of CSS. What happens in a
 * frame is heard by no listener of the page: clicks in the inspector are no activity of the visitor, and no interaction
 * that is measured. Unsubscribing removes frame and layer.
 */
export const openFrame = (openLayer: () => Layer, size: Readonly<Record<string, string>> = {}): Observable<Document> =>
  new Observable((subscriber) => {
    const { root, remove } = openLayer();
    const frame = unclobbered(root.ownerDocument).createElement('iframe');
    frame.title = 'Inspector of the audience SDK';
    for (const [property, value] of Object.entries({ ...frameStyle, ...size }))
      frame.style.setProperty(property, value, 'important');
    const show = (): void => {
      const document = frame.contentDocument;
      if (document === null || subscriber.closed) return;
      document.documentElement.lang = 'en';
      addStyles(document, inspectorStyle);
      subscriber.next(document);
    };
    root.append(frame);
    // Some browsers replace the first document of a frame when it has loaded.
    if (frame.contentDocument?.readyState === 'complete') show();
    else frame.addEventListener('load', show, { once: true });
    return remove;
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
