import { sessionKeys } from '../model/storageKeys';

/**
 * Whether the address or the tab of a page may hold overrides of settings (spec C§5): only then is the code loaded that
 * reads them. The names are searched in the whole address, and as a query's text is read.
 */
export const mayOverride = (window: Pick<Window, 'location' | 'sessionStorage'>): boolean => {
  try {
    if (window.sessionStorage.getItem(sessionKeys.overrides) !== null) return true;
  } catch {
    // The browser has no session storage, or it denies it.
  }
  return /__permutive\.|permutive_debug/.test(String(new URLSearchParams(window.location.href)));
};
