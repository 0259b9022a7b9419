import * as fc from 'fast-check';

/** What the visitor, or the world around, does next; then so many ms pass. */
export type Step = { readonly then: number } & (
  | {
      readonly do: 'open' | 'view' | 'track' | 'engage' | 'close' | 'crash' | 'back' | 'hide' | 'show' | 'freeze';
      readonly tab: number;
    }
  /** All pages of the browser are left in one moment, each by a process of its own. */
  | { readonly do: 'leaveAll' }
  | { readonly do: 'network' | 'local' | 'engine' | 'store'; readonly works: boolean }
  /** The encrypted store answers nothing for so many ms. */
  | { readonly do: 'busy'; readonly ms: number }
  /** From now on the server knows the visitor's place, or does not, and takes so many ms longer to say so. */
  | { readonly do: 'place'; readonly works: boolean; readonly lateMs: number }
);
export type Story = readonly Step[];

/** Pauses around the moments at which a page script, an engine and a save begin and end. */
const pauses = [0, 1, 2, 5, 15, 20, 21, 22, 25, 30, 35, 45, 60, 100, 150, 300, 700, 1500, 4900, 5200, 6000, 11_000];
const deeds = [
  'open',
  'open',
  'open',
  'view',
  'track',
  'track',
  'track',
  'engage',
  'close',
  'crash',
  'back',
  'hide',
  'show',
  'freeze',
] as const;
/** Around the times that an upload and an evaluation wait for a value, and one that never comes in time. */
const latePlaces = [0, 700, 960, 1500, 4000, 4900, 60_000];
/** Around the time that a store gets for its first answer, and that a page waits for the visitor's history. */
const busyTimes = [100, 1400, 1600, 2100, 4000, 20_000];
const then = fc.constantFrom(...pauses);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constantFrom(...deeds), tab: fc.nat(2), then }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leaveAll' as const), then }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('network' as const, 'local', 'engine', 'store'),
      works: fc.boolean(),
      then,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('busy' as const), ms: fc.constantFrom(...busyTimes), then }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      works: fc.boolean(),
      lateMs: fc.constantFrom(...latePlaces),
      then,
    }),
  },
);

/** Stories of one visitor with three tabs of one origin. */
export const anyStory: fc.Arbitrary<Story> = fc.array(step, { minLength: 3, maxLength: 16 });
