import { ignoreElements, merge, type Observable, tap } from 'rxjs';

import type { PublicCalls } from './publicCalls';

/** Answers each call of the page with null, or as done: nobody else hears calls without consent. Never completes. */
export const answerWithNothing = ({ track$, reset$, identify$, explain$ }: PublicCalls): Observable<never> =>
  merge(
    track$.pipe(tap(({ accepted }) => accepted(null))),
    reset$.pipe(tap((done) => done())),
    identify$.pipe(tap(({ done }) => done(null))),
    explain$.pipe(tap(({ done }) => done(null))),
  ).pipe(ignoreElements());
