/**
 * Name of the lock that a page holds while it lives, and that no other page takes over. The engine's host looks for it
 * before it counts the events of another page.
 */
export const aliveLock = (page: string): string => `permutive-alive-${page}`;

/** Name of the lock of a page whose events nobody else may deliver. */
export const pageLock = (page: string): string => `permutive-page-${page}`;
