/** The message of a thrown value. Never throws, because pages throw values that cannot be read. */
export const messageOf = (thrown: unknown): string => {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'unreadable';
  }
};
