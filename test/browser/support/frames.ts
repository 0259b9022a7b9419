import type { Frame, Page } from 'playwright-core';

/** The frames in a page or a frame, however deep they are. */
const framesIn = async (parent: Page | Frame): Promise<readonly Frame[]> => {
  const elements = await parent.$$('iframe');
  const all = await Promise.all(elements.map((element) => element.contentFrame().catch(() => null)));
  const frames = all.filter((frame) => frame !== null);
  return [...frames, ...(await Promise.all(frames.map(framesIn))).flat()];
};

/** The address of what a page or a frame shows now. */
export const addressOf = (shown: Page | Frame): Promise<string> => shown.evaluate(() => location.href);

/** The frames in a page, however deep they are, whose address is a wanted one. */
export const framesAt = async (page: Page, isWanted: (address: string) => boolean): Promise<readonly Frame[]> => {
  const frames = await framesIn(page);
  const addresses = await Promise.all(frames.map((frame) => addressOf(frame).catch(() => undefined)));
  return frames.filter((_, i) => addresses[i] !== undefined && isWanted(addresses[i]));
};
