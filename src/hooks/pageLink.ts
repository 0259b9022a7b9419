import { concat, filter, map, type Observable, of, switchMap, take } from 'rxjs';

import type { Stage } from '../model/pageContext';
import type { PermutiveMethods } from '../page/permutive';
import { pageCall, type PagePermutive } from './pageCall';
import { type Code, noCodes, type PermutiveStreams, streamsOf } from './pageStreams';
import { type StateStore, stateStore } from './stateStore';

/** Where the page's object is found, now or later. */
export interface PageDoor {
  /** The object as it is: with the methods, with stubs, or undefined where the page has none. */
  readonly find: () => PagePermutive | undefined;
  /** Emits when the SDK has started on a page, so that an object that came late is found. Hot. */
  readonly arrival$: Observable<unknown>;
}

/** What the hooks read of the page's object and do with it. */
export interface PageLink {
  /** By stage, whether the SDK has reached it. */
  readonly reached: Readonly<Record<Stage, StateStore<boolean>>>;
  /** Codes of the visitor's cohorts in a group or for a platform. The same store for the same group. */
  readonly codes: (group: string) => StateStore<readonly Code[]>;
  /** Undefined until something is known of the visitor's consent. */
  readonly isConsentGiven: StateStore<boolean | undefined>;
  /** Calls the object's method, now or once there is an object; so do the two below. */
  readonly track: (...args: Parameters<PermutiveMethods['track']>) => void;
  readonly identify: (...args: Parameters<PermutiveMethods['identify']>) => void;
  readonly consent: (...args: Parameters<PermutiveMethods['consent']>) => void;
}

/** Calls that wait for a page's object, at most. Later ones are dropped: a script that is blocked never comes. */
const maxWaiting = 100;

/**
 * Links components to a page's object, which need not be there yet: states are the initial ones until then, and calls
 * wait. Nothing is listened to before a component subscribes or calls.
 */
export const pageLink = ({ find, arrival$ }: PageDoor): PageLink => {
  const permutive$ = concat(of(undefined), arrival$).pipe(
    map(find),
    filter((found) => found !== undefined),
    take(1),
  );
  const stateOf = <State>(read: (streams: PermutiveStreams) => Observable<State>, initial: State): StateStore<State> =>
    stateStore(permutive$.pipe(switchMap((permutive) => read(streamsOf(permutive)))), initial);
  const send = waitingCalls(permutive$);
  const codes = new Map<string, StateStore<readonly Code[]>>();
  return {
    reached: {
      initialised: stateOf<boolean>(({ reached }) => reached.initialised, false),
      realtime: stateOf<boolean>(({ reached }) => reached.realtime, false),
    },
    codes: (group) => {
      const store = codes.get(group) ?? stateOf((streams) => streams.codes(group), noCodes);
      codes.set(group, store);
      return store;
    },
    isConsentGiven: stateOf(({ isConsentGiven$ }) => isConsentGiven$, undefined),
    track: (...args) => send((permutive) => pageCall(permutive, 'track', ...args)),
    identify: (...args) => send((permutive) => pageCall(permutive, 'identify', ...args)),
    consent: (...args) => send((permutive) => pageCall(permutive, 'consent', ...args)),
  };
};

type Call = (permutive: PagePermutive) => void;

/** Makes a function that calls at once where there is an object, and in the order of the calls once there is. */
const waitingCalls = (permutive$: Observable<PagePermutive>): ((call: Call) => void) => {
  const waiting: Call[] = [];
  return (call) => {
    if (waiting.length === maxWaiting) return;
    waiting.push(call);
    // Whoever waits already takes this call along. The subscription ends with the first object.
    if (waiting.length === 1)
      permutive$
        .forEach((permutive) => {
          for (const each of waiting.splice(0)) each(permutive);
        })
        // An object that is not the SDK's may throw.
        .catch(() => undefined);
  };
};
