/**
 * What in a style loads something. Custom properties and comments are searched too, because the text is searched as it
 * is written.
 */
const loading = /@import|@font-face|(?:url|src|image|image-set|cross-fade)\(/i;
/** An address inside the text that loads nothing from another host: data of an image, or a part of the document. */
const localAddress = /url\(\s*(?:(["'])(?:data:image\/|#)[^"'()\\]*\1\s*|(?:data:image\/|#)[^"'()\\]*)\)/gi;

/**
 * A style sheet or a list of declarations without what would load from another host, which would tell that host of the
 * visitor. Rules and declarations that load are left out; the others stay. A text that hides such a thing behind
 * escapes is left out as a whole.
 */
export const localCss = (css: string): string => {
  if (!isLoading(css) && !isLoading(withoutEscapes(css))) return css;
  // Without escapes, a declaration ends at its semicolon and a rule at its brace.
  if (css !== withoutEscapes(css)) return '';
  // An address has no parenthesis inside, or each opening one would be searched to the end of the text.
  const kept = css.replace(/(?:url\([^()]*\)|[^;{}])+;?/gi, (part) => (isLoading(part) ? '' : part));
  return isLoading(kept) ? '' : kept;
};

const isLoading = (css: string): boolean => loading.test(css.replace(localAddress, ''));

/**
 * The text with its escapes replaced by their characters, as the browser reads names. One space ends an escape, and a
 * carriage return with its line feed is one.
 */
const withoutEscapes = (css: string): string =>
  css.replace(
    /\\(?:([\da-f]{1,6})(?:\r\n|\s)?|([^\n]))/gi,
    (_, hex: string | undefined, character: string | undefined) =>
      hex === undefined ? (character ?? '') : String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10ffff)),
  );
