const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as it stands in HTML and SVG, in attributes too. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => named[sign]!);

/** Text with what is between backticks as code. */
export const withCode = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** The id of a part of the page, from its title. */
export const idOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replace(/ /g, '-');
