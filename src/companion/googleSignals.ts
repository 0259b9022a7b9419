import { localKeys } from '../model/storageKeys';
import { type GoogleAdTag, onGoogletag } from './googletag';
import { storedEntries } from './storedEntries';
import { tagObject } from './storedVisitor';

declare const googletag: GoogleAdTag;
declare const window: { __permutive?: { pps?: object | null } };

/**
 * Sets the publisher provided signals of the visitor, until the SDK has come. The addon `google_pps` then goes on, and
 * learns by `__permutive.pps` what it replaces. Signals that the page sets afterwards replace these. Where there is
 * nothing to say and nothing was said, the page's signals are left alone.
 */
export const googleSignals = (): void => {
  onGoogletag(() => {
    if (tagObject().version !== undefined) return;
    const entries = Object.entries(storedEntries(localKeys.googleSignals));
    const taxonomies = Object.fromEntries(entries.map(([name, values]) => [name, { values }]));
    const pps = entries.length > 0 ? { taxonomies } : null;
    const told = (window.__permutive ??= {});
    if (pps ?? told.pps) googletag.setConfig({ pps });
    told.pps = pps;
  });
};
