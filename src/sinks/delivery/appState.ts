import { isRight } from 'fp-ts/Either';
import * as t from 'io-ts';

import { decode } from '../../model/decode';
import { distinctById } from '../../model/distinctById';
import { Event, Properties } from '../../model/event';
import { localKeys } from '../../model/storageKeys';
import { Pause } from './pause';

/** An accepted event as it waits for its upload. */
export const QueuedEvent = t.intersection([
  Event,
  t.strict({ user_id: t.string, segments: t.array(t.number), cohorts: t.array(t.string), properties: Properties }),
  t.partial({ requiresEnrichment: t.boolean, sdkProcessed: t.boolean }),
]);
export type QueuedEvent = Readonly<t.TypeOf<typeof QueuedEvent>>;

/** An accepted event, and the page that accepted it: that page sends it while it lives. */
export interface StoredEvent {
  readonly page: string;
  readonly event: QueuedEvent;
}

/** The same as JSON, as it stands in the stored state: `[id, {event, page}]`. */
export interface QueueEntry {
  readonly page: string;
  readonly text: string;
}

/**
 * What outlives the page in local storage under `permutive-app`. Readers have events in its queue, the writer texts.
 */
export interface AppState<Queued = StoredEvent> {
  /** Memberships at the end of the last page. */
  readonly cohorts: readonly string[];
  /** Accepted and not yet confirmed by the server. */
  readonly queue: readonly Queued[];
  /** No request may go before its end. */
  readonly pause: Pause | null;
  /** Events whose evaluation the engine had not saved when their page went away. */
  readonly unsaved: readonly Event[];
}

export const emptyAppState: AppState = { cohorts: [], queue: [], pause: null, unsaved: [] };

/** Everything that these pages have accepted and not delivered. */
export interface UploadState {
  readonly pages: readonly string[];
  readonly queue: readonly QueueEntry[];
  readonly pause: Pause | null;
}

/** One change to the stored state. Applied to what is stored at that moment, so that tabs do not undo each other. */
export interface AppStatePatch {
  readonly cohorts?: readonly string[];
  /** What this tab has to deliver, as it is when it is written; events of other tabs stay. */
  readonly upload?: () => UploadState;
  /** The page goes away, and the engine has not saved what these events changed. */
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
  // `upload` answers with the present state, so many patches with the same one need it once.
  for (const uploadState of new Set(patches.flatMap(({ upload }) => upload ?? []))) {
    const upload = uploadState();
    queue = [...queue.filter(({ page }) => !upload.pages.includes(page)), ...upload.queue];
    pause = upload.pause;
  }
  for (const patch of patches) {
    if (patch.cohorts) cohorts = patch.cohorts;
    if (patch.left) unsaved = distinctById([...unsaved, ...patch.left]);
    if (patch.taken) unsaved = unsaved.filter(({ id }) => patch.taken?.includes(id) === false);
  }
  return { cohorts, queue, pause, unsaved };
};

const Stored = t.partial({
  core: t.partial({ cohorts: t.partial({ all: t.array(t.union([t.string, t.number])) }) }),
  eventPublication: t.partial({ eventUpload: t.UnknownArray, pause: t.unknown }),
  queryLanguage: t.partial({ unsaved: t.UnknownArray }),
});
const Entry = t.tuple(
  [t.string, t.intersection([t.type({ event: QueuedEvent }), t.partial({ page: t.string })])],
  'queued event',
);

/** Reads the stored shape. A part that makes no sense is told to `onFault` and left out; its neighbours stay. */
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
