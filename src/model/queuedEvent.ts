import {
  AnyBoolean,
  AnyNumber,
  AnyString,
  type Codec,
  failure,
  list,
  object,
  shape,
  type TypeOf,
  value,
} from '../codecs/codecs';
import type { ExperimentGroup } from './cohort';
import { type Event, eventFields } from './event';

/**
 * An accepted event as it waits for its upload: with user id and cohorts of the moment it was accepted, and how the
 * server is to treat it.
 */
export interface QueuedEvent extends Event {
  readonly user_id: string;
  readonly segments: readonly number[];
  readonly cohorts: readonly string[];
  /** The visitor's group, where the project has an experiment. */
  readonly experiment_group?: ExperimentGroup;
  readonly requiresEnrichment?: boolean;
  readonly sdkProcessed?: boolean;
}
const Group = value<ExperimentGroup>('control or exposed', (input) => input === 'control' || input === 'exposed');
export const QueuedEventCodec = object<QueuedEvent>(
  'QueuedEvent',
  shape(
    { ...eventFields, user_id: AnyString, segments: list(AnyNumber), cohorts: list(AnyString) },
    { experiment_group: Group, requiresEnrichment: AnyBoolean, sdkProcessed: AnyBoolean },
  ),
);

/** An event that waits in the stored state, where older versions of the SDK keep theirs. */
export interface QueueEntry {
  /** The page that has accepted the event, and sends it while it lives. Empty where the entry names none. */
  readonly page: string;
  /** As it is stored: `[id, {event, page}]`, not decoded. */
  readonly stored: unknown;
}

const EntryEvent = object('queued event', shape({ event: QueuedEventCodec }, { page: AnyString }));
/** What an entry of the queue has to look like. */
export const QueueEntryCodec: Codec<readonly [string, TypeOf<typeof EntryEvent>]> = (input) =>
  Array.isArray(input) && input.length === 2 && typeof input[0] === 'string'
    ? EntryEvent(input[1])
    : failure('queued event');
