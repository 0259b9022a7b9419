import { added, nextEdit, removed } from './edits';
import { type Literal, withEdits } from './literal';
import type { Source } from './source';
import { printed } from './style';

/** Reads a text anew; undefined where it cannot be read. */
export type ReadSource = (text: string) => Source | undefined;

type Cohort = Readonly<Record<string, unknown>> & { readonly id: string };

/** A change of one cohort of a source. */
export interface CohortChange {
  /** The cohort as it stands; undefined where one is added. */
  readonly from: Cohort | undefined;
  /** The cohort as it shall be; undefined where it is removed. */
  readonly to: Cohort | undefined;
}

/** The source cannot be changed so. The message says why, for people. */
export class FixedCohort extends Error {
  override readonly name = 'FixedCohort';
}

/** Said of a file that cannot be read. */
export const unreadable = 'The file cannot be read at present.';

/** More elementary edits than any change of a cohort needs. */
const maxEdits = 10_000;

/** The text after a change of one cohort. All bytes that the change does not concern stay. Throws `FixedCohort`. */
export const changedText = (text: string, read: ReadSource, { from, to }: CohortChange): string => {
  const source = readOrThrow(text, read);
  if (from === undefined) {
    if (to === undefined) return text;
    const { queries } = source;
    if (queries === undefined) throw new FixedCohort('The file has no list `queries` that a cohort could be added to.');
    const edits = added(source, queries, queries.items.length, (indent) => printed(to, source.style, indent));
    return withEdits(text, edits);
  }
  const place = source.placeOf(from);
  if (place.type === 'fixed') throw new FixedCohort(place.reason);
  if (to === undefined) {
    if (place.list === undefined || place.index < 0)
      throw new FixedCohort('Code puts this cohort into the list of cohorts, so it has to be taken out there.');
    return withEdits(text, removed(source, place.list, place.index));
  }
  const { start } = place.literal;
  // The literal keeps its first place.
  return replaced(text, read, ({ literalAt }) => literalAt(start), to);
};

/** Throws `FixedCohort` where the text cannot be read. */
export const readOrThrow = (text: string, read: ReadSource): Source => {
  const source = read(text);
  if (source === undefined) throw new FixedCohort(unreadable);
  return source;
};

/**
 * The text in which a literal has another value: one edit after another, each on the text that the one before has
 * left. `literalIn` finds the literal each time. Throws `FixedCohort`.
 */
export const replaced = (
  given: string,
  read: ReadSource,
  literalIn: (source: Source) => Literal | undefined,
  to: unknown,
): string => {
  let text = given;
  for (let i = 0; i < maxEdits; i++) {
    const source = readOrThrow(text, read);
    const literal = literalIn(source);
    if (literal === undefined) break;
    const edits = nextEdit(source, literal, to);
    if (edits === undefined) return text;
    text = withEdits(text, edits);
  }
  throw new FixedCohort('The change could not be written into the file.');
};
