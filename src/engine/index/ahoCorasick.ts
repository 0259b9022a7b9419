/** Finds which of many patterns occur in a text, in one pass over it. Aho and Corasick, CACM 1975. */
export interface Automaton {
  /** Visits the index of each pattern found; one that occurs twice is visited twice. */
  readonly scan: (text: string, visit: (pattern: number) => void) => void;
}

interface AutomatonState {
  readonly next: Map<number, AutomatonState>;
  /** Where to go on when no letter fits: the longest proper suffix that is a prefix of a pattern. */
  fail: AutomatonState | null;
  /** The nearest state on the way of failures at which a pattern ends. */
  shorter: AutomatonState | null;
  pattern: number;
}

const newState = (): AutomatonState => ({ next: new Map(), fail: null, shorter: null, pattern: -1 });

/** Builds the automaton. Patterns differ from one another and are not empty. */
export const automatonOf = (patterns: Iterable<string>): Automaton => {
  const root = newState();
  let index = 0;
  for (const pattern of patterns) insert(root, pattern).pattern = index++;
  link(root);
  return {
    scan: (text, visit) => {
      let state = root;
      for (let i = 0; i < text.length; i++) {
        state = step(root, state, text.charCodeAt(i));
        for (
          let hit: AutomatonState | null = state.pattern >= 0 ? state : state.shorter;
          hit !== null;
          hit = hit.shorter
        )
          visit(hit.pattern);
      }
    },
  };
};

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

const step = (root: AutomatonState, from: AutomatonState, letter: number): AutomatonState => {
  for (let state: AutomatonState | null = from; state !== null; state = state.fail) {
    const next = state.next.get(letter);
    if (next !== undefined) return next;
  }
  return root;
};

/** Level by level, for a state fails to a shallower one. */
const link = (root: AutomatonState): void => {
  const queue = [root];
  for (const state of queue)
    for (const [letter, next] of state.next) {
      const fail = state.fail === null ? root : step(root, state.fail, letter);
      next.fail = fail;
      next.shorter = fail.pattern >= 0 ? fail : fail.shorter;
      queue.push(next);
    }
};
