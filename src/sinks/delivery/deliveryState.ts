import type { EventResult } from '../../endpoints/batchTexts';
import type { Delivery } from '../../model/delivery';
import type { Pause } from './pause';
import type { UploadItem } from './uploadItem';

/**
 * Where an accepted event is on its way to the server. In each of these states the journal has the event, until the
 * server and an engine have it. The field `place` says that no engine has the event yet.
 *
 * - `unfilled`: it waits for data. Where the page is killed, the next page sends it as it is.
 * - `fresh`: it was accepted within the last 50 ms; what comes together travels together.
 * - `waiting`: the next request may take it. A suspect waits behind the others.
 * - `sent`: a request has it, or its half of a refused batch is still to be sent.
 * - `resting`: the server fails at it alone, and takes others. The event waits again after five minutes.
 * - `settled`: the server has taken it, or it is given up. The journal has not heard of that yet.
 * - `uncounted`: the same, and the journal has heard of it; no engine has the event yet.
 */
export type EventState = 'unfilled' | 'fresh' | 'waiting' | 'sent' | 'resting' | 'settled' | 'uncounted';

/** What the saved state of an engine has: of each page, all events up to this number. */
export type CountedUntil = Readonly<Record<string, number>>;

/** An accepted event and its state. */
export interface DeliveryEvent extends UploadItem {
  readonly state: EventState;
  /** Key of the journal's record that holds the event. */
  readonly record: string;
  /** Number of the request that has the event, which is `sent` then; 0: none has. */
  readonly request: number;
  /** A resting event waits again at this time, in ms since 1970. */
  readonly restUntil: number;
  /** What speaks against an event that the server has refused or failed at. */
  readonly suspicion: {
    /** Requests that the server had taken when the event was first suspected. */
    readonly takenBefore: number;
    /** How often the event has failed alone. */
    readonly alone: number;
  } | null;
}

/** Events in one state, those of the request with that number, or those of a record: a slash and the record's key. */
type EventGroup = EventState | number | `/${string}`;

const groupsOf = (event?: DeliveryEvent): readonly EventGroup[] =>
  event ? [event.request || event.state, `/${event.record}`] : [];
/** Whether nothing is left to be sent of an event. */
export const isSettled = ({ state }: Pick<DeliveryEvent, 'state'>): boolean =>
  state === 'settled' || state === 'uncounted';
const unsettledBytes = (event?: DeliveryEvent): number => (event && !isSettled(event) ? event.bytes : 0);

/**
 * All events by id, in the order in which they are sent. The events of a group are found without a look at the others,
 * so that a step costs as much as it changes, however many events wait.
 */
export class DeliveryEvents {
  // No base of the class, because browsers without Map must come to the line that says so.
  private readonly all = new Map<string, DeliveryEvent>();
  /** Bytes of the events that are not settled. */
  bytes = 0;
  private readonly groups = new Map<EventGroup, Map<string, DeliveryEvent>>();

  /** The events of a group, in the order in which they came into it. */
  in(group: EventGroup): readonly DeliveryEvent[] {
    return [...(this.groups.get(group)?.values() ?? [])];
  }

  /** How many events a group has. */
  count(group: EventGroup): number {
    return this.groups.get(group)?.size ?? 0;
  }

  get(id: string): DeliveryEvent | undefined {
    return this.all.get(id);
  }

  /** All events, in the order in which they are sent. */
  values(): Iterable<DeliveryEvent> {
    return this.all.values();
  }

  set(id: string, event: DeliveryEvent): void {
    this.regroup(id, event);
    this.all.set(id, event);
  }

  delete(id: string): void {
    this.regroup(id);
    this.all.delete(id);
  }

  /** Changes an event, in its place; `isLast`: it is behind all others then. */
  change(id: string, changes: Partial<DeliveryEvent>, isLast = false): void {
    const event = this.get(id);
    if (event === undefined) return;
    if (isLast) this.delete(id);
    this.set(id, { ...event, ...changes });
  }

  /** Takes an event out of the groups that it leaves, and puts its next form into those that it is in then. */
  private regroup(id: string, next?: DeliveryEvent): void {
    const last = this.get(id);
    const joined = groupsOf(next);
    for (const group of groupsOf(last))
      if (!joined.includes(group) && this.groups.get(group)?.delete(id) && this.count(group) === 0)
        this.groups.delete(group);
    if (next)
      for (const group of joined)
        this.groups.set(group, (this.groups.get(group) ?? new Map<string, DeliveryEvent>()).set(id, next));
    this.bytes += unsettledBytes(next) - unsettledBytes(last);
  }
}

