/** Characters that a title or an address may have, as it leaves the browser. */
const maxLength = 2048;

/** The first 2,048 characters of a text, without half of a character at its end. */
export const cappedText = (text: string): string => text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
