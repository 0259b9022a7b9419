/**
 * How text is brought into one form before it is compared. `case`: upper and lower case are the same; `accent`: accents
 * do not matter either; `exact`: only compatible forms of a character are united, such as full-width letters.
 */
export type Fold = 'case' | 'accent' | 'exact';

/**
 * The form in which strings are compared and hashed: compatibility composed, lower case, single spaces. The function is
 * idempotent.
 */
export const norm = (text: string): string => (isNormal.test(text) ? text : normWide(text));

/** Brings a string into the form that a leaf's `fold` asks for. */
export const foldText = (text: string, fold: Fold): string => {
  if (fold === 'case') return norm(text);
  if (fold === 'exact') return withoutMarkRuns(text).normalize('NFKC');
  const normal = norm(text);
  return isNormal.test(normal) ? normal : normWide(normal.normalize('NFD').replace(marks, ''));
};

/** The words of a folded text, without punctuation; an apostrophe inside a word belongs to it. */
export const wordsOf = (folded: string): readonly string[] => folded.replace(/’/g, "'").match(wordPattern) ?? [];

/** Strings and finite numbers as comparable text, so that 123 equals "123"; anything else has none. */
export const scalarText = (value: unknown, fold: Fold = 'case'): string | null => {
  if (typeof value === 'string') return foldText(value, fold);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
};

// Printable ASCII without capitals and without leading, trailing or double spaces is its own normal form.
const isNormal = /^(?:[!-@[-~]+(?: [!-@[-~]+)*)?$/;
const marks = /\p{M}/gu;
const wordPattern = /[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu;

/**
 * The text with at most 30 combining marks in a row, as in the stream-safe format of Unicode. Sorting longer runs takes
 * the square of their length: a second for 46 kB.
 */
const withoutMarkRuns = (text: string): string => text.replace(/(\p{M}{30})\p{M}+/gu, '$1');

// Composed once more after lower-casing: a lower-case letter may have a composed form that its capital lacks (U+1E96).
const normWide = (text: string): string =>
  withoutMarkRuns(text).normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/g, ' ').trim();
