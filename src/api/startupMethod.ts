import { defer, filter, firstValueFrom, startWith, Subject, tap } from 'rxjs';

import type { Startup } from '../model/startup';
import type { ApiPart } from './apiPart';

/** The method `startup`: resolves with what the start-up of the visit has found; late calls get the same. */
export const startupMethod = (): ApiPart => {
  // Undefined while start-up runs.
  let found: Startup | null | undefined;
  const found$ = new Subject<Startup | null>();
  const tell = (startup: Startup | null): void => found$.next((found = startup));
  return {
    methods: {
      startup: () => {
        const known$ = found$.pipe(startWith(found));
        return firstValueFrom(known$.pipe(filter((startup) => startup !== undefined)), { defaultValue: null });
      },
    },
    follow: ({ service$ }) =>
      defer(() => {
        found = undefined;
        return service$.pipe(tap((output) => output.type === 'started' && tell(output.startup)));
      }),
    forget: () => tell(null),
  };
};
