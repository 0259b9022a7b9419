import type { Report } from '../model/report';

/** The return value of `permutive.on` and `permutive.once`. Its methods return it, so calls can be chained. */
export interface Handle {
  /** Delivers the page's earlier events of that name. */
  readonly replay: () => Handle;
  /** Stops the callbacks. */
  readonly remove: () => Handle;
}

interface PageEvent {
  readonly name: string;
  readonly time: string;
}

/** Events kept for `replay`; the oldest go first. */
const maxHistory = 1000;

/** The page's listeners: events by name, memberships by cohort. Callbacks are already wrapped, so they never throw. */
export interface Listeners {
  /** Listens to events of that name, or of names that a pattern matches; `once`: to the first of them only. */
  readonly on: (name: unknown, tell: (event: PageEvent) => void, once: boolean) => Handle;
  /** Listens to changes of one cohort's membership. */
  readonly onMembership: (
    id: string,
    tell: (result: { readonly result: boolean }) => void,
  ) => { readonly remove: () => void };
  /** Tells all listeners of an event, and keeps it for `replay`. */
  readonly event: (event: PageEvent) => void;
  /** Tells all listeners of a changed membership. */
  readonly membership: (id: string, result: boolean) => void;
  /** Forgets past events; listeners stay. */
  readonly forget: () => void;
}

/** Makes an empty set of listeners. `report` hears of names that cannot be listened to. */
export const listenersOf = (report: Report): Listeners => {
  const events = new Set<(event: PageEvent) => void>();
  const memberships = new Set<(id: string, result: boolean) => void>();
  const history: PageEvent[] = [];
  return {
    on: (name, tell, once) => {
      const matches = matcher(name, report);
      const listener = (event: PageEvent): void => {
        if (!matches(event.name)) return;
        if (once) events.delete(listener);
        tell(event);
      };
      events.add(listener);
      const handle: Handle = {
        replay: () => {
          for (const event of [...history]) if (events.has(listener)) listener(event);
          return handle;
        },
        remove: () => {
          events.delete(listener);
          return handle;
        },
      };
      return handle;
    },
    onMembership: (id, tell) => {
      const listener = (changed: string, result: boolean): void => {
        if (changed === id) tell({ result });
      };
      memberships.add(listener);
      return { remove: () => void memberships.delete(listener) };
    },
    event: (event) => {
      history.push(event);
      if (history.length > maxHistory) history.shift();
      // A copy, because a listener may add or remove listeners.
      for (const listener of [...events]) listener(event);
    },
    membership: (id, result) => {
      for (const listener of [...memberships]) listener(id, result);
    },
    forget: () => void (history.length = 0),
  };
};

const matcher = (name: unknown, report: Report): ((eventName: string) => boolean) => {
  if (typeof name === 'string') return (eventName) => eventName === name;
  // A global or sticky pattern remembers its position between tests, so each test gets a new pattern.
  if (name instanceof RegExp)
    return (eventName) => new RegExp(name.source, name.flags.replace(/[gy]/g, '')).test(eventName);
  report('Function permutive.on caused an error', new Error('on/0: expected an event name or pattern'));
  return () => false;
};
