import { NEVER, type Observable, timer } from 'rxjs';

import { mergeInTasks } from '../../../src/operators/creators/mergeInTasks';
import { marble } from '../../support/marbles';

/** A task ends after 2 ms. */
const yieldThread = (): Observable<unknown> => timer(2);

describe('mergeInTasks', () => {
  marble('subscribes to each stream in a task of its own', ({ cold, expectObservable }) => {
    const [a, b, c] = [cold('a----A|'), cold('-b-|'), cold('c-|')];
    const tasks = { yieldThread, hurry$: NEVER };
    expectObservable(mergeInTasks(tasks, [() => a, () => b, () => c])).toBe('a--bcA|');
  });

  marble('subscribes to all that is left at once when it has to hurry', ({ cold, hot, expectObservable }) => {
    const [a, b, c] = [cold('a|'), cold('b|'), cold('c')];
    const hurry$ = hot('-h');
    expectObservable(mergeInTasks({ yieldThread, hurry$ }, [() => a, () => b, () => c])).toBe('a(bc)');
  });

  marble('makes a stream in its own task', ({ cold, effect, expectObservable }) => {
    const made = effect<[]>();
    const make = (): Observable<string> => {
      made();
      return cold('b|');
    };
    const tasks = { yieldThread, hurry$: NEVER };
    expectObservable(mergeInTasks(tasks, [() => cold('|'), make])).toBe('--b|');
    expectObservable(made.call$).toBe('--m', { m: [] });
  });

  marble('does not begin what is left after an error or an unsubscription', ({ cold, effect, expectObservable }) => {
    const made = effect<[]>();
    const make = (): Observable<string> => {
      made();
      return cold('b|');
    };
    const tasks = { yieldThread, hurry$: NEVER };
    expectObservable(mergeInTasks(tasks, [() => cold('-#'), make])).toBe('-#');
    expectObservable(mergeInTasks(tasks, [() => cold('a--'), make]), '-!').toBe('a');
    expectObservable(made.call$).toBe('-');
  });

  marble('is the first stream where there is no other', ({ cold, expectObservable }) => {
    expectObservable(mergeInTasks({ yieldThread, hurry$: NEVER }, [() => cold('-a|')])).toBe('-a|');
  });
});
