import { isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode } from './decode';
import { Event, Properties } from './event';

/** An accepted event as it waits for its upload. */
export const QueuedEvent = t.intersection([
  Event,
  t.strict({ user_id: t.string, segments: t.array(t.number), cohorts: t.array(t.string), properties: Properties }),
  t.partial({ requiresEnrichment: t.boolean, sdkProcessed: t.boolean }),
]);
export type QueuedEvent = Readonly<t.TypeOf<typeof QueuedEvent>>;

/** What outlives the page in local storage under `permutive-app`. */
export interface AppState {
  /** Memberships at the end of the last page. */
  readonly cohorts: readonly string[];
  /** Accepted and not yet confirmed by the server. */
  readonly queue: readonly QueuedEvent[];
  /** Evaluated by an engine whose page went away before it had saved. */
  readonly unsaved: readonly Event[];
}

export const emptyAppState: AppState = { cohorts: [], queue: [], unsaved: [] };

/** One change to the stored state. Applied to what is stored at that moment, so that tabs do not undo each other. */
export interface AppStatePatch {
  readonly cohorts?: readonly string[];
  readonly accepted?: QueuedEvent;
  /** Id of an event the server has answered for. */
  readonly settled?: string;
  /** The page goes away, and the engine has not saved what these events changed. */
  readonly left?: readonly Event[];
  /** Ids of events that an engine has taken over from a page that left. */
  readonly taken?: readonly string[];
}

export const patched = (state: AppState, patches: readonly AppStatePatch[]): AppState => {
  const queue = new Map(state.queue.map((event) => [event.id, event]));
  let { cohorts, unsaved } = state;
  for (const patch of patches) {
    if (patch.cohorts) cohorts = patch.cohorts;
    if (patch.accepted) queue.set(patch.accepted.id, patch.accepted);
    if (patch.settled !== undefined) queue.delete(patch.settled);
    if (patch.left) unsaved = [...new Map([...unsaved, ...patch.left].map((event) => [event.id, event])).values()];
    if (patch.taken) unsaved = unsaved.filter(({ id }) => patch.taken?.includes(id) === false);
  }
  return { cohorts, queue: [...queue.values()], unsaved };
};

/** The stored shape: partners read `core.cohorts.all`. */
export const encodeAppState = ({ cohorts, queue, unsaved }: AppState): object => ({
  core: { cohorts: { all: cohorts } },
  eventPublication: { eventUpload: queue.map((event) => [event.id, { event }]) },
  queryLanguage: { unsaved },
});

const Stored = t.partial({
  core: t.partial({ cohorts: t.partial({ all: t.array(t.union([t.string, t.number])) }) }),
  eventPublication: t.partial({ eventUpload: t.UnknownArray }),
  queryLanguage: t.partial({ unsaved: t.UnknownArray }),
});
const Entry = t.tuple([t.string, t.type({ event: QueuedEvent })], 'queued event');

/** Reads the stored shape. A part that makes no sense is told to `onFault` and left out; its neighbours stay. */
export const decodeAppState = (stored: unknown, onFault: (cause: Error) => void): AppState => {
  const part = <A>(codec: t.Decoder<unknown, A>, name: string): A | undefined => {
    const decoded = decode(codec)(stored);
    if (isRight(decoded)) return decoded.right;
    onFault(new Error(`permutive-app/${name}: ${decoded.left.message}`));
    return undefined;
  };
  const each = <A>(items: readonly unknown[], codec: t.Decoder<unknown, A>, name: string): readonly A[] =>
    items.flatMap((item, i) => {
      const decoded = decode(codec)(item);
      if (isRight(decoded)) return [decoded.right];
      onFault(new Error(`permutive-app/${name}/${i}: ${decoded.left.message}`));
      return [];
    });
  const { core, eventPublication, queryLanguage } = Stored.props;
  return {
    cohorts: (part(t.partial({ core }), 'core')?.core?.cohorts?.all ?? []).map(String),
    queue: each(part(t.partial({ eventPublication }), 'eventPublication')?.eventPublication?.eventUpload ?? [], Entry, 'eventUpload').map(([, { event }]) => event),
    unsaved: each(part(t.partial({ queryLanguage }), 'queryLanguage')?.queryLanguage?.unsaved ?? [], Event, 'unsaved'),
  };
};
