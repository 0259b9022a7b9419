import DOMPurify from 'dompurify';

/** Relative addresses, http and https; images may carry their own bytes. */
const safeAddress = /^(?:https?:|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i;

interface TrustedTypePolicies {
  readonly createPolicy: (name: string, rules: object) => object;
}
// eslint-disable-next-line no-restricted-globals -- a chunk of its own, whose parser is a global too
const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypePolicies };

/** For the sanitiser alone, which parses the text in a document of no consequence. */
const overlayPolicy = trustedTypes?.createPolicy('permutive-overlay', {
  createHTML: (html: string) => html,
  createScriptURL: () => '',
});

/** The publisher's html without anything that could act: no script, handler, frame, or link that is not http(s). */
export const sanitizedHtml = (html: string): DocumentFragment =>
  DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    ALLOWED_URI_REGEXP: safeAddress,
    ADD_ATTR: ['target'],
    // Style rules at the start of the text are kept: they end at the overlay's shadow root.
    FORCE_BODY: true,
    ...(overlayPolicy !== undefined && { TRUSTED_TYPES_POLICY: overlayPolicy as never }),
  });
