/** Text of which each character takes one byte in UTF-8. */
const ascii = /^[\0-\x7f]*$/;

/**
 * Bytes of a text in UTF-8. The text is counted instead of encoded, because most texts are ASCII, and an encoder
 * allocates. A half of a surrogate pair that stands alone counts 3, as the character that replaces it does.
 */
export const utf8Bytes = (text: string): number => {
  if (ascii.test(text)) return text.length;
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
};
