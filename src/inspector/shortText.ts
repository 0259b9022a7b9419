/** A value of the page in words: texts, numbers and truths as they are, `none` in place of anything else. */
export const shortText = (value: unknown, none = ''): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : none;
