/** Members that nothing hides, by the file and the type that they are read from, with the reason. */
export const unhidden = {
  'platform/ownScript.ts HTMLScriptElement': ['src nonce integrity', 'It is checked to be a script.'],
  'platform/chunks.ts HTMLScriptElement': [
    'nonce crossOrigin integrity onload onerror referrerPolicy src remove',
    'The SDK has made it.',
  ],
  'platform/chunks.ts HTMLHeadElement': ['append', 'A document’s head is no form.'],
  'platform/layer.ts HTMLDivElement': ['style attachShadow remove', 'The SDK has made it.'],
  'platform/layer.ts HTMLElement': ['append', 'A document’s body is no form.'],
  'platform/scriptRunner.ts HTMLScriptElement': ['nonce text remove ran thrown', 'A script is no form.'],
  'platform/scriptRunner.ts HTMLElement': ['append', 'The root of a document is no form.'],
  'platform/browser.ts HTMLElement': ['scrollHeight', 'The root of a document is no form.'],
  'platform/browser.ts HTMLIFrameElement': ['contentWindow', 'It was found by the name of frames.'],
  'streams/dom/formContent.ts HTMLInputElement': ['type id name value checked', 'A field of a form is no form.'],
  'streams/dom/formContent.ts Element': [
    'localName hasAttribute getAttribute matches',
    'A field of a form is no form.',
  ],
  'streams/dom/fromLinks.ts HTMLAnchorElement': [
    'localName hasAttribute getAttribute baseURI href',
    'Where a name is hidden, an element stands, which is the name of no link; a link is no form.',
  ],
  'overlay/Overlay.tsx HTMLImageElement': ['complete', 'It was found by the name of images.'],
  'overlay/Overlay.tsx HTMLDivElement': ['replaceChildren', 'The SDK has made it.'],
  'overlay/Overlay.tsx HTMLElement': [
    'querySelectorAll ownerDocument focus getRootNode',
    'The SDK has made it, or it was found by what takes the focus, which no form does by itself.',
  ],
  'overlay/Overlay.tsx Element': ['closest', 'Content of an overlay keeps no names.'],
  'overlay/Overlay.tsx ShadowRoot': ['activeElement', 'Shadow roots show no named elements.'],
  'companion/storedVisitor.ts Document': [
    'cookie',
    'An element in its place has no cookies; local storage has the answer of this host.',
  ],
  'overlay/showOverlay.tsx ShadowRoot': ['ownerDocument append', 'Shadow roots show no named elements.'],
  'hardening/addStyles.ts ShadowRoot': [
    'ownerDocument append adoptedStyleSheets',
    'Shadow roots show no named elements.',
  ],
  'hardening/addStyles.ts Document': ['ownerDocument adoptedStyleSheets', 'The SDK has made it.'],
  'hardening/addStyles.ts HTMLStyleElement': ['textContent', 'The SDK has made it.'],
  'hardening/addStyles.ts HTMLHeadElement': ['append', 'A document’s head is no form.'],
  'overlay/reactPlace.ts HTMLElement': ['addEventListener', 'The SDK has made it.'],
  'page/load.ts HTMLScriptElement': ['async integrity crossOrigin nonce referrerPolicy src', 'The loader has made it.'],
  'page/load.ts HTMLHeadElement': ['append', 'A document’s head is no form.'],
  'overlay/sanitizedHtml.ts Document': ['implementation', 'The SDK has made it, and it is empty.'],
  'overlay/sanitizedHtml.ts Node': ['textContent', 'It is checked to be a style.'],
};
