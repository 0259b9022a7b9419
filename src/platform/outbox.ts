import type { Report } from '../model/report';

/**
 * Messages that travel together, at most. One message for each event would cost a page that tracks many events more
 * than everything else; a larger batch would hold up a page that evaluates its own events.
 */
const maxBatch = 100;

type Post = (batch: readonly unknown[]) => void;

export interface Outbox {
  /** Posts the message together with the others of this turn. */
  readonly add: (message: unknown) => void;
  /** From now on posts to this engine; first all that was posted before. */
  readonly connect: (post: Post) => void;
  /** The engine has answered, so it has heard everything: nothing needs to be kept for another engine. */
  readonly forget: () => void;
  /** An engine has answered. */
  readonly isForgotten: () => boolean;
}

/**
 * Messages on their way to the engine. Until an engine answers they are kept, because another one may have to take
 * over.
 */
export const openOutbox = (report: Report): Outbox => {
  let kept: (readonly unknown[])[] | undefined = [];
  let waiting: unknown[] = [];
  let post: Post | undefined;

  const postAll = (): void => {
    const messages = waiting;
    waiting = [];
    for (let i = 0; i < messages.length; i += maxBatch) {
      const batch = messages.slice(i, i + maxBatch);
      kept?.push(batch);
      post?.(batch);
    }
  };

  return {
    add: (message) => {
      // A microtask, because a page that is being left runs no later task.
      if (waiting.push(message) === 1)
        Promise.resolve()
          .then(postAll)
          .catch((cause: unknown) => report('Exception in the worker', cause));
    },
    connect: (to) => {
      post = to;
      kept?.forEach(to);
    },
    forget: () => {
      kept = undefined;
    },
    isForgotten: () => kept === undefined,
  };
};
