import { type Observable, of, take } from 'rxjs';

import type { Unclobbered } from '../hardening/unclobbered';
import { fromTarget } from './fromTarget';

/**
 * Emits once: at once, or, where the browser has prerendered the page, when the visitor opens it. Most pages that are
 * prerendered are never opened. In browsers that prerender nothing, a field that a page has given to all objects does
 * not count.
 */
export const whenShown = (
  document: Unclobbered<Document & { readonly prerendering?: unknown }>,
): Observable<unknown> =>
  document.prerendering === true && !('prerendering' in Object.prototype)
    ? fromTarget(document, 'prerenderingchange').pipe(take(1))
    : of(undefined);
