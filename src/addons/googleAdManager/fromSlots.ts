import { defer, fromEventPattern, mergeMap, type Observable, type OperatorFunction } from 'rxjs';

import { isolate } from '../../operators/isolate';
import type { AddonDeps } from '../addon';
import type { Googletag, SlotEvent, SlotEventType } from './googletag';

/**
 * Events of one type of all of Google's slots, from the subscription on. Never emits where the tag cannot be listened
 * to.
 */
export const fromSlots = (googletag: Googletag, type: SlotEventType): Observable<SlotEvent> => {
  const pubads = googletag.pubads?.();
  return fromEventPattern(
    (listener) => pubads?.addEventListener?.(type, listener),
    (listener) => pubads?.removeEventListener?.(type, listener),
  );
};

/**
 * Reads something off the objects of Google's tag, which belong to the page and may throw.
 * A throw is reported and costs this one value; the stream goes on. `undefined` is passed over.
 */
export const readSlot = <A, B>(
  read: (input: A) => B | undefined,
  { report }: Pick<AddonDeps, 'report'>,
): OperatorFunction<A, B> =>
  mergeMap((input) =>
    defer(() => {
      const found = read(input);
      return found === undefined ? [] : [found];
    }).pipe(isolate('DFP failed to read a slot', report)),
  );
