import type { AdSlot, TagState } from './tagState';

/** Shortest time between two `slotVisibilityChanged` of a slot. */
const throttleMs = 200;
/** How long the needed part of an ad is in view without a break until the impression is viewable. */
const viewableMs = 1000;
/** Ads of this many pixels and more need less of them in view (support.google.com/admanager/answer/4524488). */
const largePixels = 242_500;

/**
 * Calls `then` once an element is nearer to the viewport than a margin, in percent of the viewport. Returns what ends
 * the watch. Without a margin, at once.
 */
export const whenNear = (element: Element, marginPercent: number | undefined, then: () => void): (() => void) => {
  if (marginPercent === undefined) {
    then();
    return () => undefined;
  }
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.at(-1)?.isIntersecting !== true) return;
      observer.disconnect();
      then();
    },
    { rootMargin: `${marginPercent}%` },
  );
  observer.observe(element);
  return () => observer.disconnect();
};

/** Tells how much of an ad is in view, and once when it has been viewable by the criteria of Active View. */
export const watchVisibility = (
  slot: AdSlot,
  element: Element,
  [width, height]: readonly [number, number],
  { listeners }: TagState,
): void => {
  const needed = width * height >= largePixels ? 30 : 50;
  let inView = 0;
  let told = 0;
  let isViewable = false;
  let viewable: ReturnType<typeof setTimeout> | undefined;
  let throttle: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    throttle = undefined;
    if (inView === told) return;
    told = inView;
    listeners.emit('slotVisibilityChanged', slot.api, { inViewPercentage: inView });
    throttle = setTimeout(tell, throttleMs);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      inView = Math.round((entries.at(-1)?.intersectionRatio ?? 0) * 100);
      if (throttle === undefined) tell();
      if (inView < needed) {
        clearTimeout(viewable);
        viewable = undefined;
      } else if (!isViewable) {
        viewable ??= setTimeout(() => {
          isViewable = true;
          listeners.emit('impressionViewable', slot.api, {});
        }, viewableMs);
      }
    },
    { threshold: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1] },
  );
  observer.observe(element);
  slot.watches.push(() => {
    observer.disconnect();
    clearTimeout(viewable);
    clearTimeout(throttle);
  });
};
