import type { Report } from '../model/report';

/** The return value of `permutive.on` and `permutive.once`. Each method returns the handle, so calls can be chained. */
export interface Handle {
  /** Calls back with the earlier events that match, the oldest first. For `once`, that is the first of them. */
  readonly replay: () => Handle;
  /** Stops the callbacks. */
  readonly remove: () => Handle;
}

/** What listeners are told of: a tracked event, or an announcement of the SDK. */
interface PageEvent {
  readonly name: string;
  readonly time: string;
}

/** Events that are kept for `replay`. Beyond that number, the oldest are dropped. */
const maxHistory = 1000;

/**
 * The page's listeners: to events by name, and to memberships by cohort. The callbacks that they are given never throw.
 */
export type Listeners = ReturnType<typeof listenersOf>;

/** A listener to one cohort. */
interface MembershipListener {
  /** The cohort; undefined until it is found. */
  id: string | undefined;
  /** Changes of all cohorts until then. */
  early: (readonly [id: string, result: boolean])[];
  readonly tell: (result: { readonly result: boolean }) => void;
}

const tellChange = (listener: MembershipListener, id: string, result: boolean): void => {
  if (listener.id === undefined) listener.early.push([id, result]);
  else if (listener.id === id) listener.tell({ result });
};

/** Makes an empty set of listeners. `report` hears of names that cannot be listened to. */
export const listenersOf = (report: Report) => {
  const events = new Set<(event: PageEvent) => void>();
  const memberships = new Set<MembershipListener>();
  const history: PageEvent[] = [];
  return {
    /** Listens to events of that name, or of names that a pattern matches; `once`: to the first of them only. */
    on: (name: unknown, tell: (event: PageEvent) => void, once: boolean): Handle => {
      const matches = matcher(name, report);
      const listener = (event: PageEvent): void => {
        if (!matches(event.name)) return;
        // Removed before the callback, which may cause another such event.
        if (once) events.delete(listener);
        tell(event);
      };
      events.add(listener);
      const handle: Handle = {
        replay: () => {
          // A listener that is removed by its own callback hears no more.
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
    /**
     * Listens to changes of one cohort's membership. `find` calls back with its id; changes until then are told when it
     * does.
     */
    onMembership: (find: (use: (id: string) => void) => void, tell: MembershipListener['tell']) => {
      const listener: MembershipListener = { id: undefined, early: [], tell };
      memberships.add(listener);
      find((id) => {
        listener.id = id;
        // A listener that is removed meanwhile hears no more.
        for (const change of listener.early.splice(0)) if (memberships.has(listener)) tellChange(listener, ...change);
      });
      return { remove: () => void memberships.delete(listener) };
    },
    /** Tells all listeners of an event, and keeps it for `replay`. */
    event: (event: PageEvent): void => {
      history.push(event);
      if (history.length > maxHistory) history.shift();
      // A copy, because a listener may add or remove listeners.
      for (const listener of [...events]) listener(event);
    },
    /** Tells all listeners of a changed membership. */
    membership: (id: string, result: boolean): void => {
      for (const listener of [...memberships]) tellChange(listener, id, result);
    },
    /** Forgets past events and changes; listeners stay. */
    forget: (): void => {
      history.length = 0;
      for (const listener of memberships) listener.early = [];
    },
  };
};

/** Whether the name of an event is the one that is listened to. */
const matcher = (name: unknown, report: Report): ((eventName: string) => boolean) => {
  if (typeof name === 'string') return (eventName) => eventName === name;
  // A global or sticky pattern remembers its position between tests, so each test gets a new pattern.
  if (name instanceof RegExp)
    return (eventName) => new RegExp(name.source, name.flags.replace(/[gy]/g, '')).test(eventName);
  report('Function permutive.on caused an error', new Error('on/0: expected an event name or pattern'));
  return () => false;
};
