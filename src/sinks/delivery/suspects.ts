import type { Observable } from 'rxjs';

import type { StatusError } from '../../model/errors';
import type { Outcome } from './outcome';
import type { Batch } from './uploadQueue';

/**
 * How often an event is refused alone before it is given up, where the server takes no others either: the pauses
 * between take an hour together. They are counted, because a clock may jump.
 */
const maxRefusals = 75;
/** How long an event rests that the server fails at while it takes others. */
const restMs = 300_000;

/**
 * Events of requests that the server has refused or failed at. They are at fault where it takes others; where it takes
 * none, the server is.
 */
export interface Suspects {
  /** Notes the events of a request that was refused or has failed. */
  readonly add: (batch: Batch) => void;
  /** Whether all of these are noted. */
  readonly has: (batch: Batch) => boolean;
  /**
   * Whether one of these is noted and the server has taken other events since then. Each event that is judged needs
   * events of its own that were taken, so that an outage is not held against many.
   */
  readonly areAtFault: (batch: Batch) => boolean;
  /** Whether these were refused alone so often that they are given up. */
  readonly areOverdue: (batch: Batch) => boolean;
  /** Called when an event was found at fault. */
  readonly judged: () => void;
  /** Lets events rest that were found at fault. They are under way, for the queue, until they are released. */
  readonly rest: (batch: Batch) => void;
  /** Batches that have rested. */
  readonly release: () => readonly Batch[];
  /** Called when the server has taken events. */
  readonly taken: (ids: readonly string[]) => void;
  /** Events that the next batch may hold: half of the last one that has failed. Undefined: as many as any. */
  readonly maxEvents: () => number | undefined;
}

/** Judges batches that the server has refused or failed at, and remembers their events. */
export interface Refusals extends Pick<Suspects, 'rest' | 'release' | 'taken' | 'maxEvents'> {
  /**
   * What the answer to a batch leads to. A batch that is refused, or that is known to be at fault, is halved; an event
   * that is alone at fault is given up, or rests where the server has not refused it. All others go back to the queue,
   * and a pause begins. Suspects go back behind the others, so that these are tried first. `isHalf`: the batch is a
   * part of one that was refused.
   */
  readonly judge: (batch: Batch, error: StatusError, isHalf: boolean) => Observable<Outcome>;
}

/** Makes an empty list of suspects. */
export const uploadSuspects = (now: () => number): Suspects => {
  /** By event: how many requests had been taken when it was noted, and how often it has failed alone. */
  const noted = new Map<string, { readonly takenBefore: number; readonly alone: number }>();
  let resting: readonly { readonly batch: Batch; readonly until: number }[] = [];
  let [takenCount, judgedAt]: [number, number] = [0, 0];
  let maxEvents: number | undefined;
  return {
    add: ({ items }) => {
      for (const { id } of items) {
        const { takenBefore, alone } = noted.get(id) ?? { takenBefore: takenCount, alone: 0 };
        noted.set(id, { takenBefore, alone: items.length === 1 ? alone + 1 : alone });
      }
      maxEvents = Math.ceil(items.length / 2);
    },
    has: ({ items }) => items.every(({ id }) => noted.has(id)),
    areAtFault: ({ items }) =>
      items.some(({ id }) => Math.max(noted.get(id)?.takenBefore ?? Infinity, judgedAt) < takenCount),
    areOverdue: ({ items }) => items.every(({ id }) => (noted.get(id)?.alone ?? 0) >= maxRefusals),
    judged: () => {
      judgedAt = takenCount;
    },
    rest: (batch) => {
      resting = [...resting, { batch, until: now() + restMs }];
    },
    release: () => {
      const due = resting.filter(({ until }) => until <= now());
      resting = resting.filter(({ until }) => until > now());
      return due.map(({ batch }) => batch);
    },
    taken: (ids) => {
      takenCount += 1;
      maxEvents = undefined;
      for (const id of ids) noted.delete(id);
    },
    maxEvents: () => maxEvents,
  };
};
