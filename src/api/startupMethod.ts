import { defer, tap } from 'rxjs';

import type { Startup } from '../model/startup';
import type { ApiPart } from './apiPart';

/** The method `startup`: resolves with what the start-up of the visit has found; late calls get the same. */
export const startupMethod = (): ApiPart => {
  // Undefined while start-up runs.
  let found: Startup | null | undefined;
  let waiting: readonly ((startup: Startup | null) => void)[] = [];
  const tell = (startup: Startup | null): void => {
    found = startup;
    for (const resolve of waiting) resolve(startup);
    waiting = [];
  };
  return {
    methods: {
      startup: () =>
        new Promise((resolve) => {
          waiting = [...waiting, resolve];
          if (found !== undefined) tell(found);
        }),
    },
    follow: ({ service$ }) =>
      defer(() => {
        found = undefined;
        return service$.pipe(
          tap((output) => {
            if (output.type === 'started') tell(output.startup);
          }),
        );
      }),
    forget: () => tell(null),
  };
};
