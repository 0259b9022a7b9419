import { tagged, type Tap } from '../../src/operators/tagged';
import { marble } from '../support/marbles';

describe('tagged', () => {
  const handOn: Tap<string> = (_, next) => next();

  marble('notes each value before it is handed on', ({ hot, effect, expectObservable }) => {
    const note = effect<[string]>();
    const tagging = tagged<string>((value, next) => {
      note(value);
      next();
    });
    const source$ = hot('  -a-b-|');
    const noted = '        -a-b--';
    const expected = '     -a-b-|';
    expectObservable(note.call$).toBe(noted, { a: ['a'], b: ['b'] });
    expectObservable(source$.pipe(tagging)).toBe(expected);
  });

  marble('has values handed on within the tap', ({ hot, expectObservable, flush }) => {
    const order: string[] = [];
    const result$ = hot('-a-|').pipe(
      tagged((value, next) => {
        order.push(`${value} begins`);
        next();
        order.push(`${value} ends`);
      }),
    );
    result$.subscribe((value) => order.push(value));
    expectObservable(result$).toBe('-a-|');
    flush();
    expect(order.slice(0, 3)).toEqual(['a begins', 'a', 'a ends']);
  });

  marble('is as silent as its source, and fails with it', ({ hot, cold, expectObservable }) => {
    expectObservable(cold('|').pipe(tagged(handOn))).toBe('|');
    expectObservable(hot('-').pipe(tagged(handOn))).toBe('-');
    expectObservable(hot('-a-#').pipe(tagged(handOn))).toBe('-a-#');
  });

  marble('lets go of the source when unsubscribed early', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -a-b-#');
    const unsub = '        ^-!   ';
    const expected = '     -a----';
    expectObservable(source$.pipe(tagged(handOn)), unsub).toBe(expected);
    expectSubscriptions(source$.subscriptions).toBe(unsub);
  });
});
