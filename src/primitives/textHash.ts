/**
 * A number of 53 bits that stands for a text, to notice that it changed without keeping it (cyrb53). The number is no
 * secret.
 */
export const textHash = (text: string): number => {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  const mixed = (a: number, b: number): number =>
    Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  return (mixed(low, high) & 0x1fffff) * 2 ** 32 + (mixed(high, low) >>> 0);
};
