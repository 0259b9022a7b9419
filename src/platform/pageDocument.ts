import { unclobbered } from '../hardening/unclobbered';

/**
 * The page's document, past elements that hide its members. `webpack.config.js` puts it in the place of the global
 * `document` in the libraries of lazy chunks, which read that one's members themselves (decision 102).
 */
export const pageDocument: Document = new Proxy<Document>(unclobbered(globalThis.document), {
  // React asks for handlers by `in`, and tries an attribute of script where it finds none.
  has: (_, key) => key in Document.prototype,
});
