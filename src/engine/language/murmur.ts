import { mapItems } from '../../primitives/lists';

// MurmurHash3 x86-128 over UTF-8. Chosen over a cryptographic hash because it is synchronous and takes some sixty
// nanoseconds for a keyword; it hides words from casual reading only.
// The text is taken in blocks of 16 bytes, each of which is mixed into four lanes of 32 bits. What is left at the end
// is padded with zeros. After the last block, the lanes are mixed with one another.

const multipliers = [0x239b961b, 0xab0e9789, 0x38b34ae5, 0xa1e38b93] as const;
const wordRotations = [15, 16, 17, 18] as const;
const laneRotations = [19, 17, 15, 13] as const;
const addends = [0x561ccd1b, 0x0bcaa747, 0x96cd1c35, 0x32ac3b17] as const;
const laneIndexes = [0, 1, 2, 3] as const;
type LaneIndex = (typeof laneIndexes)[number];

/** The 53-bit hash of a normalised string: an exact JavaScript number, usable as a key without allocation. */
export const h53 = (text: string, seed: number): number => {
  hash(text, seed);
  return ((laneSums[1] ?? 0) & 0x1fffff) * 4294967296 + ((laneSums[0] ?? 0) >>> 0);
};

/** The 32-bit hash of a normalised string, for counting different values. */
export const h32 = (text: string, seed: number): number => {
  hash(text, seed);
  return (laneSums[0] ?? 0) >>> 0;
};

/** All 128 bits of the hash in hexadecimal, lane by lane, to compare with other implementations. */
export const murmur128 = (text: string, seed: number): string => {
  hash(text, seed);
  return mapItems(laneSums, (lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
};

// Shared by all calls: hashing is synchronous and must not allocate.
const laneSums = new Int32Array(4);
let bytes = new Uint8Array(256);

const hash = (text: string, seed: number): void => {
  const length = encode(text);
  laneSums.fill(seed);
  let at = 0;
  for (; at + 16 <= length; at += 16) for (const lane of laneIndexes) absorb(lane, at);
  // The buffer has bytes of earlier texts behind this one. A missing word hashes to 0 and changes nothing.
  bytes.fill(0, length, at + 16);
  for (const lane of laneIndexes) laneSums[lane] = get(lane) ^ scramble(word(at + 4 * lane), lane) ^ length;
  addUp();
  for (const lane of laneIndexes) laneSums[lane] = avalanche(get(lane));
  addUp();
};

/** Mixes one word of a block into its lane. */
const absorb = (lane: LaneIndex, block: number): void => {
  const mixed = get(lane) ^ scramble(word(block + 4 * lane), lane);
  laneSums[lane] = Math.imul(rotate(mixed, laneRotations[lane]) + get((lane + 1) & 3), 5) + addends[lane];
};

const get = (lane: number): number => laneSums[lane] ?? 0;

/** Four bytes of the buffer as a little-endian number. */
const word = (at: number): number =>
  (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);

/** Spreads the bits of a word before it goes into a lane. */
const scramble = (value: number, lane: LaneIndex): number =>
  Math.imul(
    rotate(Math.imul(value, multipliers[lane]), wordRotations[lane]),
    multipliers[((lane + 1) & 3) as LaneIndex],
  );

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/** Makes every bit of a lane's value depend on all bits of that value. */
const avalanche = (value: number): number => {
  let x = value;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
};

/** Adds the lanes up, so that the value of every lane depends on all lanes. */
const addUp = (): void => {
  laneSums[0] = get(0) + get(1) + get(2) + get(3);
  for (let lane = 1; lane < 4; lane++) laneSums[lane] = get(lane) + get(0);
};

/**
 * UTF-8 into the shared buffer, always with sixteen spare bytes; a lone surrogate becomes U+FFFD. Returns the length.
 */
const encode = (text: string): number => {
  // A UTF-16 unit takes three bytes at most.
  if (bytes.length < text.length * 3 + 16) bytes = new Uint8Array(text.length * 6 + 16);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      bytes[length++] = code;
      continue;
    }
    if (code >= 0xd800 && code < 0xe000) {
      code = text.codePointAt(i) ?? 0xfffd;
      if (code > 0xffff) i++;
      else code = 0xfffd;
    }
    length = encodeWide(code, length);
  }
  return length;
};

/** Writes a code point of two, three or four bytes, and answers where the next one begins. */
const encodeWide = (code: number, start: number): number => {
  let at = start;
  if (code < 0x800) {
    bytes[at++] = 0xc0 | (code >> 6);
  } else {
    if (code < 0x10000) bytes[at++] = 0xe0 | (code >> 12);
    else {
      bytes[at++] = 0xf0 | (code >> 18);
      bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
    }
    bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
  }
  bytes[at++] = 0x80 | (code & 0x3f);
  return at;
};
