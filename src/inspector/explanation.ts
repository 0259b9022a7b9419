/** One clause of an explanation, with the clauses that it is made of. */
export interface Clause {
  readonly holds: boolean;
  readonly words: string;
  readonly of: readonly Clause[];
}

/** An explanation in the words of `permutive.explain`, as a tree. */
export interface ExplanationTree {
  /** The lines before the clauses: the verdict. */
  readonly verdict: readonly string[];
  readonly clauses: readonly Clause[];
  /** The lines after the clauses: what would change the result, and what services say. */
  readonly notes: readonly string[];
}

interface Line {
  readonly depth: number;
  readonly holds: boolean;
  readonly words: string;
}

/** A clause is a line with a sign; two spaces are one level. */
const clauseLine = /^((?: {2})*)([✓✗]) (.*)$/u;

/** Reads the words of `permutive.explain`. Lines without a sign are the verdict or notes. */
export const explanationTree = (words: string): ExplanationTree => {
  const lines = words.split('\n');
  const parsed = lines.map(lineOf);
  const first = parsed.findIndex((line) => line !== undefined);
  const last = parsed.reduce((latest, line, i) => (line === undefined ? latest : i), -1);
  return {
    verdict: first === -1 ? lines : lines.slice(0, first),
    clauses: clausesOf(
      parsed.flatMap((line) => line ?? []),
      0,
    ),
    notes: first === -1 ? [] : lines.slice(last + 1),
  };
};

const lineOf = (text: string): Line | undefined => {
  const [, indent, sign, words] = clauseLine.exec(text) ?? [];
  return words === undefined ? undefined : { depth: (indent?.length ?? 0) / 2, holds: sign === '✓', words };
};

/** The clauses at a depth, each with the deeper lines that follow it. */
const clausesOf = (lines: readonly Line[], depth: number): readonly Clause[] => {
  const starts = lines.flatMap((line, i) => (line.depth <= depth ? [i] : []));
  return starts.map((start, i) => ({
    holds: lines[start]?.holds ?? false,
    words: lines[start]?.words ?? '',
    of: clausesOf(lines.slice(start + 1, starts[i + 1] ?? lines.length), depth + 1),
  }));
};
