import { v4 } from 'uuid';

/** Ids that one draw of random bytes is enough for. The browser takes longer to draw than to hand the bytes over. */
const idsPerDraw = 128;
const idBytes = 16;

/**
 * Makes new ids, UUIDs of version 4. Random bytes are drawn for many ids at a time, because a page that tracks
 * thousands of events would otherwise spend more on their ids than on anything else. `draw` fills a list with random
 * bytes.
 */
export const newIds = (draw: (bytes: Uint8Array<ArrayBuffer>) => unknown): (() => string) => {
  const bytes = new Uint8Array(idsPerDraw * idBytes);
  let used = bytes.length;
  return () => {
    if (used === bytes.length) {
      draw(bytes);
      used = 0;
    }
    return v4({ random: bytes.subarray(used, (used += idBytes)) });
  };
};
