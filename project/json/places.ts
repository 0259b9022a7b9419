import { findNodeAtLocation, type Node } from 'jsonc-parser';

/** The node of a JSON text that a path of a finding leads to, or the deepest one on its way that is there. */
export const nodeAt = (root: Node, path: string): Node => {
  const names = path === '' ? [] : path.split('/');
  const [first, second = '', ...others] = names;
  const queries = findNodeAtLocation(root, ['queries']);
  if (first === 'queries' && queries?.type === 'array') {
    const byId = queries.children?.find((query) => findNodeAtLocation(query, ['id'])?.value === second);
    if (byId !== undefined) return deepest(byId, others);
    // A query of the findings may be a rule that was written out.
    const rule = findNodeAtLocation(root, ['rules', second]);
    if (rule !== undefined) return rule;
  }
  return deepest(root, names);
};

/**
 * Goes down as far as names are found. A name may itself have the slash that is between names, so the names that come
 * next are also tried together.
 */
const deepest = (node: Node, names: readonly string[]): Node => {
  for (let length = 1; length <= names.length; length++) {
    const name = names.slice(0, length).join('/');
    const child = findNodeAtLocation(node, [node.type === 'array' ? Number(name) : name]);
    if (child !== undefined) return deepest(child, names.slice(length));
  }
  return node;
};

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Makes the function that turns an offset of a text into its line and column, both counted from 1. */
export const placesOf = (text: string): ((offset: number) => Place) => {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ index, 0: end }) => index + end.length)];
  return (offset) => {
    const line = starts.filter((start) => start <= offset).length;
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
};

/** Where a node stands: the key of a member, or the first character of an element. */
export const offsetOf = ({ offset, parent }: Node): number => (parent?.type === 'property' ? parent.offset : offset);
