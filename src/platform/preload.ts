import type { Unclobbered } from '../hardening/unclobbered';
import { orNone } from '../primitives/orNone';
import type { BundleFile } from './bundleFiles';
import type { OwnScript } from './ownScript';
import { checked } from './scriptElement';

/**
 * Has the browser load a script of the bundle that is run later, after what the page shows. A prerendered page, which
 * nobody may ever open, loads none ahead. Where the page does not take the element, the script loads when it is run.
 */
export const preload = (
  document: Unclobbered<Document & { readonly prerendering?: boolean }>,
  own: Pick<OwnScript, 'nonce'>,
  file: BundleFile,
): void => {
  orNone(() => {
    if (document.prerendering) return;
    const link = checked(document.createElement('link'), own, file);
    link.rel = 'preload';
    link.as = 'script';
    link.fetchPriority = 'low';
    link.href = file.url;
    document.head.append(link);
  });
};
