import { useObservable, useObservableState } from 'observable-hooks';
import { catchError, concat, distinctUntilChanged, map, type Observable, of, switchMap, timer } from 'rxjs';

import type { ProjectFinding } from '../../../project/check/finding';
import { readJson } from '../../../project/json/readJson';
import type { Cost } from '../../protocol';
import type { Server } from '../state/ask';

/** What is known of a text. */
export interface CheckedText {
  /** The text that was looked at. */
  readonly text: string;
  /** The definition; undefined where the text is no JSON. */
  readonly json: unknown;
  readonly findings: readonly ProjectFinding[];
  readonly cost: Cost | undefined;
  /** `waiting`: the server has not answered for this text yet. */
  readonly state: 'waiting' | 'checked' | 'failed';
}

/** How long nobody has typed before the server is asked. */
export const pauseMs = 250;

/**
 * Checks texts as they come. What is no JSON is said at once. An answer that comes when there is a newer text is thrown
 * away.
 */
export const checks = (
  texts$: Observable<readonly [id: string | undefined, text: string]>,
  ask: Server['ask'],
): Observable<CheckedText> =>
  texts$.pipe(
    distinctUntilChanged(([idA, a], [idB, b]) => idA === idB && a === b),
    switchMap(([id, text]): Observable<CheckedText> => {
      const { value, faults } = readJson(text);
      const begun: CheckedText = { text, json: value, findings: faults, cost: undefined, state: 'waiting' };
      if (value === undefined) return of({ ...begun, state: 'checked' });
      const answer$ = timer(pauseMs).pipe(
        switchMap(() => ask('check', { id, definition: value })),
        map(({ findings, cost }): CheckedText => ({
          ...begun,
          findings: [...faults, ...findings],
          cost,
          state: 'checked',
        })),
        catchError(() => of<CheckedText>({ ...begun, state: 'failed' })),
      );
      return concat(of(begun), answer$);
    }),
  );

const nothing: CheckedText = { text: '', json: undefined, findings: [], cost: undefined, state: 'waiting' };

/** The same for the text of a view. While a new text is looked at, the findings of the last stay. */
export const useCheck = (ask: Server['ask'], id: string | undefined, text: string): CheckedText => {
  const texts$ = useObservable((inputs$) => inputs$, [id, text] as const);
  const checked$ = useObservable(() => checks(texts$, ask));
  return useObservableState(checked$, nothing);
};
