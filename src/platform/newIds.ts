import { times } from '../primitives/lists';

/** Ids that one draw of random bytes is enough for. The browser takes longer to draw than to hand the bytes over. */
const idsPerDraw = 128;
const bytesPerId = 16;

/**
 * Makes new ids, UUIDs of version 4. Random bytes are drawn for many ids at a time, because a page that tracks
 * thousands of events would otherwise spend more on their ids than on anything else. `draw` fills a list with random
 * bytes.
 */
export const newIds = (draw: (bytes: Uint8Array<ArrayBuffer>) => unknown): (() => string) => {
  const bytes = new Uint8Array(idsPerDraw * bytesPerId);
  let used = bytes.length;
  return () => {
    if (used === bytes.length) {
      draw(bytes);
      used = 0;
    }
    return uuidOf(bytes.subarray(used, (used += bytesPerId)));
  };
};

/** Two hexadecimal digits for each byte. */
const hex = times(256, (byte) => (byte + 256).toString(16).slice(1));
/** Places in an id that a dash precedes. */
const dashes = [4, 6, 8, 10];

/** The UUID of version 4 that is made of these bytes, six bits of which say that it is one. */
const uuidOf = (bytes: Uint8Array): string => {
  let id = '';
  bytes.forEach((byte, i) => {
    const bits = i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte;
    id += (dashes.includes(i) ? '-' : '') + (hex[bits] as string);
  });
  return id;
};
