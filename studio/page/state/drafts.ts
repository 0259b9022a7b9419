import { dequal } from 'dequal';

import { AnyNumber, AnyString, DecodeError, list, object, readAs, shape } from '../../../src/codecs/codecs';
import type { Definition } from '../../../src/engine/language/language';
import type { StudioProject } from '../../protocol';
import { prettyJson } from '../form/prettyJson';

/** A cohort that is being edited, and the steps back and forward. The text is what the form shows too. */
export interface Draft {
  readonly text: string;
  /** The cohort from which the draft was made, as text; empty for a new one. */
  readonly base: string;
  /** The version of the file that had it. */
  readonly version: string;
  /** When it was changed last, in ms since 1970. */
  readonly at: number;
  readonly past: readonly string[];
  readonly future: readonly string[];
  /** What the last change was of. Changes of the same place in a short time are one step. */
  readonly place: string;
}

/** Changes of one place within this time are undone together. */
const togetherMs = 1000;
const maxSteps = 200;

/** A draft of a cohort as it is in the file; of a new one without. */
export const draftOf = (definition: Definition | undefined, version: string, text?: string): Draft => {
  const base = definition === undefined ? '' : prettyJson(definition);
  return { text: text ?? base, base, version, at: 0, past: [], future: [], place: '' };
};

/** The draft with another text. `place`: what was changed, such as the path of a field. */
export const changed = (draft: Draft, text: string, place: string, at: number): Draft => {
  if (text === draft.text) return draft;
  const isSameStep = place === draft.place && at - draft.at < togetherMs && draft.past.length > 0;
  return {
    ...draft,
    text,
    at,
    place,
    past: isSameStep ? draft.past : [...draft.past, draft.text].slice(-maxSteps),
    future: [],
  };
};

/** One step back; the draft itself where there is none. */
export const undone = (draft: Draft, at: number): Draft => {
  const text = draft.past.at(-1);
  if (text === undefined) return draft;
  return { ...draft, text, at, place: '', past: draft.past.slice(0, -1), future: [draft.text, ...draft.future] };
};

/** One step forward again. */
export const redone = (draft: Draft, at: number): Draft => {
  const [text, ...future] = draft.future;
  return text === undefined ? draft : { ...draft, text, at, place: '', past: [...draft.past, draft.text], future };
};

/** How a draft stands to the file. `conflict`: the cohort was changed there since the draft was made. */
export type Standing = 'unchanged' | 'changed' | 'conflict';

/** The cohort in the file, as text; empty where there is none. */
const inFile = (project: StudioProject, id: string | undefined): string => {
  const cohort = id === undefined ? undefined : project.cohorts.find(({ definition }) => definition.id === id);
  return cohort === undefined ? '' : prettyJson(cohort.definition);
};

const isSame = (a: string, b: string): boolean => a === b || dequal(jsonOr(a), jsonOr(b));
const jsonOr = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

export const standingOf = (project: StudioProject, id: string | undefined, draft: Draft): Standing => {
  const there = inFile(project, id);
  if (isSame(draft.text, there)) return 'unchanged';
  return isSame(draft.base, there) ? 'changed' : 'conflict';
};

/** The draft on the version that the file has now: what was there is overwritten knowingly. */
export const onVersion = (project: StudioProject, id: string | undefined, draft: Draft): Draft => ({
  ...draft,
  base: inFile(project, id),
  version: project.version,
});

const Stored = object(
  'a draft',
  shape(
    { text: AnyString, base: AnyString, version: AnyString, at: AnyNumber },
    { past: list(AnyString), future: list(AnyString) },
  ),
);

/** Steps that are stored with a draft, in UTF-16 units in all. Local storage has room for some millions. */
const maxStoredSteps = 40_000;

/** A draft as it is stored, with the steps around the present as far as there is room. */
export const storedText = ({ text, base, version, at, past, future }: Draft): string => {
  const back = nearest([...past].reverse(), maxStoredSteps / 2);
  return JSON.stringify({ text, base, version, at, past: back.reverse(), future: nearest(future, maxStoredSteps / 2) });
};

/** The first steps of a list, as many as have at most so many characters. */
const nearest = (steps: readonly string[], room: number): string[] => {
  let left = room;
  const first = steps.findIndex((step) => (left -= step.length) < 0);
  return steps.slice(0, first === -1 ? undefined : first);
};

/** A stored draft; undefined where it cannot be read. */
export const draftOfStored = (stored: string | null): Draft | undefined => {
  try {
    const read = readAs(Stored, JSON.parse(stored ?? ''));
    return read instanceof DecodeError ? undefined : { past: [], future: [], ...read, place: '' };
  } catch {
    return undefined;
  }
};
