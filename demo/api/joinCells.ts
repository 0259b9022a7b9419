import { bottom, type CellSpec } from '../../src/engine/cells/cell';
import { decodeCells, encodeCells } from '../../src/engine/cells/cellCodec';
import { cellOrder } from '../../src/engine/cells/cellOrder';
import { cellSpecOf } from '../../src/engine/cells/cellSpec';
import { canon } from '../../src/engine/language/canonical';
import { checksumOf } from '../../src/engine/language/checksums';
import type { Definition } from '../../src/engine/language/language';
import type { JoinCells } from './stateSync';

/** Joins as the engine does. If the query is unknown here, or has changed since, the newer component counts. */
export const joinCellsOf = (definitions: ReadonlyMap<string, Definition>): JoinCells => {
  const layouts = new Map<string, Layout>();
  const layoutOf = (id: string): Layout | undefined => {
    const known = layouts.get(id);
    const definition = definitions.get(id);
    if (known !== undefined || definition === undefined) return known;
    const layout = describe(definition);
    layouts.set(id, layout);
    return layout;
  };

  return (id, checksum, older, newer) => {
    const layout = layoutOf(id);
    if (layout?.checksum !== checksum) return newer;
    const a = decodeCells(layout.specs, older);
    const b = decodeCells(layout.specs, newer);
    if (a === null || b === null) return b === null ? older : newer;
    return encodeCells(
      layout.specs,
      layout.specs.map((spec, i) => spec.kind.join(spec, a[i] ?? bottom, b[i] ?? bottom)),
    );
  };
};

interface Layout {
  readonly checksum: string;
  readonly specs: readonly CellSpec[];
}

const describe = (definition: Definition): Layout => {
  const meaning = canon(definition);
  return {
    checksum: definition.checksum ?? checksumOf(meaning),
    specs: [...cellOrder(meaning).keys()].map(cellSpecOf),
  };
};
