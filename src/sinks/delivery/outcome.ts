import type { EventResult } from '../../endpoints/batchEvents';
import type { Report } from '../../model/report';
import type { Pause } from './pause';
import type { UploadItem } from './uploadQueue';

/** What the server said of one event; without `error` it was accepted. */
export interface Delivery {
  readonly id: string;
  readonly error?: string;
}

/** The pause between requests has begun, grown or ended. */
export interface PauseChange {
  readonly pause: Pause | null;
}

/** What an upload tells: the end of an event's way, or a change of the pause. */
export type Outcome = Delivery | PauseChange;

export const isDelivery = (outcome: Outcome): outcome is Delivery => 'id' in outcome;

/** The delivery of an event by its result. Without one, the server accepted the batch as a whole. */
export const deliveryOf = (item: UploadItem, result: EventResult | undefined, report: Report): Delivery =>
  result === undefined || result.code === 200
    ? { id: item.id }
    : lost(item, new Error(`Status code was ${result.code}`), report);

/** The delivery of an event that will not arrive; it is reported with its cause. */
export const lost = ({ id, name }: UploadItem, cause: unknown, report: Report): Delivery => {
  const error = `Failed to track ${name}`;
  report(error, cause);
  return { id, error };
};
