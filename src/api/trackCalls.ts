import { tap } from 'rxjs';

import { isRecord } from '../codecs/codecs';
import type { Event } from '../model/event';
import { orNone } from '../primitives/orNone';
import type { ApiPart } from './apiPart';
import type { PublicArguments } from './publicArguments';
import type { PublicCalls } from './publicCalls';

/** Names that `track` accepts. */
export const eventName = /^\w{1,100}$/;

/**
 * The method `track` answers a promise, which resolves with the event once the event is accepted. The promise resolves
 * with null without consent, or where the name cannot be used. The promise never rejects. The page's `success` or
 * `error` is called once the server has answered for the event, and `error` at once without consent.
 */
export const trackCalls = (calls: Pick<PublicCalls, 'track'>, { callback, wrong }: PublicArguments): ApiPart => {
  // Callbacks of accepted events, by event id, until the server has answered.
  const waiting = new Map<string, (error: string | undefined) => void>();
  const track = (name: unknown, properties: unknown, options: unknown): Promise<Event | null> =>
    new Promise((resolve) => {
      const success = readField(options, 'success');
      const error = readField(options, 'error');
      const onSuccess = callback('track', 2, success);
      const onError = callback('track', 2, error);
      if (typeof name !== 'string' || !eventName.test(name)) {
        wrong('track', 0, 'an event name of letters, digits and _, 100 at most');
        onError(['Invalid event name']);
        resolve(null);
        return;
      }
      if (!isObject(properties) && properties !== undefined && properties !== null) wrong('track', 1, 'an object');
      calls.track({
        draft: { name, properties: isObject(properties) ? properties : {} },
        accepted: (event) => {
          if (event === null) onError(['No consent']);
          // Most calls have no callbacks, and their events need not be found again.
          if (event !== null && (success ?? error) != null)
            waiting.set(event.id, (fault) => (fault === undefined ? onSuccess(event) : onError([fault])));
          resolve(event);
        },
      });
    });
  return {
    methods: { track },
    follow: ({ delivery$ }) =>
      delivery$.pipe(
        tap(({ id, error }) => {
          const tell = waiting.get(id);
          waiting.delete(id);
          tell?.(error);
        }),
      ),
    forget: () => waiting.clear(),
  };
};

/** Whether a value of the page is an object that is no list. */
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  try {
    return isRecord(value);
  } catch {
    // `Array.isArray` throws for a revoked proxy.
    return false;
  }
};

/** A field of the page's object; undefined where there is none, or where its getter throws. */
const readField = (value: unknown, name: string): unknown => orNone(() => (isObject(value) ? value[name] : undefined));
