import type { EventResult } from '../../endpoints/batchTexts';
import type { Delivery } from '../../model/delivery';
import type { Report } from '../../model/report';
import type { Pause } from './pause';
import type { UploadItem } from './uploadQueue';

/** The pause between requests has begun, grown or ended. */
export interface PauseChange {
  readonly pause: Pause | null;
}

/** What an upload emits: the end of an event's delivery, or a change of the pause. */
export type Outcome = Delivery | PauseChange;

/** Whether an outcome is the end of an event's delivery. */
export const isDelivery = (outcome: Outcome): outcome is Delivery => Object.hasOwn(outcome, 'id');

/** The delivery of an event by its result, which is its own part of the server's answer. */
export const deliveryOf = (item: UploadItem, result: EventResult, report: Report): Delivery =>
  result.code === 200 ? { id: item.id } : lost(item, new Error(`Status code was ${result.code}`), report);

/** The delivery of an event that is given up. The error is reported with its cause. */
export const lost = ({ id, name }: UploadItem, cause: unknown, report: Report): Delivery => {
  const error = `Failed to track ${name}`;
  report(error, cause);
  return { id, error };
};
