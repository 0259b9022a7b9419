/** What a thrown value says of itself; pages throw what cannot even be read. */
export const messageOf = (thrown: unknown): string => {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'unreadable';
  }
};
