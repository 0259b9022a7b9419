/** A queue of commands that an ad tag runs once it has loaded. */
interface CommandQueue {
  readonly push: (command: () => void) => unknown;
}

/** Puts a command on the queue of an ad tag, such as `cmd` of `googletag`. The page may not have begun it yet. */
export const onQueue = (name: string, queueName: string, command: () => void): void => {
  const page = window as unknown as Record<string, Record<string, CommandQueue>>;
  ((page[name] ??= {})[queueName] ??= new Array<() => void>()).push(command);
};
