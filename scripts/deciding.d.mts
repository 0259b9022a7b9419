export const deciding: readonly string[];
