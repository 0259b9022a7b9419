/** Says in the console why nothing starts (spec C§8). */
export const warn = (reason: string): void => console.warn(`Permutive was not initialized. ${reason}`);
