import { guarded } from './guarded';
import { linkOfMain } from './linkOfMain';
import { storedVisitor } from './storedVisitor';

/**
 * Has the browser load the main part while the page script is on its way, where there is consent. The page script asks
 * for the same file, so a visitor who has consented waits for one way to the host less. The link in the head names the
 * file, and becomes a preload here. Without consent, the link stays what it is, and nothing is asked for.
 */
export const preloadMain: () => void = guarded(() => {
  if (storedVisitor().userId === false) return;
  for (const link of document.querySelectorAll<HTMLLinkElement>(`link[rel=${linkOfMain}]`)) {
    // A policy that wants a nonce of scripts wants it of their preloads too.
    link.nonce = document.currentScript?.nonce ?? '';
    link.as = 'script';
    // What the page shows comes first.
    link.fetchPriority = 'low';
    link.rel = 'preload';
  }
});
