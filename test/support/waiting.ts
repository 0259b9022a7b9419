/** Lets all run that waits in the event loop, and the work of `crypto.subtle` that was begun before. */
const turn = async (): Promise<void> => {
  await crypto.subtle.digest('SHA-256', new Uint8Array(1));
  await new Promise((resolve) => setTimeout(resolve));
};

/** Goes round the event loop so often that what has not happened by then does not happen. */
export const settled = async (turns = 20): Promise<void> => {
  for (let i = 0; i < turns; i += 1) await turn();
};

/** Goes round the event loop until it is so, or fails. */
export const until = async (isSo: () => boolean | Promise<boolean>, turns = 2000): Promise<void> => {
  for (let i = 0; !(await isSo()); i += 1) {
    if (i === turns) throw new Error('It never was so');
    await turn();
  }
};
