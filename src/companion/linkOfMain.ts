/**
 * The relation of the link in the head that names the main part, until the companion makes it a preload. Browsers do
 * nothing for a relation that they do not know.
 */
export const linkOfMain = 'permutive-main';
