import type { BundleFile } from './bundleFiles';
import type { OwnScript } from './ownScript';

/**
 * A script element for a file of the bundle, which is not in the page yet. `addressOf`: makes the address one that the
 * page's policy takes.
 */
export const scriptElement = (
  document: Pick<Document, 'createElement'>,
  { nonce }: Pick<OwnScript, 'nonce'>,
  { url, integrity }: BundleFile,
  addressOf: (url: string) => string = (given) => given,
): HTMLScriptElement => {
  const script = document.createElement('script');
  script.nonce = nonce;
  // The CDN learns the site and not the page, because the page's address may hold secrets.
  script.referrerPolicy = 'origin';
  if (integrity !== '') {
    script.crossOrigin = 'anonymous';
    script.integrity = integrity;
  }
  script.src = addressOf(url);
  return script;
};
