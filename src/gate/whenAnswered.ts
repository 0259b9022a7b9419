import { ownFields } from '../hardening/ownFields';
import { localKeys } from '../model/storageKeys';

export interface GateDeps {
  /** The page's tag. */
  readonly tag: Record<string, unknown>;
  /** Where events come from. Browsers differ in whether they have the last one. */
  readonly targets: {
    readonly window: EventTarget;
    readonly document: EventTarget;
    readonly cookieStore: EventTarget | undefined;
  };
  /** By which methods and which key a developer asks for the inspector. */
  readonly inspector: { readonly methods: readonly string[]; readonly isKey: (event: KeyboardEvent) => boolean };
  /** Whether there may be an answer by now. */
  readonly mayHaveAnswered: () => boolean;
  /** Loads the rest of the SDK. */
  readonly open: () => void;
}

/**
 * Waits for the visitor's answer about consent, and then opens, once. Until then the SDK loads, sends and stores
 * nothing. The answer may come by a call of the page, by one of its settings, from another tab or from another host of
 * the site.
 *
 * Whoever asks for the inspector opens too. Returns the calls of the inspector's methods, which are made when the
 * methods are there.
 */
export const whenAnswered = ({ tag, targets, inspector, mayHaveAnswered, open }: GateDeps): readonly (() => void)[] => {
  const { window, document, cookieStore } = targets;
  const waiting = new AbortController();
  const { signal } = waiting;
  const end = (): void => {
    if (signal.aborted) return;
    waiting.abort();
    open();
  };
  const look = (): void => {
    if (!signal.aborted && mayHaveAnswered()) end();
  };
  const hear = (target: EventTarget | undefined, type: string, listener: (event: Event) => void): void =>
    target?.addEventListener(type, listener, ownFields({ passive: true, capture: true, signal }));

  if (!Array.isArray(tag['q'])) tag['q'] = [];
  const queue = tag['q'] as unknown[];
  const push = queue.push.bind(queue);
  // The page may have kept a stub, which pushes to the queue.
  queue.push = (...calls: unknown[]): number => {
    const length = push(...calls);
    look();
    return length;
  };
  tag['consent'] = (...args: unknown[]): void => void queue.push({ functionName: 'consent', arguments: args });

  // The key is null where the other tab has cleared everything.
  hear(window, 'storage', (event) => {
    const { key } = event as StorageEvent;
    if (key === localKeys.consent || key === null) look();
  });
  // A page that returns from the back-forward cache has heard nothing meanwhile.
  hear(window, 'pageshow', (event) => {
    if ((event as PageTransitionEvent).persisted) look();
  });
  hear(document, 'visibilitychange', look);
  hear(cookieStore, 'change', look);

  const calls: (() => void)[] = [];
  const ask = (name: string): Promise<unknown> =>
    new Promise((resolve) => {
      calls.push(() => resolve((tag[name] as () => unknown)()));
      end();
    });
  for (const name of inspector.methods) tag[name] = () => ask(name);
  hear(window, 'keydown', (event) => {
    if (inspector.isKey(event as KeyboardEvent)) void ask('inspect');
  });
  return calls;
};
