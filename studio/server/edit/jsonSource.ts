import { dequal } from 'dequal';
import { type Node, parseTree } from 'jsonc-parser';

import { type Literal, valueOf } from './literal';
import type { Source } from './source';
import { styleOf } from './style';

/** Reads a definition in JSON. Undefined where the text is no object. */
export const jsonSource = (text: string): Source | undefined => {
  const root = parseTree(text, [], { disallowComments: true });
  const definition = root && literalOf(root);
  if (definition?.kind !== 'object') return undefined;
  const valueAt = (name: string): Literal | undefined => definition.items.find(({ key }) => key === name)?.value;
  const [list, table] = [valueAt('queries'), valueAt('taxonomies')];
  const queries = list?.kind === 'list' ? list : undefined;
  return {
    text,
    style: styleOf(text, true),
    queries,
    taxonomies:
      table === undefined
        ? { type: 'absent', definition }
        : table.kind === 'object'
          ? { type: 'table', table }
          : undefined,
    literalAt: (start) => queries?.items.find((item) => item.start === start),
    placeOf: (cohort) => {
      const index = queries?.items.findIndex((item) => dequal(valueOf(item), cohort)) ?? -1;
      const found = queries?.items[index];
      return found === undefined
        ? { type: 'fixed', reason: 'The file has no such entry under `queries`.', at: undefined }
        : { type: 'literal', literal: found, list: queries, index };
    },
  };
};

const literalOf = (node: Node): Literal => {
  const { offset: start, length, children = [] } = node;
  const place = { start, end: start + length };
  if (node.type === 'array') return { kind: 'list', ...place, items: children.map(literalOf) };
  if (node.type === 'object')
    return {
      kind: 'object',
      ...place,
      items: children.map((property) => {
        const [key, value] = property.children as [Node, Node];
        return {
          key: key.value as string,
          value: literalOf(value),
          start: property.offset,
          end: property.offset + property.length,
        };
      }),
    };
  return { kind: 'plain', ...place, value: node.value as string };
};
