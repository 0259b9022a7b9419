import * as t from 'io-ts';

const ArrayLike = new t.Type<readonly unknown[], readonly unknown[], unknown>(
  'arguments',
  Array.isArray,
  // Older tags queue their `arguments` object as it is.
  (input, context) =>
    typeof input === 'object' && input !== null && 'length' in input ? t.success(listOf(input as ArrayLike<unknown>)) : t.failure(input, context),
  t.identity,
);

// No method takes more; a length may be anything.
const maxArguments = 16;
const listOf = (input: ArrayLike<unknown>): readonly unknown[] => Array.from({ length: Math.min(input.length, maxArguments) }, (_, i) => input[i]);

/** One call that the tag kept for us. */
export const QueuedCall = t.type({ functionName: t.string, arguments: ArrayLike }, 'QueuedCall');
export type QueuedCall = Readonly<t.TypeOf<typeof QueuedCall>>;

/** These go first, in this order; the rest follows as it was called (spec C§4). */
const firstFunctions = ['identify', 'trigger', 'addon', 'track'];
const firstAddons = ['dfp', 'appnexus_adserver', 'web'];

/** The order in which queued calls are replayed; consent was heard before anything else and is left out. */
export const replayOrder = (calls: readonly QueuedCall[]): readonly QueuedCall[] => {
  const rank = ({ functionName, arguments: [name] }: QueuedCall): number => {
    const place = placeIn(firstFunctions, functionName);
    return place * (firstAddons.length + 1) + (functionName === 'addon' ? placeIn(firstAddons, name) : 0);
  };
  // Sorting is stable: what ranks alike stays in order.
  return calls.filter(({ functionName }) => functionName !== 'consent').sort((a, b) => rank(a) - rank(b));
};

const placeIn = (list: readonly unknown[], item: unknown): number => {
  const place = list.indexOf(item);
  return place === -1 ? list.length : place;
};
