import { createRoot } from 'react-dom/client';
import type { Observable } from 'rxjs';

import type { World } from '../../visit/world';
import { inFrame } from './frame';
import { InspectorWindow } from './Inspector';
import type { InspectorProps } from './panelProps';

/**
 * Shows the inspector in a layer of its own until somebody closes it; then it completes. Unsubscribing removes it, and
 * so does an error of its own, which is passed on.
 */
export const openInspector = (
  openLayer: World['openLayer'],
  props: Omit<InspectorProps, 'onClose'>,
): Observable<never> =>
  inFrame(openLayer, (document, closed) => {
    const place = document.createElement('div');
    place.id = 'inspector';
    document.body.replaceChildren(place);
    // Without these handlers, React would pass errors to the page's `onerror` and console.
    const fail = (cause: unknown): void => closed.error(cause);
    const root = createRoot(place, { onUncaughtError: fail, onCaughtError: fail });
    root.render(<InspectorWindow {...props} onClose={() => closed.complete()} />);
    return () => root.unmount();
  });

const badgeSize = { inset: 'auto auto 0 0', width: 'min(28rem, 100%)', height: '40px' };

/**
 * Shows in a corner of the window what the tab pretends, while the inspector is closed. Completes when a person presses
 * the badge. The end of the subscription removes the badge.
 */
export const openBadge = (openLayer: World['openLayer'], text: string): Observable<never> =>
  inFrame(
    openLayer,
    (document, pressed) => {
      const button = document.createElement('button');
      button.className = 'badge';
      button.textContent = text;
      button.title = `${text}. Opens the inspector.`;
      button.addEventListener('click', () => pressed.complete());
      document.body.replaceChildren(button);
      return undefined;
    },
    badgeSize,
  );
