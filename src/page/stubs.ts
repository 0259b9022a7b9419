import type { Handle } from '../api/listeners';
import type { Event } from '../model/event';
import type { PermutiveMethods } from './permutive';

/** Puts a call of a public method into the tag's queue. */
type Enqueue = (functionName: keyof PermutiveMethods, ...args: readonly unknown[]) => void;

/**
 * The methods of a tag whose SDK has not loaded yet. Each puts its call into the queue; promises and handles are those
 * that the methods themselves return, as far as callbacks can tell:
 *
 * - `track` resolves once the server has taken or refused the event, and not before;
 * - `identify` resolves with the visitor's id as it is known when the call is replayed.
 */
export const stubs = (queue: Enqueue): PermutiveMethods => ({
  addon: (name, options) => queue('addon', name, options),
  consent: (consent) => queue('consent', consent),
  query: (code, type, onResult) => queue('query', code, type, onResult),
  track: (name, properties, { success, error } = {}) =>
    new Promise((resolve) =>
      queue('track', name, properties, {
        success: (event: Event) => {
          success?.(event);
          resolve(event);
        },
        error: (errors: readonly string[]) => {
          error?.(errors);
          resolve(null);
        },
      }),
    ),
  identify: (identities) => {
    queue('identify', identities);
    return promisedAnswer<string | null>(undefined, (tell) => queue('user', tell));
  },
  segment: (code, onResult) => promisedAnswer(onResult, (tell) => queue('segment', code, tell)),
  segments: (onResult, type) => promisedAnswer(onResult, (tell) => queue('segments', tell, type)),
  user: (onUser) => promisedAnswer(onUser, (tell) => queue('user', tell)),
  ready: (onReady, stage) => promisedAnswer(onReady, (tell) => queue('ready', tell, stage)),
  on: (name, onEvent) => removableListener(onEvent, (tell) => queue('on', name, tell)),
  once: (name, onEvent) => removableListener(onEvent, (tell) => queue('once', name, tell)),
  trigger: (code, type, onChange) => {
    const { remove } = removableListener(onChange, (tell) => queue('trigger', code, type, tell));
    return { remove: () => void remove() };
  },
});

/** Queues a call with a callback, and answers a promise of what the callback gets. */
const promisedAnswer = <A>(
  callback: ((answer: A) => void) | null | undefined,
  enqueue: (tell: (answer: A) => void) => void,
): Promise<A> =>
  new Promise((resolve) =>
    enqueue((answer) => {
      callback?.(answer);
      resolve(answer);
    }),
  );

/** Queues a call with a listener. Queued listeners get the page's earlier events in any case, so `replay` is done. */
const removableListener = <A>(listener: (heard: A) => void, enqueue: (tell: (heard: A) => void) => void): Handle => {
  let isRemoved = false;
  enqueue((heard) => {
    if (!isRemoved) listener(heard);
  });
  const handle: Handle = {
    replay: () => handle,
    remove: () => {
      isRemoved = true;
      return handle;
    },
  };
  return handle;
};
