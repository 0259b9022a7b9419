/** The nth id: a UUID of version 4. */
export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Ids that count up, so that two runs make the same. */
export const countedIds = (): (() => string) => {
  let count = 0;
  return () => uuid((count += 1));
};
