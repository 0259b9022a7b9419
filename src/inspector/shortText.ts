/** A value of the page in words: texts, numbers and truths as they are, anything else not at all. */
export const shortText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
