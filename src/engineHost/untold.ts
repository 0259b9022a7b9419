import { isRecord } from '../codecs/codecs';
import type { CohortId } from '../model/cohort';
import type { Transition } from '../model/engineCommands';
import type { Event } from '../model/event';
import { timeOf } from '../primitives/isoDate';

// A membership is gained or lost in the engine, and told by an event of the page. A page may be left or killed between
// the two. So the transitions of which the engine has not seen the event are stored beside the state, and the next page
// tells them. The event itself is in the journal until a stored state knows of it, so it is told once.

/** The cohorts that were entered, and those that were left. */
type EnteredAndLeft = readonly [entered: readonly CohortId[], left: readonly CohortId[]];

/** By page: what that page has still to tell. */
export type StoredUntold = Readonly<Record<string, EnteredAndLeft>>;

/** Reads the stored transitions. What has another form is left out. */
export const readUntold = (stored: unknown): StoredUntold =>
  isRecord(stored)
    ? Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, EnteredAndLeft] => isLists(entry[1])))
    : {};

const isLists = (input: unknown): boolean =>
  Array.isArray(input) &&
  input.length === 2 &&
  (input as unknown[]).every((ids) => Array.isArray(ids) && ids.every((id) => typeof id === 'string'));

/** What the engine knows of one cohort. Undefined where no query defines the cohort. */
export type IsMember = (id: CohortId) => boolean | undefined;

/** The transitions of one page's engine of which no event has been seen, each cohort's last one. */
export const untoldTransitions = (page: string) => {
  const byId = new Map<CohortId, Transition>();
  const takenOver = new Set([page]);
  const add = ({ id, entry, time }: Transition): void => {
    // An exit after an entry that nobody was told of: there is nothing to tell.
    if (byId.has(id) && byId.get(id)?.entry !== entry) byId.delete(id);
    else byId.set(id, { id, entry, time });
  };
  return {
    /** The engine has made these transitions. */
    add: (transitions: readonly Transition[]): void => transitions.forEach(add),
    /** Takes over what these pages, which have ended, and an earlier visit of this one have not told. */
    takeOver: (stored: StoredUntold, ended: ReadonlySet<string>, time: number): void => {
      for (const [owner, [entered, left]] of Object.entries(stored)) {
        if (owner !== page && !ended.has(owner)) continue;
        takenOver.add(owner);
        for (const id of entered) byId.set(id, { id, entry: true, time });
        for (const id of left) byId.set(id, { id, entry: false, time });
      }
    },
    /**
     * An event has told of a transition. Answers whether that changes what is untold. The event may be older than the
     * membership of now, which is untold then.
     */
    tell: ({ name, time, properties }: Pick<Event, 'name' | 'time' | 'properties'>, isMember: IsMember): boolean => {
      const id = String(properties['segment_number']);
      const entry = name === 'SegmentEntry';
      if (byId.get(id)?.entry === entry) return byId.delete(id);
      if (isMember(id) !== !entry) return false;
      byId.set(id, { id, entry: !entry, time: timeOf(time) });
      return true;
    },
    /** The untold transitions that agree with the membership of now. */
    list: (isMember: IsMember): readonly Transition[] =>
      [...byId.values()].filter(({ id, entry }) => isMember(id) === entry),
    /** What is to be stored in the place of `stored`: what other pages have to tell stays. */
    stored: (stored: StoredUntold): StoredUntold => {
      const idsOf = (isEntry: boolean): readonly CohortId[] =>
        [...byId.values()].flatMap(({ id, entry }) => (entry === isEntry ? [id] : []));
      return {
        ...Object.fromEntries(Object.entries(stored).filter(([owner]) => !takenOver.has(owner))),
        ...(byId.size > 0 && { [page]: [idsOf(true), idsOf(false)] }),
      };
    },
  };
};

/** The untold transitions of one page's engine. */
export type UntoldTransitions = ReturnType<typeof untoldTransitions>;
