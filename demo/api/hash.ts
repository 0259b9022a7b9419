import { createHash } from 'node:crypto';

export const hexOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The same 32-bit number for the same text, so that every run of the demo looks alike. */
export const hashOf = (text: string): number => Number.parseInt(hexOf(text).slice(0, 8), 16);
