import { EMPTY } from 'rxjs';
import type { Addon } from './addon';

/** Takes an answer of the contextual API that the page has asked for itself; the ad servers' contextual variants hear of it. */
export const contextual: Addon<unknown> = { name: 'contextual', autoInit: false, options: (answer) => answer, run: () => EMPTY };
