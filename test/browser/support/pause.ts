/**
 * Lets time pass that a test cannot wait for in another way: a person who reads, a server that is slow, an outage that
 * lasts. `why` says which. A test that waits for something to happen asks for that thing by `until` instead.
 */
export const pause = (ms: number, why: string): Promise<void> => {
  if (why === '') throw new Error('A pause needs a reason');
  return new Promise((resolve) => setTimeout(resolve, ms));
};
