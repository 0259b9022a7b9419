import { DecodeError } from '../codecs/codecs';
import { ownEntry } from '../hardening/ownFields';
import type { Report } from '../model/report';
import type { Handle } from './listeners';
import type { PublicApi } from './publicApi';
import { isFirst, type QueuedCall, queuedCallOf, replayOrder } from './queuedCalls';

/**
 * The object that the page's snippet leaves: a queue `q`, a config and stubs of the methods; later the methods
 * themselves.
 */
export type Tag = Record<string, unknown>;

/**
 * The page's tag, or undefined where there is none. Only a plain object is a tag: an element with the id `permutive` is
 * a global of that name too, and has no config that could require consent.
 */
export const tagOf = (global: unknown): Tag | undefined => {
  if (typeof global !== 'object' || global === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(global);
  // The prototype that all objects of a frame have. Each frame has one of its own, which has no prototype itself.
  return prototype !== null && Object.getPrototypeOf(prototype) === null ? (global as Tag) : undefined;
};

/**
 * Marks the tag as taken, so that a bundle that is included twice starts once. Answers false where it was taken before.
 */
export const take = (tag: Tag, version: string): boolean => {
  if (Object.hasOwn(tag, 'version')) return false;
  Object.defineProperty(tag, 'version', { value: version });
  return true;
};

/** The array that the stubs of the page push to; an empty one where the tag has none. */
const queueOf = (tag: Tag): unknown[] => (Array.isArray(tag['q']) ? (tag['q'] as unknown[]) : []);

/** The queued calls that decode. The others are reported by their index in the queue, without their content. */
export const queuedCalls = (tag: Tag, report: Report): readonly QueuedCall[] => decodedCalls(queueOf(tag), report);

/**
 * Arguments of the `consent` calls in the page's queue. Queued calls that do not decode are reported later, when the
 * queue is replayed.
 */
export const queuedConsent = (tag: Tag): readonly unknown[] =>
  queuedCalls(tag, () => undefined).flatMap(({ functionName, arguments: [given] }) =>
    functionName === 'consent' ? [given] : [],
  );

const decodedCalls = (calls: readonly unknown[], report: Report): readonly QueuedCall[] =>
  calls.flatMap((queued, i) => {
    try {
      const call = queuedCallOf(queued);
      if (!(call instanceof DecodeError)) return [call];
      report('Invalid queued call', new Error(`q/${i}: ${call.message}`));
    } catch {
      // Reading the call reads the page's objects, whose getters may throw.
      report('Invalid queued call', new Error(`q/${i}: expected what can be read`));
    }
    return [];
  });

/** Puts methods on the tag, in place of its stubs. `names`: only these methods. */
export const setMethods = (tag: Tag, methods: PublicApi['methods'], names = Object.keys(methods)): void => {
  for (const name of names) tag[name] = methods[name];
};

/**
 * Hands each answer about consent that comes into the queue from now on to the method: the page may have kept a stub,
 * which still pushes to the queue. All other calls stay there.
 */
export const hearConsent = (tag: Tag, { methods }: PublicApi): void => {
  const queue = queueOf(tag);
  const isOther = (queued: unknown): boolean => {
    const call = readable(queued);
    if (call?.functionName !== 'consent') return true;
    methods['consent']?.(call.arguments[0]);
    return false;
  };
  queue.push = (...queued) => Array.prototype.push.apply(queue, queued.filter(isOther));
};

/** A queued call; undefined where it does not decode. Such a call stays for `bind`, which reports it. */
const readable = (queued: unknown): QueuedCall | undefined => decodedCalls([queued], () => undefined)[0];

/** Puts calls into the queue as they are. Not as arguments of one call, which the browser limits. */
const refill = (queue: unknown[], calls: readonly unknown[]): void => {
  for (const one of calls) queue[queue.length] = one;
};

/**
 * Takes the calls that must not be lost with a visitor who leaves early: those of `identify`, `trigger`, `addon` and
 * `track`. These calls are replayed in that order, and later ones as the stubs push them. The other calls stay in the
 * queue until `bind`. `identify` is bound.
 */
export const takeFirstCalls = (tag: Tag, api: PublicApi, report: Report): void => {
  setMethods(tag, api.methods, ['identify']);
  const queue = queueOf(tag);
  /** Replays those of the calls, and answers the others. */
  const replayFirst = (queued: unknown[]): unknown[] => {
    const calls: QueuedCall[] = [];
    const others = queued.filter((one) => {
      const call = readable(one);
      if (call === undefined || !isFirst(call)) return true;
      calls.push(call);
      return false;
    });
    for (const call of replayOrder(calls)) replay(call, api, report);
    return others;
  };
  // The same array, because the stubs of the page push to it.
  const push = queue.push.bind(queue);
  queue.push = (...queued) => push(...replayFirst(queued));
  const others = replayFirst(queue.splice(0));
  // What the replayed calls have pushed comes after them.
  refill(queue, others.concat(queue.splice(0)));
};

/** Puts the public object on the tag, then replays the calls that the page has queued. */
export const bind = (tag: Tag, api: PublicApi, calls: readonly QueuedCall[], report: Report): void => {
  setMethods(tag, api.methods);
  for (const [name, stream$] of Object.entries(api.streams)) tag[name] = stream$;
  tag['addons'] = api.addons;
  Object.defineProperty(tag, 'context', { get: api.context, enumerable: true, configurable: true });
  for (const call of replayOrder(calls)) replay(call, api, report);
  const replayAll = (queued: readonly unknown[]): void => {
    for (const call of decodedCalls(queued, report)) replay(call, api, report);
  };
  // The page may have kept a reference to a stub, which still pushes to the queue. A push calls the method at once.
  const live = (queue: unknown[]): unknown[] => {
    queue.length = 0;
    queue.push = (...queued: unknown[]): number => {
      replayAll(queued);
      return 0;
    };
    return queue;
  };
  let queue = live(queueOf(tag));
  // A later tag without a guard writes its stubs over the methods, and begins a queue of its own.
  Object.defineProperty(tag, 'q', {
    get: () => queue,
    set: (later: unknown) => {
      if (!Array.isArray(later)) return;
      const queued: readonly unknown[] = later.slice();
      queue = live(later);
      // Not as arguments of one call, which the browser limits.
      replayAll(queued);
    },
    enumerable: true,
    configurable: true,
  });
};

/** Calls the method of a queued call. A method that does not exist is reported (spec C§8). */
const replay = ({ functionName, arguments: args }: QueuedCall, { methods }: PublicApi, report: Report): void => {
  const method = ownEntry(methods, functionName);
  if (method === undefined) report(`Function permutive.${functionName} caused an error: Does not exist`);
  else {
    const handle = method(...args);
    // A queued listener is bound after the first events. `replay` gives it those events.
    if (functionName === 'on' || functionName === 'once') (handle as Partial<Handle> | undefined)?.replay?.();
  }
};
