import type { EngineCommand } from '../model/engineCommands';
import type { Report } from '../model/report';

/**
 * Messages that travel together, at most. Single messages would cost a page that tracks many events more than all its
 * other work; a larger batch would hold up a page that evaluates its own events.
 */
const maxBatch = 100;

/** Posts a list of messages to an engine. */
type Post = (batch: readonly EngineCommand[]) => void;

/** Messages on their way to an engine. */
export interface Outbox {
  /** Posts the message at the end of this turn, together with the others of the turn. */
  readonly add: (message: EngineCommand) => void;
  /** Posts to this engine from now on. The engine first gets all messages that the outbox has kept. */
  readonly connect: (post: Post) => void;
  /** Called when the engine has answered: it has received the messages, so they are not kept for another engine. */
  readonly forget: () => void;
  /** Whether an engine has answered. */
  readonly isForgotten: () => boolean;
}

/**
 * Makes an empty outbox. Until an engine answers, posted messages are kept, because another engine may have to take
 * over.
 */
export const openOutbox = (report: Report): Outbox => {
  let kept: (readonly EngineCommand[])[] | undefined = [];
  let waiting: EngineCommand[] = [];
  let post: Post | undefined;

  /** Posts a batch. A message that cannot be copied for another thread costs itself alone. */
  const postBatch: Post = (batch) => {
    try {
      post?.(batch);
    } catch (cause) {
      if (batch.length > 1) batch.forEach((message) => postBatch([message]));
      else report('Exception in the worker', cause);
    }
  };
  const postAll = (): void => {
    const messages = waiting;
    waiting = [];
    for (let i = 0; i < messages.length; i += maxBatch) {
      const batch = messages.slice(i, i + maxBatch);
      kept?.push(batch);
      postBatch(batch);
    }
  };

  return {
    add: (message) => {
      // A microtask, because a page that is being left runs no later task.
      if (waiting.push(message) === 1) void Promise.resolve().then(postAll);
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
