/** Entries of an answer that are looked at; more are left out (decision 078). */
export const maxEntries = 1000;
/** A service may give a visitor this many cohorts at most: each is entered by an event, and stands in later ones. */
export const maxGiven = 100;
/** A longer code is left out: codes stand in requests of ad servers, and in each uploaded event. */
export const maxCodeLength = 100;

/** The answer's entries whose codes have a usable length, the first 1,000 of them. */
export const boundedCodes = <Entry>(entries: readonly Entry[], codeOf: (entry: Entry) => string): readonly Entry[] =>
  entries
    .filter((entry) => {
      const { length } = codeOf(entry);
      return length > 0 && length <= maxCodeLength;
    })
    .slice(0, maxEntries);
