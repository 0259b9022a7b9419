import * as fc from 'fast-check';

import type { BrowserTraits } from '../support/world/browser';

/** The hosts of the tabs: two of each origin. */
export const hosts = ['www.site.example', 'www.site.example', 'finance.site.example', 'finance.site.example'] as const;

/** What a visitor does in a tab. */
export type TabDeed =
  /** Navigates; the page's snippet may already have an answer about consent in its queue. */
  | { readonly do: 'open'; readonly tab: number; readonly consent?: boolean | undefined }
  /**
   * A router goes to another article and the page calls `addon('web')` (`spa`), goes there alone (`route`), or the page
   * makes the very same call again (`again`).
   */
  | {
      readonly do:
        'spa' | 'route' | 'again' | 'logout' | 'close' | 'crash' | 'back' | 'prerender' | 'activate' | 'hide' | 'show';
      readonly tab: number;
    }
  | { readonly do: 'login'; readonly tab: number; readonly as: string }
  | { readonly do: 'consent'; readonly tab: number; readonly given: boolean }
  /** Gives consent and withdraws it in one task. */
  | { readonly do: 'waver'; readonly tab: number };

/** What a visitor does, or what happens to the device. */
export type Deed =
  | TabDeed
  /** The visitor's clock is set. */
  | { readonly do: 'clock'; readonly ms: number }
  /** The network is lost, or returns. */
  | { readonly do: 'network'; readonly isOnline: boolean };

/** A deed, and how long it is until the next one, in ms. */
export type Step = Timed<Deed>;
type Timed<D> = D extends unknown ? D & { readonly then: number } : never;

/** What a visitor does on a site. */
export interface Story {
  readonly consentRequired: boolean;
  /** Default: all pages are in one process, and hear of no changes of cookies. */
  readonly traits?: BrowserTraits;
  readonly steps: readonly Step[];
}

// Most happens in the first tab of each origin, so that pages there follow each other.
const tab = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(1) },
  { weight: 3, arbitrary: fc.constant(2) },
  { weight: 1, arbitrary: fc.constant(3) },
);
const answer = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
);
const open = fc.record({ do: fc.constant('open' as const), tab, consent: answer });
const plain = fc.record({
  do: fc.constantFrom(
    'close' as const,
    'crash' as const,
    'prerender' as const,
    'activate' as const,
    'hide' as const,
    'show' as const,
  ),
  tab,
});
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 10, arbitrary: open },
  { weight: 8, arbitrary: plain },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('spa' as const), tab }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('route' as const, 'again' as const), tab }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('back' as const), tab }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('login' as const), tab, as: fc.constantFrom('anna', 'anna', 'ben') }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('logout' as const), tab }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('consent' as const), tab, given: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('clock' as const), ms: fc.constantFrom(-86_400_000, -60_000, 60_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('network' as const), isOnline: fc.boolean() }) },
);

/** From no time at all to 40 minutes; most deeds are soon followed by the next. */
const pause = fc.constantFrom(0, 0, 3, 30, 100, 700, 700, 2500, 2500, 7000, 11_000, 60_000, 320_000, 2_400_000);

/** Four to twelve deeds. */
export const story: fc.Arbitrary<Story> = fc.record({
  consentRequired: fc.boolean(),
  steps: fc.array(
    fc.tuple(deed, pause).map(([done, then]): Step => ({ ...done, then })),
    { minLength: 4, maxLength: 12 },
  ),
});

/** The story of a seed. Every second one is in a browser that tells pages of changes of cookies. */
export const storyOf = (seed: number): Story => ({
  ...fc.sample(story, { seed, numRuns: 1 })[0]!,
  traits: { lateMs: 0, hasCookieStore: seed % 2 === 0, lingerMs: 0 },
});

/**
 * The shortest story that still fails: steps are left out, one after the other, as long as one can be. `fails` plays a
 * story.
 */
export const shortest = (told: Story, fails: (shorter: Story) => boolean): Story => {
  for (let i = 0; i < told.steps.length; i += 1) {
    const shorter = { ...told, steps: told.steps.filter((_, at) => at !== i) };
    if (fails(shorter)) return shortest(shorter, fails);
  }
  return told;
};
