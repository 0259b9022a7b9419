import { type Engine, init as initWhole } from './engine';
import type { RuntimeInput } from './runtimeInput';

// The package entry `permutive-web-sdk/engine`.

export type * from './engine';

/**
 * Makes an engine that takes definitions of any form: they are checked and brought into canonical form. A definition
 * that fails is left out with an error in the report of `bootstrap`. No query is evaluated before `bootstrap`. Throws
 * when the input is not an object (spec S§5).
 */
export const init: (input: RuntimeInput) => Engine = initWhole;
