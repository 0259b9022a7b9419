import type { QueueEntry } from '../../src/model/queuedEvent';
import { queuedOf } from './events';

/** An event that an older version of the SDK has left in the stored state. */
export const entryOf = (id: string, page = 'p', changes = {}): QueueEntry => ({
  page,
  stored: [id, { event: queuedOf(id, changes), page }],
});

/** The id of the event of an entry. */
export const entryId = ({ stored }: QueueEntry): unknown => (stored as readonly unknown[])[0];
