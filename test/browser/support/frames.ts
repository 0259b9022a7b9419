import type { Frame, Page } from 'playwright-core';

/** The frames in a page or a frame, however deep they are. */
export const framesIn = async (parent: Page | Frame): Promise<readonly Frame[]> => {
  const elements = await parent.$$('iframe');
  const all = await Promise.all(elements.map((element) => element.contentFrame().catch(() => null)));
  const frames = all.filter((frame) => frame !== null);
  return [...frames, ...(await Promise.all(frames.map(framesIn))).flat()];
};

/** The address of what a page or a frame shows now. */
export const addressOf = (shown: Page | Frame): Promise<string> => shown.evaluate(() => location.href);
