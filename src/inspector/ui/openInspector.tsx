import { createRoot } from 'react-dom/client';
import { ignoreElements, Observable, switchMap, take } from 'rxjs';

import type { World } from '../../visit/world';
import { openFrame } from './frame';
import { InspectorWindow } from './Inspector';
import type { InspectorProps } from './panelProps';

/** Above everything that pages and overlays show. */
export const layerIndex = 2_147_483_647;

/** What the inspector reads and does, and the page's door to a layer of its own. */
export interface OpenInspectorDeps extends Omit<InspectorProps, 'onClose'> {
  readonly openLayer: World['openLayer'];
}

/**
 * Shows the inspector until somebody closes it; then it completes. Unsubscribing removes it, and so does an error of
 * its own, which is passed on.
 */
export const openInspector = ({ openLayer, ...props }: OpenInspectorDeps): Observable<never> =>
  openFrame(() => openLayer(layerIndex)).pipe(
    switchMap((document) => drawn(document, props)),
    take(1),
    ignoreElements(),
  );

/** Draws the inspector into a document. Emits when a person closes the inspector. */
const drawn = (document: Document, props: Omit<InspectorProps, 'onClose'>): Observable<void> =>
  new Observable((closed) => {
    const place = document.createElement('div');
    place.id = 'inspector';
    document.body.replaceChildren(place);
    // Without these handlers, React would pass errors to the page's `onerror` and console.
    const fail = (cause: unknown): void => closed.error(cause);
    const root = createRoot(place, { onUncaughtError: fail, onCaughtError: fail });
    root.render(<InspectorWindow {...props} onClose={() => closed.next()} />);
    return () => root.unmount();
  });
