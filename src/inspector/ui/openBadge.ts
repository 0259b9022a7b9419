import { ignoreElements, Observable, switchMap, take } from 'rxjs';

import { openFrame } from './frame';
import { layerIndex, type OpenInspectorDeps } from './openInspector';

const size = { inset: 'auto auto 0 0', width: 'min(28rem, 100%)', height: '40px' };

/**
 * Shows in a corner of the window what the tab pretends, while the inspector is closed. Completes when a person presses
 * the badge. The end of the subscription removes the badge.
 */
export const openBadge = (text: string, openLayer: OpenInspectorDeps['openLayer']): Observable<never> =>
  openFrame(() => openLayer(layerIndex), size).pipe(
    switchMap((document) => presses(document, text)),
    take(1),
    ignoreElements(),
  );

const presses = (document: Document, text: string): Observable<void> =>
  new Observable((pressed) => {
    const button = document.createElement('button');
    button.className = 'badge';
    button.textContent = text;
    button.title = `${text}. Opens the inspector.`;
    button.addEventListener('click', () => pressed.next());
    document.body.replaceChildren(button);
  });
