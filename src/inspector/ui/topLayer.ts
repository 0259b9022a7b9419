import { filter, interval, type Observable } from 'rxjs';

import { unclobbered } from '../../hardening/unclobbered';

/** How often dialogs are looked for, in ms. No event tells of dialogs in shadow trees, where overlays are. */
const lookEveryMs = 500;

/**
 * Moves the host of a layer above everything on the page, while it is empty. A page with an open modal dialog takes
 * clicks and keys in that dialog alone, so the host becomes a part of it. Browsers without popovers show the host where
 * it stands. Emits while the host ought to stand elsewhere, because a dialog has opened or closed.
 */
export const toTopLayer = (host: HTMLElement): Observable<unknown> => {
  const document = unclobbered(host.ownerDocument);
  const wanted = (): Element => innermostModal(document) ?? document.documentElement;
  const place = wanted();
  place.append(host);
  if ('showPopover' in host) {
    host.popover = 'manual';
    host.showPopover();
  }
  return interval(lookEveryMs).pipe(filter(() => wanted() !== place));
};

/** The modal dialog that has opened last, as far as one can see: of the page, or of an overlay in a layer. */
const innermostModal = (document: Document): Element | undefined => {
  const layers = [...document.documentElement.children].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  try {
    return [document, ...layers].flatMap((root) => [...root.querySelectorAll('dialog:modal')]).at(-1);
  } catch {
    // Browsers that do not know the selector have no popovers either.
    return undefined;
  }
};
