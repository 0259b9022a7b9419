import { defer, finalize, mergeMap, Subject } from 'rxjs';

import type { Listen } from '../platform/platform';

/** DOM events that are fired by hand. */
export interface FakeListeners {
  readonly listen: Listen;
  /** Listeners that are registered, as `window storage`; sorted. */
  readonly listening: () => readonly string[];
  /** Fires an event of the browser's own, unless the fields of the event say otherwise. */
  readonly fire: (target: Parameters<Listen>[0], type: string, event?: object) => void;
}

/** Makes a page without listeners. */
export const fakeListeners = (): FakeListeners => {
  const fired$ = new Subject<readonly [name: string, event: unknown]>();
  const names: string[] = [];
  return {
    listen: (target, type) =>
      defer(() => {
        const name = `${target} ${type}`;
        names.push(name);
        return fired$.pipe(
          mergeMap(([fired, event]) => (fired === name ? [event] : [])),
          finalize(() => names.splice(names.indexOf(name), 1)),
        );
      }),
    listening: () => [...names].sort(),
    fire: (target, type, event) => fired$.next([`${target} ${type}`, { isTrusted: true, ...event }]),
  };
};
