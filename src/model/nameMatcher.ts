/**
 * Makes a test of whether a name contains one of these names as whole words. Upper and lower case are the same, and
 * words end at capitals, digits and signs: `email` is in `userEmail`, `user_email` and `EMAIL-2`, and not in `emails`.
 */
export const nameMatcher = (wanted: readonly string[]): ((name: string) => boolean) => {
  const runs = wanted.map(wordsIn).filter((run) => run !== noWords);
  return (name) => {
    // A name is also read without its capitals, because `eMAIL` and `pAssword` are one word each.
    const found = wordsIn(name) + wordsIn(name.replace(inCamelCase, '$& '));
    return runs.some((run) => found.includes(run));
  };
};

/** The places inside a word before which a new one begins: `user|Email`, `SSN|Number`. */
const inCamelCase = /[a-z\d](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g;

/** The words of a name in lower case, each between two dashes. */
const wordsIn = (name: string): string => `-${(name.toLowerCase().match(/\p{L}+|\d+/gu) ?? []).join('-')}-`;
const noWords = wordsIn('');
