/**
 * Hides the global `window` from a module. DOMPurify then makes no sanitiser of the page's document when it is loaded,
 * which fails where an element hides a member of the document. The source makes one of a document of its own.
 */
export default function withoutWindow(source) {
  return `const window = undefined;\n${source}`;
}
