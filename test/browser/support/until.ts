/**
 * Asks until there is an answer; fails in the end with what was waited for. The limit is for loaded machines: whoever
 * waits for something that comes soon does not feel it.
 */
export const until = async <A>(
  ask: () => Promise<A | undefined> | A | undefined,
  what: string | (() => string),
  withinMs = 60_000,
): Promise<A> => {
  const end = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error(`Waited in vain for ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** Resolves once the answer has stayed the same for a while: what was to happen has happened. */
export const untilSteady = async (ask: () => Promise<unknown>, quietMs: number): Promise<void> => {
  let [last, since] = ['', Date.now()];
  await until(async () => {
    const now = JSON.stringify(await ask());
    if (now !== last) [last, since] = [now, Date.now()];
    return Date.now() - since >= quietMs ? true : undefined;
  }, 'quiet');
};
