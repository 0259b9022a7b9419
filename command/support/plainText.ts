/** Control characters, and those that change the direction of text: a page could write over what a terminal shows. */
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A text on one line, without the characters that a terminal would obey. */
export const plainText = (text: string): string => text.replace(unprintable, ' ');

/** The same of a text of several lines. */
export const plainLines = (text: string): string => text.split('\n').map(plainText).join('\n');
