import { defer, fromEvent, NEVER } from 'rxjs';

import { tagOf } from '../api/tag';
import type { PageDoor } from './pageLink';

/**
 * The door to the global object of that name: `window.permutive`. On a server there is none, and none arrives. The SDK
 * dispatches `permutive:ready` on `window` when it has started, so nothing has to be polled.
 */
export const windowDoor = (key: string): PageDoor => ({
  find: () => tagOf((globalThis as Readonly<Record<string, unknown>>)[key]),
  arrival$: defer(() => (typeof window === 'undefined' ? NEVER : fromEvent(window, 'permutive:ready'))),
});
