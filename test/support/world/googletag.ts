import { targetingTable } from '../../../demo/page/standIns/googletag/targeting';
import type { Googletag } from '../../../src/addons/googleAdManager/googletag';

/** Google's tag on a page, which keeps the targeting of the page as it would go out with an ad request. */
export interface FakeGoogletag extends Googletag {
  readonly targeting: { readonly get: (key: string) => readonly string[] };
}

/** Makes a tag that has loaded: it runs commands at once. `onTargeting` hears each change. */
export const fakeGoogletag = (
  onTargeting: (key: string, value: string | readonly string[] | null) => void,
): FakeGoogletag => {
  const targeting = targetingTable({ warn: (text) => console.warn(text) });
  const pubads: ReturnType<NonNullable<Googletag['pubads']>> = {
    setTargeting: (key, value) => {
      targeting.set(key, value);
      onTargeting(key, value);
    },
    getTargeting: targeting.get,
    clearTargeting: (named) => {
      for (const key of targeting.keys().filter((each) => each === (named ?? each))) {
        targeting.clear(key);
        onTargeting(key, null);
      }
    },
    getSlots: () => [],
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
  return { targeting, cmd: { push: (command) => command() }, pubads: () => pubads };
};
