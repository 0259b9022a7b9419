import type { Event } from './model/event';
import type { PublicArguments } from './publicArguments';
import type { PublicCalls } from './streams/publicCalls';

/** Calls of `permutive.track`, from the page's arguments to the page's callbacks. */
export interface TrackCalls {
  /** The event once it is accepted; null without consent, or where it has no usable name. Never rejects. */
  readonly track: (name: unknown, properties: unknown, options: unknown) => Promise<Event | null>;
  /** The server has answered for an event. */
  readonly settle: (id: string, error: string | undefined) => void;
  readonly forget: () => void;
}

const eventName = /^\w+$/;

export const trackCalls = (calls: Pick<PublicCalls, 'track'>, { callback, wrong }: PublicArguments): TrackCalls => {
  const waiting = new Map<string, (error: string | undefined) => void>();
  return {
    track: (name, properties, options) =>
      new Promise((resolve) => {
        const [onSuccess, onError] = [callback('track', 2, fieldOf(options, 'success')), callback('track', 2, fieldOf(options, 'error'))];
        if (typeof name !== 'string' || !eventName.test(name)) {
          wrong('track', 0, 'an event name of letters, digits and _');
          onError(['Invalid event name']);
          resolve(null);
          return;
        }
        if (!isObject(properties) && properties !== undefined && properties !== null) wrong('track', 1, 'an object');
        calls.track({
          draft: { name, properties: isObject(properties) ? properties : {} },
          accepted: (event) => {
            if (event !== null) waiting.set(event.id, (fault) => (fault === undefined ? onSuccess(event) : onError([fault])));
            resolve(event);
          },
        });
      }),
    settle: (id, error) => {
      const tell = waiting.get(id);
      waiting.delete(id);
      tell?.(error);
    },
    forget: () => waiting.clear(),
  };
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  try {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    // A revoked proxy.
    return false;
  }
};

/** A field of the page's object, whose getter may throw. */
const fieldOf = (value: unknown, name: string): unknown => {
  try {
    return isObject(value) ? value[name] : undefined;
  } catch {
    return undefined;
  }
};
