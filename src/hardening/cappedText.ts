import { jsonBytes } from './jsonValue';

/** Characters that a title or an address may have, as it leaves the browser. */
const maxLength = 2048;

/**
 * The first 2,048 characters of a text, without half of a character at its end. Texts with many characters that take
 * six bytes in JSON are cut in half, so that none takes more than three bytes for each of 2,048 characters.
 */
export const cappedText = (text: string): string => {
  const start = text.slice(0, maxLength);
  return (jsonBytes(start) > 3 * maxLength + 2 ? start.slice(0, maxLength / 2) : start).replace(/[\ud800-\udbff]$/, '');
};
