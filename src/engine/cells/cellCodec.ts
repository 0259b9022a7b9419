import { bottom, type CellSpec, type Component } from './cell';

/** Writes the state of a query: a bottom cell is 0, and trailing ones are left out. */
export const encodeCells = (specs: readonly CellSpec[], components: readonly Component[]): readonly unknown[] => {
  const wire = specs.map((spec, i) => {
    const component = components[i] ?? bottom;
    return component.length === 0 ? 0 : spec.kind.encode(spec, component);
  });
  // A reader takes cells that are missing at the end for bottom.
  while (wire.at(-1) === 0) wire.pop();
  return wire;
};

/**
 * Reads the state of a query; null when any of its cells is malformed or there are more than the query has. A state is
 * taken as a whole or not at all: one broken cell would make the condition wrong.
 */
export const decodeCells = (specs: readonly CellSpec[], wire: unknown): readonly Component[] | null => {
  if (!Array.isArray(wire) || wire.length > specs.length) return null;
  const components: Component[] = [];
  let i = 0;
  for (const spec of specs) {
    const cell = (wire as readonly unknown[])[i] ?? 0;
    i += 1;
    const component = cell === 0 ? bottom : spec.kind.decode(spec, cell);
    if (component === null) return null;
    components.push(component);
  }
  return components;
};
