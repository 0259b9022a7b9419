import { isRight } from 'fp-ts/Either';
import * as t from 'io-ts';

import { decode } from '../../model/decode';
import { distinctById } from '../../model/distinctById';
import { Event, Properties } from '../../model/event';
import { localKeys } from '../../model/storageKeys';
import { Pause } from './pause';

/**
 * An accepted event as it waits for its upload: with user id and cohorts of the moment it was accepted, and how the
 * server is to treat it.
 */
export const QueuedEvent = t.intersection([
  Event,
  t.strict({ user_id: t.string, segments: t.array(t.number), cohorts: t.array(t.string), properties: Properties }),
  t.partial({ requiresEnrichment: t.boolean, sdkProcessed: t.boolean }),
]);
/** The same as a type. */
export type QueuedEvent = Readonly<t.TypeOf<typeof QueuedEvent>>;

/** An accepted event, and the id of the page that accepted it. That page sends the event while it lives. */
export interface StoredEvent {
  readonly page: string;
  readonly event: QueuedEvent;
}

/** A stored event whose JSON is ready: `[id, {event, page}]`, as it stands in the stored state. */
export interface QueueEntry {
  readonly page: string;
  readonly text: string;
}

/**
 * What outlives the page in local storage under `permutive-app`. A reader gets the queue as events, the writer has it
 * as texts.
 */
export interface AppState<Queued = StoredEvent> {
  /** Memberships at the end of the last page. */
  readonly cohorts: readonly string[];
  /** Accepted events that other versions of the SDK have left, oldest first. This one has its own in the journal. */
  readonly queue: readonly Queued[];
  /** The pause after failed requests: no request may go before its end. Null where there is none. */
  readonly pause: Pause | null;
  /** Events that the stored state of the engine did not contain when their page went away. */
  readonly unsaved: readonly Event[];
}

/** The state where nothing is stored. */
export const emptyAppState: AppState = { cohorts: [], queue: [], pause: null, unsaved: [] };

/** The delivery of a tab. */
export interface UploadState {
  /** The tab's own page and those whose events it has taken over. Their events are in the journal, not in the state. */
  readonly pages: readonly string[];
  readonly pause: Pause | null;
}

/**
 * One change to the stored state. It is applied to what is stored at that moment, so that tabs do not undo each other's
 * changes.
 */
export interface AppStatePatch {
  readonly cohorts?: readonly string[];
  /** Answers the delivery of this tab at the moment of the write. Events of other tabs stay. */
  readonly upload?: () => UploadState;
  /** Events whose effects the engine has not saved, as the page goes away. */
  readonly left?: readonly Event[];
  /** Ids of events that an engine has taken over from a page that left. */
  readonly taken?: readonly string[];
}

/** The state with the changes of these patches, in their order. */
export const patched = (
  state: AppState<StoredEvent | QueueEntry>,
  patches: readonly AppStatePatch[],
): AppState<StoredEvent | QueueEntry> => {
  let { cohorts, queue, pause, unsaved } = state;
  // Patches share one `upload`, which answers the present state, so it is asked once.
  for (const uploadState of new Set(patches.flatMap(({ upload }) => upload ?? []))) {
    const upload = uploadState();
    queue = queue.filter(({ page }) => !upload.pages.includes(page));
    pause = upload.pause;
  }
  for (const patch of patches) {
    if (patch.cohorts) cohorts = patch.cohorts;
    if (patch.left) unsaved = distinctById([...unsaved, ...patch.left]);
    if (patch.taken) unsaved = unsaved.filter(({ id }) => patch.taken?.includes(id) === false);
  }
  return { cohorts, queue, pause, unsaved };
};

/** The stored shape around the parts that are decoded one by one. */
const Stored = t.partial({
  core: t.partial({ cohorts: t.partial({ all: t.array(t.union([t.string, t.number])) }) }),
  eventPublication: t.partial({ eventUpload: t.UnknownArray, pause: t.unknown }),
  queryLanguage: t.partial({ unsaved: t.UnknownArray }),
});
const Entry = t.tuple(
  [t.string, t.intersection([t.type({ event: QueuedEvent }), t.partial({ page: t.string })])],
  'queued event',
);

/** Reads the stored shape. A part that does not decode is told to `onFault` and left out; the other parts stay. */
export const decodeAppState = (stored: unknown, onFault: (cause: Error) => void): AppState => {
  const part = <A>(codec: t.Decoder<unknown, A>, name: string, value = stored): A | undefined => {
    const decoded = decode(codec)(value);
    if (isRight(decoded)) return decoded.right;
    onFault(new Error(`${localKeys.appState}/${name}: ${decoded.left.message}`));
    return undefined;
  };
  const each = <A>(items: readonly unknown[], codec: t.Decoder<unknown, A>, name: string): readonly A[] =>
    items.flatMap((item, i) => {
      const decoded = part(codec, `${name}/${i}`, item);
      return decoded === undefined ? [] : [decoded];
    });
  const { core, eventPublication, queryLanguage } = Stored.props;
  const { eventUpload = [], pause } = part(t.partial({ eventPublication }), 'eventPublication')?.eventPublication ?? {};
  return {
    cohorts: (part(t.partial({ core }), 'core')?.core?.cohorts?.all ?? []).map(String),
    queue: each(eventUpload, Entry, 'eventUpload').map(([, { event, page = '' }]) => ({ event, page })),
    pause: pause === undefined ? null : (part(Pause, 'pause', pause) ?? null),
    unsaved: each(part(t.partial({ queryLanguage }), 'queryLanguage')?.queryLanguage?.unsaved ?? [], Event, 'unsaved'),
  };
};
