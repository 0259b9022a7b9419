import type { Definition } from '../../src/engine/language/language';

/** Expressions and predicates as JSON has them: what is found does not depend on where a node stands. */
export type Node = Readonly<Record<string, unknown>>;

/** Each object in the condition and its subqueries, with its path. */
export function* nodesOf({ q, sub = [] }: Definition): Generator<readonly [Node, string]> {
  yield* nodesIn(q, 'q');
  for (const [i, condition] of sub.entries()) yield* nodesIn(condition, `sub/${i}`);
}

function* nodesIn(value: unknown, path: string): Generator<readonly [Node, string]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [value as Node, path];
  for (const [key, child] of Object.entries(value)) yield* nodesIn(child, `${path}/${key}`);
}
