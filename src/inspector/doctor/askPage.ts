import { EMPTY, firstValueFrom, from, Observable, type ObservableInput, of, take, timeout } from 'rxjs';

/** The first value; the fallback where none comes within that many ms, or where an error comes. */
export const valueWithin = <A, B>(ms: number, value$: Observable<A>, fallback: B): Promise<A | B> =>
  firstValueFrom(value$.pipe(timeout({ first: ms, with: () => of(fallback) })), { defaultValue: fallback }).catch(
    () => fallback,
  );

/** What a function of the page calls back with. Completes where the function throws. */
export const calledBack = (ask: (answer: (data: unknown) => void) => void): Observable<unknown> =>
  new Observable<unknown>((subscriber) => {
    try {
      ask((data) => subscriber.next(data));
    } catch {
      subscriber.complete();
    }
  }).pipe(take(1));

/** What a promise of the page resolves with. Completes where making the promise throws, or where there is none. */
export const promised = <A>(ask: () => ObservableInput<A> | undefined): Observable<A> => {
  try {
    return from(ask() ?? EMPTY);
  } catch {
    return EMPTY;
  }
};

/** What an action answers, or the fallback where it throws: it reads objects of the page, whose getters may. */
export const readOf = <A>(action: () => A, fallback: A): A => {
  try {
    return action();
  } catch {
    return fallback;
  }
};
