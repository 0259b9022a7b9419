/** Finds which of many patterns occur in a text. Aho and Corasick, CACM 1975. */
export interface Automaton {
  /**
   * Visits each pattern found by its place in the list that the automaton was built from. A pattern that occurs twice
   * is visited twice.
   */
  readonly scan: (text: string, visit: (pattern: number) => void) => void;
}

/** A prefix of one or more patterns: the text read so far ends with it, and with no longer prefix. */
interface AutomatonState {
  /** The prefix that is one letter longer, by the code of that letter. */
  readonly next: Map<number, AutomatonState>;
  /** Where to go on when no letter fits: the longest proper suffix that is a prefix of a pattern. Null for the root. */
  fail: AutomatonState | null;
  /** The nearest state along the `fail` links at which a pattern ends; null where there is none. */
  shorter: AutomatonState | null;
  /** Index of the pattern that is this whole prefix; -1 where there is none. */
  pattern: number;
}

const newState = (): AutomatonState => ({ next: new Map(), fail: null, shorter: null, pattern: -1 });

/**
 * Builds the automaton: a tree of all prefixes, and for each a link to the longest other prefix that its end is. The
 * scan follows a link where no letter fits, so that it reads each letter of the text once. Building is linear in the
 * length of all patterns, a scan in the length of the text and the number of finds. Patterns differ from one another
 * and are not empty.
 */
export const automatonOf = (patterns: Iterable<string>): Automaton => {
  const root = newState();
  let index = 0;
  for (const pattern of patterns) insert(root, pattern).pattern = index++;
  link(root);
  return {
    scan: (text, visit) => {
      let state = root;
      for (let i = 0; i < text.length; i++) {
        state = followLetter(root, state, text.charCodeAt(i));
        for (
          // Patterns that end here: this whole prefix, then the shorter ones at its end.
          let hit: AutomatonState | null = state.pattern >= 0 ? state : state.shorter;
          hit !== null;
          hit = hit.shorter
        )
          visit(hit.pattern);
      }
    },
  };
};

/** Enters a pattern and answers the state at its end. */
const insert = (root: AutomatonState, pattern: string): AutomatonState => {
  let state = root;
  for (let i = 0; i < pattern.length; i++) {
    const letter = pattern.charCodeAt(i);
    const next = state.next.get(letter) ?? newState();
    state.next.set(letter, next);
    state = next;
  }
  return state;
};

/** The state after one more letter: the longest prefix that the text then ends with. */
const followLetter = (root: AutomatonState, from: AutomatonState, letter: number): AutomatonState => {
  for (let state: AutomatonState | null = from; state !== null; state = state.fail) {
    const next = state.next.get(letter);
    if (next !== undefined) return next;
  }
  return root;
};

/**
 * Sets the links of all states, level by level: the link of a state leads to a shorter prefix, whose own link must be
 * set already.
 */
const link = (root: AutomatonState): void => {
  const queue = [root];
  // The list grows while it is walked through.
  for (const state of queue)
    for (const [letter, next] of state.next) {
      const fail = state.fail === null ? root : followLetter(root, state.fail, letter);
      next.fail = fail;
      next.shorter = fail.pattern >= 0 ? fail : fail.shorter;
      queue.push(next);
    }
};
