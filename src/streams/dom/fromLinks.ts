import { merge, mergeMap, type Observable, share } from 'rxjs';

import type { LinkClick } from '../../model/pageSignal';
import type { Listen } from '../../platform/platform';
import { webAddress } from '../../primitives/webAddress';
import { redactedUrl } from '../../privacy/redactedUrl';

/**
 * Emits each click on a link, with any button (spec S§3, S§5). `redacted`: the query parameters whose values are not
 * told (the setting `redactedParameters`). Hot while anyone listens.
 */
export const fromLinks = (listen: Listen, redacted: () => readonly string[]): Observable<LinkClick> =>
  merge(listen('document', 'click'), listen('document', 'auxclick')).pipe(
    mergeMap((event) => linkClicks(event as MouseEvent, redacted)),
    share(),
  );

/** The click on a link, in a list; an empty list for any other click. */
const linkClicks = (event: MouseEvent, redacted: () => readonly string[]): readonly LinkClick[] => {
  // The event's path is searched, because a link may be in a shadow tree and may contain other elements.
  const link = (event.composedPath() as HTMLAnchorElement[]).find(
    ({ localName }) => localName === 'a' || localName === 'area',
  );
  if (!link) return [];
  // The address of an SVG link is an object, and older drawings name its attribute so.
  const { href } = link as { readonly href: string | { readonly baseVal: string } };
  if (!link.hasAttribute('href') && (typeof href === 'string' || !link.hasAttribute('xlink:href'))) return [];
  // These clicks open another tab or a menu, or download the target, so this page stays.
  const opensAnother =
    link.getAttribute('target')?.toLowerCase() === '_blank' ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey ||
    event.altKey ||
    event.button !== 0;
  const url = webAddress(typeof href === 'string' ? href : href.baseVal, link.baseURI);
  return [{ dest_url: url === undefined ? 'NOT_URL' : redactedUrl(url, redacted()), leaves: !opensAnother }];
};