/** A request, until all that its answer leads to is done. */
export interface DeliveryRequest {
  readonly number: number;
  readonly items: readonly UploadItem[];
  readonly flags: UploadItem['flags'];
  readonly bytes: number;
  /** Whether the request outlives the page. */
  readonly keepalive: boolean;
  /**
   * `turn`: an ordinary request; there is one at a time. `half`: a part of a batch that was refused. `exit`: the page
   * is hidden. `unload`: the page goes away.
   */
  readonly kind: 'turn' | 'half' | 'exit' | 'unload';
  /**
   * `open`: its end is still to come. `failed`: it has failed as a whole. `answered`: its answer has settled all events
   * but some that the server has failed at. `over`: it has ended, and a half may go.
   */
  readonly state: 'open' | 'failed' | 'answered' | 'over';
  /** Why the request, or a part of it, has failed; null before. */
  readonly error: unknown;
  /** Second halves of refused batches, which wait for the end of this request, the next one first. */
  readonly halves: readonly {
    /** Number of the refused request, which still has the events of the half. */
    readonly request: number;
    /** Whether the first half was a single event. */
    readonly isAfterSingle: boolean;
  }[];
}

/** The delivery of a page that has accepted nothing yet. `pause`: the page before has left it. */
export const newDelivery = (page: string, pause: Pause | null) => ({
  /** Id of this page. */
  page,
  /** This page, and those whose part of the stored state it has taken over. */
  pages: [page] as readonly string[],
  events: new DeliveryEvents(),
  /** Requests by number. */
  requests: new Map<number, DeliveryRequest>(),
  /** Requests, and records of the journal, that this page has made. */
  requestCount: 0,
  recordCount: 0,
  /** The last pause, which counts failures, until a request is answered. Null: none has failed since. */
  pause,
  /** The pause that is not over: no request may go, at page exit too if the server has asked for it. Null: one may. */
  waitsFor: pause,
  /** The page has begun to unload, and has not returned. */
  isUnloading: false,
  /** Requests of which the server has taken events; and how many there were when an event was last found at fault. */
  takenCount: 0,
  judgedAt: 0,
  /** Events of the next request at most: half as many as the last had that was refused. Undefined: the usual limit. */
  maxEvents: undefined as number | undefined,
});

/** The delivery of one page. A step uses it up: the events and requests are those of the next state from then on. */
export type DeliveryState = Readonly<ReturnType<typeof newDelivery>>;

/** What local storage is to hold of a page's delivery: the events of these pages are in the journal, not in there. */
export type UploadState = Pick<DeliveryState, 'pages' | 'pause'>;

/** An input: what can happen to the delivery. */
export type DeliveryInput =
  /** The page came back from the back-forward cache. */
  | { readonly type: 'returned' }
  /**
   * The events of one task. `isUrgent`: one of them is to go at once, because the page may be about to unload.
   * `isUnloading`: the page unloads in that task.
   */
  | {
      readonly type: 'accepted';
      readonly items: readonly UploadItem[];
      readonly isUrgent: boolean;
      readonly isUnloading: boolean;
    }
  /** The time to gather events in this state is over. */
  | { readonly type: 'gathered'; readonly state: EventState }
  /** The page may be going away. */
  | { readonly type: 'exit'; readonly isUnloading: boolean }
  /** Events of another page are taken over, as `backlog.ts` says. */
  | { readonly type: 'tookOver'; readonly takeOver: (delivery: MutableDelivery) => void }
  /** The saved state of an engine has these events. */
  | { readonly type: 'counted'; readonly until: CountedUntil }
  | { readonly type: 'answered'; readonly request: number; readonly results: readonly EventResult[] }
  | { readonly type: 'failed'; readonly request: number; readonly error: unknown }
  /** `refusalStep` has loaded; undefined: it is not waited for any more. */
  | { readonly type: 'judged'; readonly request: number; readonly judge: RequestStep | undefined }
  /** A pause is over; or the network is back, which ends it too. */
  | { readonly type: 'waited'; readonly pause: Pause; readonly isOnline: boolean };

/** A command: what the delivery wants done. */
export type DeliveryCommand =
  /** Write records of the journal, all in one transaction; null removes a record. `isUnloading`: so does the page. */
  | { readonly type: 'write'; readonly changes: ReadonlyMap<string, string | null>; readonly isUnloading: boolean }
  | { readonly type: 'send' | 'beacon'; readonly request: DeliveryRequest }
  /** Load `refusalStep`. */
  | { readonly type: 'judge'; readonly request: number }
  | { readonly type: 'later'; readonly ms: number; readonly input: DeliveryInput }
  | { readonly type: 'wait'; readonly ms: number; readonly pause: Pause }
  | { readonly type: 'report'; readonly message: string; readonly cause: unknown }
  | { readonly type: 'settle'; readonly delivery: Delivery }
  /** Give the events of another page to the engine. */
  | { readonly type: 'count'; readonly page: string };

/** A state, what was stored of the one before, and what is to be done now. */
export interface DeliveryStep {
  readonly before: UploadState;
  readonly state: DeliveryState;
  readonly commands: readonly DeliveryCommand[];
}

/** The state while one step is made of it, and what the step wants done. */
export interface MutableDelivery extends ReturnType<typeof newDelivery> {
  /** The time of the input, in ms since 1970, and a random number from 0 to 1. */
  readonly now: number;
  readonly random: number;
  readonly commands: DeliveryCommand[];
  /** Keys of records that are to be written as they are after the step. */
  readonly changed: Set<string>;
}

/** The moment of an input. */
export type Moment = Pick<MutableDelivery, 'now' | 'random'>;

/** What the end of one request changes. */
export type RequestStep = (delivery: MutableDelivery, request: DeliveryRequest) => void;
