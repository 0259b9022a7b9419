/** Numbers that are the same for the same seed on every machine. */
export class Random {
  constructor(private state: number) {}

  /** From 0 up to 1. */
  share(): number {
    // Mulberry32.
    this.state = (this.state + 0x6d2b79f5) | 0;
    let x = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  }

  /** An integer from `min` to `max`. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.share() * (max - min + 1));
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.share() * items.length)] as Item;
  }

  /** So many different items, or all there are. */
  several<Item>(count: number, draw: () => Item): Item[] {
    const drawn = new Set<Item>();
    for (let tries = 0; drawn.size < count && tries < 20 * count; tries++) drawn.add(draw());
    return [...drawn];
  }

  /** Draws the first items often and the last ones rarely, as words are used: the n-th with weight 1/n. */
  zipf<Item>(items: readonly Item[]): () => Item {
    const sums: number[] = [];
    let sum = 0;
    for (let rank = 1; rank <= items.length; rank++) sums.push((sum += 1 / rank));
    return () => {
      const at = this.share() * sum;
      let low = 0;
      for (let high = sums.length - 1; low < high;) {
        const middle = (low + high) >> 1;
        if ((sums[middle] as number) < at) low = middle + 1;
        else high = middle;
      }
      return items[low] as Item;
    };
  }
}
