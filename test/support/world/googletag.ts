import type { Googletag } from '../../../src/addons/googleAdManager/googletag';

/** Google's tag on a page, which keeps the targeting of the page as it would go out with an ad request. */
export interface FakeGoogletag extends Googletag {
  readonly targeting: ReadonlyMap<string, readonly string[]>;
}

/** Makes a tag that has loaded: it runs commands at once. `onTargeting` hears each change. */
export const fakeGoogletag = (
  onTargeting: (key: string, value: string | readonly string[] | null) => void,
): FakeGoogletag => {
  const targeting = new Map<string, readonly string[]>();
  const pubads: ReturnType<NonNullable<Googletag['pubads']>> = {
    setTargeting: (key, value) => {
      targeting.set(key, [value].flat());
      onTargeting(key, value);
    },
    getTargeting: (key) => targeting.get(key) ?? [],
    clearTargeting: (key) => {
      if (targeting.delete(key)) onTargeting(key, null);
    },
    getSlots: () => [],
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
  return { targeting, cmd: { push: (command) => command() }, pubads: () => pubads };
};
