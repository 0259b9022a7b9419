/** A service may give a visitor this many cohorts at most; more are left out (decision 078). */
export const maxGiven = 1000;
/** A longer code is left out: codes stand in requests of ad servers, and in each uploaded event. */
const maxCodeLength = 100;

/** The answer's entries whose codes have a usable length, the first 1,000 of them. */
export const boundedCodes = <Entry>(entries: readonly Entry[], codeOf: (entry: Entry) => string): readonly Entry[] =>
  entries
    .filter((entry) => {
      const { length } = codeOf(entry);
      return length > 0 && length <= maxCodeLength;
    })
    .slice(0, maxGiven);
