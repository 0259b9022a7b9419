import type { GoogleSlot, Googletag, SlotEvent, SlotEventType } from '../../../src/addons/googleAdManager/googletag';

export interface FakeGoogletag extends Googletag {
  readonly say: (type: SlotEventType, event: SlotEvent) => void;
  readonly listening: () => number;
}

export const slotOf = (id: string, more: Partial<GoogleSlot> = {}): GoogleSlot => ({
  getAdUnitPath: () => `/21/${id}`,
  getSlotElementId: () => id,
  getTargetingKeys: () => ['pos'],
  getTargeting: (key) => [`${key} of ${id}`],
  ...more,
});

/** Google's tag with these slots, whose events a test plays. */
export const fakeGoogletag = (
  slots: readonly GoogleSlot[],
  targeting: Readonly<Record<string, readonly string[]>> = {},
): FakeGoogletag => {
  let heard: (readonly [SlotEventType, (event: SlotEvent) => void])[] = [];
  return {
    pubads: () => ({
      setTargeting: () => undefined,
      getTargeting: (key) => targeting[key] ?? [],
      getSlots: () => slots,
      addEventListener: (type, listener) => void (heard = [...heard, [type, listener]]),
      removeEventListener: (type, listener) => void (heard = heard.filter(([t, l]) => t !== type || l !== listener)),
    }),
    say: (type, event) => {
      for (const [wanted, listener] of heard) if (wanted === type) listener(event);
    },
    listening: () => heard.length,
  };
};
