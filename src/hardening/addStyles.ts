import { unclobbered } from './unclobbered';

/**
 * Adds styles to a shadow root, or to a document of the SDK's own. A constructed sheet is allowed by a strict style
 * policy of the page; its window must be that of the document. Browsers without such sheets, Safari before 16.4 and
 * Firefox before 101, get a style element.
 */
export const addStyles = (root: ShadowRoot | Document, styles: string): void => {
  const document = unclobbered(root.ownerDocument ?? root);
  try {
    const sheet = new (document.defaultView as unknown as typeof globalThis).CSSStyleSheet();
    sheet.replaceSync(styles);
    root.adoptedStyleSheets = [sheet];
  } catch {
    const element = document.createElement('style');
    element.textContent = styles;
    ('host' in root ? root : document.head).append(element);
  }
};
