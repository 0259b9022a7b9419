import {
  AnyString,
  Anything,
  type Codec,
  failure,
  list,
  object,
  readOr,
  shape,
  table,
  type TypeOf,
  value,
} from '../codecs/codecs';
import { ownFields } from '../hardening/ownFields';
import type { ProducedCohorts } from '../model/cohorts';
import { QueuedEventCodec, type StoredEvent } from '../model/queuedEvent';
import { localKeys } from '../model/storageKeys';
import type { UploadState } from '../sinks/delivery/deliveryState';
import { type Pause, PauseCodec } from '../sinks/delivery/pause';

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
  /** Memberships by queries at the end of the last page. */
  readonly cohorts: readonly string[];
  /** Memberships that services beside the query engine gave then; absent where there are none. */
  readonly produced?: ProducedCohorts | undefined;
  /** Accepted events that other versions of the SDK have left, oldest first. This one has its own in the journal. */
  readonly queue: readonly Queued[];
  /** The pause after failed requests: no request may go before its end. Null where there is none. */
  readonly pause: Pause | null;
}

/** The state where nothing is stored. */
export const emptyAppState: AppState = { cohorts: [], queue: [], pause: null };

/**
 * One change to the stored state. The change is applied to what is stored at that moment, so that tabs do not undo each
 * other's changes.
 */
export interface AppStatePatch {
  readonly cohorts?: readonly string[];
  /** Goes with `cohorts`; absent where services gave none. */
  readonly produced?: ProducedCohorts | undefined;
  /** Answers the delivery of this tab at the moment of the write. Events of other tabs stay. */
  readonly upload?: () => UploadState;
}

/** The state with the changes of these patches, in their order. */
export const patched = (
  state: AppState<StoredEvent | QueueEntry>,
  patches: readonly AppStatePatch[],
): AppState<StoredEvent | QueueEntry> => {
  let { cohorts, produced, queue, pause } = ownFields(state);
  // Patches share one `upload`, which answers the present state, so it is asked once.
  const own = patches.map(ownFields);
  for (const uploadState of new Set(own.flatMap(({ upload }) => upload ?? []))) {
    const upload = uploadState();
    queue = queue.filter(({ page }) => !upload.pages.includes(page));
    pause = upload.pause;
  }
  for (const patch of own) if (patch.cohorts) [cohorts, produced] = [patch.cohorts, patch.produced];
  return { cohorts, produced, queue, pause };
};

const TextOrNumber = value<string | number>(
  '(string | number)',
  (input) => typeof input === 'string' || typeof input === 'number',
);
/** The parts of the stored shape. What is in their lists is decoded one by one. */
const Ids = list(TextOrNumber);
const Core = object(
  'core',
  shape({}, { cohorts: object('cohorts', shape({}, { all: Ids, ql: Ids, produced: table('produced', Ids) })) }),
);
const EventPublication = object('eventPublication', shape({}, { eventUpload: list(Anything), pause: Anything }));
const EntryEvent = object('queued event', shape({ event: QueuedEventCodec }, { page: AnyString }));
/** A pair of the event's id and the event. */
const IdAndEvent: Codec<readonly [string, TypeOf<typeof EntryEvent>]> = (input) =>
  Array.isArray(input) && input.length === 2 && typeof input[0] === 'string'
    ? EntryEvent(input[1])
    : failure('queued event');

/** Reads the stored shape. A part that does not decode is told to `onFault` and left out; the other parts stay. */
export const decodeAppState = (stored: unknown, onFault: (cause: Error) => void): AppState => {
  const read = <A>(codec: Codec<A>, name: string, input: unknown): A | undefined =>
    readOr(codec, input, undefined, ({ message }) => onFault(new Error(`${localKeys.appState}/${name}: ${message}`)));
  const part = <A>(name: string, codec: Codec<A>): A | undefined =>
    read(object<Readonly<Record<string, A>>>('app state', shape({}, { [name]: codec })), name, stored)?.[name];
  const each = <A>(items: readonly unknown[], codec: Codec<A>, name: string): readonly A[] =>
    items.flatMap((item, i) => {
      const found = read(codec, `${name}/${i}`, item);
      return found === undefined ? [] : [found];
    });
  const { all = [], ql = all, produced } = ownFields(part('core', Core)?.cohorts ?? {});
  const { eventUpload = [], pause } = ownFields(part('eventPublication', EventPublication) ?? {});
  return {
    cohorts: ql.map(String),
    produced: produced && Object.fromEntries(Object.entries(produced).map(([name, ids]) => [name, ids.map(String)])),
    queue: each(eventUpload, IdAndEvent, 'eventUpload').map(([, { event, page = '' }]) => ({ event, page })),
    pause: pause === undefined ? null : (read(PauseCodec, 'pause', pause) ?? null),
  };
};
