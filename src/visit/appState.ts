import { Anything, type Codec, isRecord, list, object, readOr, shape, table, value } from '../codecs/codecs';
import { maxCodeLength, maxGiven } from '../cohorts/boundedCodes';
import { ownEntry, ownFields } from '../hardening/ownFields';
import type { ProducedCohorts } from '../model/cohorts';
import type { QueueEntry } from '../model/queuedEvent';
import { localKeys } from '../model/storageKeys';
import { textOrEmpty } from '../primitives/textOrEmpty';
import type { UploadState } from '../sinks/delivery/deliveryState';
import { type Pause, PauseCodec } from '../sinks/delivery/pause';

/** What outlives the page in local storage under `permutive-app`. */
export interface AppState {
  /** Memberships by queries at the end of the last page. */
  readonly cohorts: readonly string[];
  /** Memberships that services beside the query engine gave then; absent where there are none. */
  readonly produced?: ProducedCohorts | undefined;
  /** Accepted events that other versions of the SDK have left, oldest first. This one has its own in the journal. */
  readonly queue: readonly QueueEntry[];
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

/** The state with the changes of these patches, in their order; the state itself where they change nothing. */
export const patched = (state: AppState, patches: readonly AppStatePatch[]): AppState => {
  let { cohorts, produced, queue, pause } = ownFields(state);
  // Patches share one `upload`, which answers the present state, so it is asked once.
  const own = patches.map(ownFields);
  for (const uploadState of new Set(own.flatMap(({ upload }) => upload ?? []))) {
    const upload = uploadState();
    const pages = new Set(upload.pages);
    queue = queue.filter(({ page }) => !pages.has(page));
    pause = upload.pause;
  }
  for (const patch of own) if (patch.cohorts) [cohorts, produced] = [patch.cohorts, patch.produced];
  const isSame =
    cohorts === state.cohorts &&
    produced === ownFields(state).produced &&
    queue.length === state.queue.length &&
    pause === state.pause;
  return isSame ? state : { cohorts, produced, queue, pause };
};

/** The id of a cohort, which older versions have stored as a number. */
const CohortText = value<string | number>(
  `a text of at most ${maxCodeLength} characters, or a number`,
  (input) => typeof input === 'number' || (typeof input === 'string' && input.length <= maxCodeLength),
);
/** Cohorts that queries have found, at most. Each stands in the events of the page until the engine has answered. */
const maxQueried = 10_000;
/** Cohorts of all services, at most: there are five producers of them. */
const maxProduced = 5 * maxGiven;
const AllIds = list(CohortText, 0, maxQueried + maxProduced);
const QueriedIds = list(CohortText, 0, maxQueried);
const ProducedLists = table('produced', list(CohortText, 0, maxGiven));
const StoredCohorts = object(
  'cohorts',
  shape({}, { all: AllIds, ql: QueriedIds, produced: ProducedLists }, (cohorts) =>
    Object.values(ownEntry(cohorts, 'produced') ?? {}).flat().length > maxProduced
      ? `${maxProduced} cohorts of services at most`
      : null,
  ),
);
const Core = object('core', shape({}, { cohorts: StoredCohorts }));
const EventPublication = object('eventPublication', shape({}, { eventUpload: list(Anything), pause: Anything }));

const pageNamedIn = (entry: unknown): string => {
  const stored: unknown = Array.isArray(entry) ? entry[1] : undefined;
  return textOrEmpty(isRecord(stored) ? ownEntry(stored, 'page') : undefined);
};

/** Reads the stored shape. A part that does not decode is told to `onFault` and left out; the other parts stay. */
export const decodeAppState = (stored: unknown, onFault: (cause: Error) => void): AppState => {
  const read = <A>(codec: Codec<A>, name: string, input: unknown): A | undefined =>
    readOr(codec, input, undefined, ({ message }) => onFault(new Error(`${localKeys.appState}/${name}: ${message}`)));
  const part = <A>(name: string, codec: Codec<A>): A | undefined =>
    read(object<Readonly<Record<string, A>>>('app state', shape({}, { [name]: codec })), name, stored)?.[name];
  const { all = [], ql = all, produced } = ownFields(part('core', Core)?.cohorts ?? {});
  const { eventUpload = [], pause } = ownFields(part('eventPublication', EventPublication) ?? {});
  return {
    cohorts: ql.map(String),
    produced: produced && Object.fromEntries(Object.entries(produced).map(([name, ids]) => [name, ids.map(String)])),
    // Decoded by the page that takes them over: there may be thousands, which the start of a page cannot wait for.
    queue: eventUpload.map((stored) => ({ page: pageNamedIn(stored), stored })),
    pause: pause === undefined ? null : (read(PauseCodec, 'pause', pause) ?? null),
  };
};

/** The shape of a state in local storage; partners read `core.cohorts.all` in it. */
export const encodeAppState = (state: AppState): object => {
  const { cohorts, produced, queue, pause } = ownFields(state);
  const all = [...new Set([...cohorts, ...Object.values(produced ?? {}).flat()])];
  return {
    core: { cohorts: produced ? { all, ql: cohorts, produced } : { all: cohorts } },
    eventPublication: { eventUpload: queue.map(({ stored }) => stored), ...(pause && { pause }) },
  };
};
