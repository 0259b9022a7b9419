import { useObservable, useObservableState } from 'observable-hooks';
import { catchError, distinctUntilChanged, map, type Observable, of, scan, startWith, switchMap } from 'rxjs';

import type { Definition } from '../../../src/engine/language/language';
import type { Sized, SizeLine } from '../../protocol';
import type { Server } from '../state/ask';

/** How far a count of visitors has come. */
export interface Sizing {
  readonly estimate: (Sized & { readonly error: number }) | undefined;
  readonly progress: { readonly events: number; readonly of: number } | undefined;
  readonly sized: (Sized & { readonly ms: number }) | undefined;
  readonly refused: string | undefined;
}

const begun: Sizing = { estimate: undefined, progress: undefined, sized: undefined, refused: undefined };

const after = (sizing: Sizing, line: SizeLine): Sizing => {
  switch (line.type) {
    case 'estimate':
      return { ...sizing, estimate: line };
    case 'progress':
      return { ...sizing, progress: line };
    case 'sized':
      return { ...sizing, sized: line };
    case 'refused':
      return { ...sizing, refused: line.message };
  }
};

/**
 * Counts the visitors of each definition as it comes, as a text. A count that is under way is given up when the
 * definition changes. Nothing is counted for `undefined`.
 */
export const sizings = (texts$: Observable<string | undefined>, size: Server['size']): Observable<Sizing> =>
  texts$.pipe(
    distinctUntilChanged(),
    switchMap((text) =>
      text === undefined
        ? of(begun)
        : size({ definition: JSON.parse(text) as Definition }).pipe(
            scan(after, begun),
            startWith(begun),
            catchError((error: unknown) =>
              of({ ...begun, refused: error instanceof Error ? error.message : String(error) }),
            ),
          ),
    ),
  );

export const useSize = (size: Server['size'], text: string | undefined): Sizing => {
  const texts$ = useObservable((inputs$) => inputs$.pipe(map(([input]) => input)), [text]);
  const sizing$ = useObservable(() => sizings(texts$, size));
  return useObservableState(sizing$, begun);
};
