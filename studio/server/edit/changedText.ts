import { added, nextEdit, removed } from './edits';
import { withEdits } from './literal';
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
  return replaced(text, read, place.literal.start, to);
};

const readOrThrow = (text: string, read: ReadSource): Source => {
  const source = read(text);
  if (source === undefined) throw new FixedCohort('The file cannot be read at present.');
  return source;
};

/** One edit after another, each on the text that the one before has left. The literal keeps its first place. */
const replaced = (given: string, read: ReadSource, start: number, to: Cohort): string => {
  let text = given;
  for (let i = 0; i < maxEdits; i++) {
    const source = readOrThrow(text, read);
    const literal = source.literalAt(start);
    if (literal === undefined) break;
    const edits = nextEdit(source, literal, to);
    if (edits === undefined) return text;
    text = withEdits(text, edits);
  }
  throw new FixedCohort('The change could not be written into the file.');
};
