/** Words of a name that are read at most, the last ones. No wanted name has as many; names in an address may have. */
export const maxWords = 50;

/**
 * Makes a test of whether a name is one of these names, or ends with one as its last words. A wanted name that begins
 * with `=` is found as a whole only. Upper and lower case are the same, signs and a number at the end do not count, and
 * words end at capitals, digits and signs: `email` is the end of `userEmail`, `user_email`, `e-mail` and `EMAIL-2`, and
 * not of `emails` or `email_campaign`.
 */
export const nameMatcher = (wanted: readonly string[]): ((name: string) => boolean) => {
  const names = new Set(wanted.map((name) => (name.startsWith('=') ? '=' : '') + wordsIn(name).join('')));
  names.delete('');
  return (name) => {
    const words = wordsIn(name).slice(-maxWords);
    return words.some((_, i) => {
      const end = words.slice(i).join('');
      return names.has(end) || names.has(end.replace(/^(.*\D)\d+$/s, '$1')) || (i === 0 && names.has(`=${end}`));
    });
  };
};

/**
 * The words of a name in lower case. Some are parts of words, such as those of `eMAIL`, which is why names are compared
 * with the words put together.
 */
export const wordsIn = (name: string): readonly string[] =>
  name
    .replace(/[a-z\d](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, '$& ')
    .toLowerCase()
    .match(/\p{L}+|\d+/gu) ?? [];
