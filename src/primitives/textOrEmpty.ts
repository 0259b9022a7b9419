/** A value that ought to be a text; '' where it is none. */
export const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');
