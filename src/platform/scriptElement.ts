import type { BundleFile } from './bundleFiles';
import type { OwnScript } from './ownScript';

/**
 * A script element for a file of the bundle, which is not in the page yet. `addressOf`: makes the address one that the
 * page's policy takes.
 */
export const scriptElement = (
  document: Pick<Document, 'createElement'>,
  own: Pick<OwnScript, 'nonce'>,
  file: BundleFile,
  addressOf: (url: string) => string = (given) => given,
): HTMLScriptElement => {
  const script = checked(document.createElement('script'), own, file);
  script.src = addressOf(file.url);
  return script;
};

/** Has the browser load and check a file as all files of the bundle. A request that differs loads the file again. */
export const checked = <Loader extends HTMLScriptElement | HTMLLinkElement>(
  element: Loader,
  { nonce }: Pick<OwnScript, 'nonce'>,
  { integrity }: BundleFile,
): Loader => {
  // A policy that wants a nonce of scripts wants it of their preloads too.
  element.nonce = nonce;
  // The CDN learns the site and not the page, because the page's address may hold secrets.
  element.referrerPolicy = 'origin';
  if (integrity !== '') {
    element.crossOrigin = 'anonymous';
    element.integrity = integrity;
  }
  return element;
};
