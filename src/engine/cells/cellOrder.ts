import {
  type CanonicalExpr,
  type CanonicalQuery,
  type CanonicalStep,
  type CellExpr,
  isCellExpr,
} from '../language/canonicalLanguage';

/**
 * Numbers the cells of a query: in pre-order of `q`, a subquery where it is first referenced, those never referenced
 * last. Engines that agree on the checksum of a query thereby agree on the layout of its state. Throws when a subquery
 * does not exist or refers to itself, and when there are too many cells.
 */
export const cellOrder = ({ q, sub }: CanonicalQuery): ReadonlyMap<CellExpr, number> => {
  const order = new Map<CellExpr, number>();
  // A subquery has its cells once, however often it is referenced.
  const visited = new Set<number>();
  // Subqueries on the way from the root to the present node. A reference to one of them is a cycle.
  const open = new Set<number>();
  const visit = (node: CanonicalExpr): void => {
    if (isCellExpr(node)) order.set(node, order.size);
    else if ('sub' in node) visitSub(node.sub);
    else childrenOf(node).forEach(visit);
  };
  const visitSub = (index: number): void => {
    const node = subOf(sub, index);
    if (open.has(index)) throw new Error('subquery refers to itself.');
    if (visited.has(index)) return;
    visited.add(index);
    open.add(index);
    visit(node);
    open.delete(index);
  };
  visit(q);
  // The numbers of subqueries begin at one.
  sub.forEach((_, i) => visitSub(i + 1));
  if (order.size > maxCells) throw new Error(`more than ${maxCells} cells.`);
  return order;
};

/**
 * Throws where a query has too many nodes, each subquery counted as often as it is referenced: an explanation shows it
 * at each reference. Cycles are left to `cellOrder`.
 */
export const checkSize = ({ q, sub }: CanonicalQuery): void => {
  const sizes = new Map<number, number>();
  const sizeOfSub = (index: number): number => {
    const known = sizes.get(index);
    if (known !== undefined) return known;
    // A size of 1 stands for the subquery where it refers to itself.
    sizes.set(index, 1);
    const size = sizeOf(subOf(sub, index), `subquery ${index}`);
    sizes.set(index, size);
    return size;
  };
  const sizeOf = (node: CanonicalExpr, path: string): number => {
    let size = 1;
    if (!isCellExpr(node) && 'sub' in node) size += sizeOfSub(node.sub);
    for (const child of isCellExpr(node) ? [] : childrenOf(node)) size += sizeOf(child, path);
    if (size > maxNodes)
      throw new Error(`more than ${maxNodes} nodes in ${path}, subqueries counted at each reference.`);
    return size;
  };
  sizeOf(q, 'q');
  sub.forEach((_, i) => sizeOfSub(i + 1));
};

/** The subquery of a number, counted from one. Throws when there is none (spec S§5). */
export const subOf = (sub: readonly CanonicalExpr[], index: number): CanonicalExpr => {
  const node = sub[index - 1];
  if (node === undefined) throw new Error('subquery index out of bounds.');
  return node;
};

/** The nodes right below a node, in the order in which they are written. */
export const childrenOf = (node: CanonicalExpr): readonly CanonicalExpr[] => {
  if ('and' in node) return node.and;
  if ('or' in node) return node.or;
  if ('match' in node) return node.match;
  return 'not' in node ? [node.not] : [];
};

/** The steps of a node that counts or tests events, in their order. Transitions have none. */
export const stepsOf = (node: CellExpr): readonly CanonicalStep[] => {
  if ('last' in node) return [node.last];
  if ('first' in node) return [node.first];
  if ('sequence' in node) return node.sequence;
  return 'event' in node ? [node] : [];
};

/** The most cells a query may have. */
const maxCells = 31;
/** The most nodes a query may have, subqueries counted at each reference. */
const maxNodes = 10_000;
