import { AnyString, type Codec, DecodeError, failure, object, readAs, shape, value } from '../codecs/codecs';
import { times } from '../primitives/lists';

/** One call in the tag's queue: the name of a method, and its arguments. */
export interface QueuedCall {
  readonly functionName: string;
  readonly arguments: readonly unknown[];
}

/** Older tags queue their `arguments` object as it is. */
const AnyArguments: Codec<ArrayLike<unknown>> = (input) =>
  typeof input === 'object' && input !== null && 'length' in input ? [] : failure('arguments');
const AnyQueuedCall = object('QueuedCall', shape({ functionName: AnyString, arguments: AnyArguments }));
/**
 * An answer about consent whose arguments cannot be read. Such an answer counts as one without an argument, which is a
 * refusal.
 */
const ConsentCall = object('QueuedCall', shape({ functionName: value('consent', (name) => name === 'consent') }));

// No method takes more arguments. An array-like object of the page may claim any length.
const maxArguments = 16;

/** A queued call with its arguments as a list, or what is wrong with it. Getters of the page's objects may throw. */
export const queuedCallOf = (queued: unknown): QueuedCall | DecodeError => {
  const call = readAs(AnyQueuedCall, queued);
  if (call instanceof DecodeError)
    return readAs(ConsentCall, queued) instanceof DecodeError ? call : { functionName: 'consent', arguments: [] };
  const { functionName, arguments: args } = call;
  return {
    functionName,
    arguments: Array.isArray(args) ? args : times(Math.min(args.length, maxArguments), (i) => args[i]),
  };
};

/** These functions are replayed first, in this order; the others in the order of their calls (spec C§4). */
const firstFunctions = ['identify', 'trigger', 'addon', 'track'];
const firstAddons = ['dfp', 'appnexus_adserver', 'web'];

/** Whether a call is one of those that are replayed first. */
export const isFirst = ({ functionName }: QueuedCall): boolean => firstFunctions.includes(functionName);

/** Sorts queued calls for their replay. Calls of `consent` are left out, because they were read at the start. */
export const replayOrder = (calls: readonly QueuedCall[]): readonly QueuedCall[] => {
  const rank = ({ functionName, arguments: [name] }: QueuedCall): number => {
    // One number for both orders: all calls of a function come before those of the next, addons among them by name.
    const place = placeIn(firstFunctions, functionName);
    return place * (firstAddons.length + 1) + (functionName === 'addon' ? placeIn(firstAddons, name) : 0);
  };
  // Sorting is stable: calls of equal rank stay in order.
  return calls.filter(({ functionName }) => functionName !== 'consent').sort((a, b) => rank(a) - rank(b));
};

/** The place of an item in a list; after the last place where the list does not have it. */
const placeIn = (list: readonly unknown[], item: unknown): number => {
  const place = list.indexOf(item);
  return place === -1 ? list.length : place;
};
