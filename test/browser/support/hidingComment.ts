/** Elements whose names a document shows as members, and fields, which a form shows as its own. */
const elements: readonly ((name: string) => string)[] = [
  (name) => `<img name=${name}>`,
  (name) => `<form name=${name}></form>`,
  (name) => `<form><input name=${name}></form>`,
  (name) => `<form id=${name} name=${name}><input name=${name}><input id=${name}></form>`,
  (name) => `<iframe name=${name}></iframe>`,
  (name) => `<object id=${name}></object>`,
];

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
const randomFrom = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

/**
 * The HTML of a comment that hides members of documents and forms: each name by some chance, which differs from seed to
 * seed, in one or two elements.
 */
export const hidingComment = (names: readonly string[], seed: number): string => {
  const random = randomFrom(seed);
  const share = random();
  const pick = (): ((name: string) => string) => elements[Math.floor(random() * elements.length)]!;
  return names
    .flatMap((name) => (random() > share ? [] : random() < 0.2 ? [pick()(name), pick()(name)] : [pick()(name)]))
    .join('');
};
