import { DecodeError, type Fault, isRecord } from '../../../src/codecs/codecs';
import type { PublishedDefinition } from '../../../src/engine/language/canonicalLanguage';
import { operandTags } from '../../../src/engine/language/extraction';
import { readDefinition } from '../../../src/engine/language/languageCodec';

/** The query as the engine takes it, and what it is made of. */
export interface ReadQuery {
  readonly definition: PublishedDefinition;
  /** The canonical form: what is compiled, and hashed for the checksum. */
  readonly canonical: string;
  /** Bytes of that form, which is what the build ships. */
  readonly bytes: number;
  /** Nodes that count. Each keeps a cell of its own in the stored state. */
  readonly cells: number;
  /** Values that predicates compare with. */
  readonly operands: number;
}

/** A text as a query, or what is wrong with it, by path and expected type. */
export type QueryReading =
  | { readonly type: 'query'; readonly query: ReadQuery }
  | { readonly type: 'faults'; readonly faults: readonly Fault[] };

/**
 * Reads what somebody writes: a whole definition, `{ id, q }`, or the condition alone. Wrong values are not quoted.
 * Never throws.
 */
export const readQuery = (text: string): QueryReading => {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (error) {
    return { type: 'faults', faults: [{ path: placeIn(text, error), expected: 'JSON' }] };
  }
  const isWhole = isRecord(input) && 'q' in input;
  try {
    const definition = readDefinition(isRecord(input) && isWhole ? { id: '1', ...input } : { id: '1', q: input });
    const { q, sub } = definition;
    const canonical = JSON.stringify({ q, ...(sub !== undefined && { sub }) }, null, 2);
    return {
      type: 'query',
      query: {
        definition,
        canonical,
        bytes: new TextEncoder().encode(JSON.stringify({ q, sub })).length,
        ...countsOf([q, sub]),
      },
    };
  } catch (error) {
    // A condition that is written alone has no `q` above it.
    const faults = error instanceof DecodeError ? error.faults : [{ path: '', expected: messageOf(error) }];
    return {
      type: 'faults',
      faults: isWhole ? faults : faults.map(({ path, expected }) => ({ path: path.replace(/^q\/?/, ''), expected })),
    };
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Line and column where a text stops being JSON, as far as the browser says. */
const placeIn = (text: string, error: unknown): string => {
  const position = /position (\d+)/.exec(messageOf(error))?.[1];
  const before = text.slice(0, position === undefined ? text.length : Number(position)).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
};

const countingTags = ['event', 'sequence', 'entered', 'exited', 'last', 'first'];

/** Counts the cells and the operands of a canonical query. */
const countsOf = (node: unknown): Pick<ReadQuery, 'cells' | 'operands'> => {
  if (typeof node !== 'object' || node === null) return { cells: 0, operands: 0 };
  const fields = Object.entries(node);
  // A step of a sequence names its event too, and is no cell of its own.
  const isCell = !Array.isArray(node) && countingTags.some((tag) => tag in node) && ('is' in node || 'within' in node);
  const own = fields.reduce(
    (sum, [tag, value]) =>
      sum + ((operandTags as readonly string[]).includes(tag) && Array.isArray(value) ? value.length : 0),
    0,
  );
  return fields
    .map(([, value]) => countsOf(value))
    .reduce((a, b) => ({ cells: a.cells + b.cells, operands: a.operands + b.operands }), {
      cells: isCell ? 1 : 0,
      operands: own,
    });
};
