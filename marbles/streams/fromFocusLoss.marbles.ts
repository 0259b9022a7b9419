import { NEVER, type Observable } from 'rxjs';
import { fromFocusLoss } from '../../src/streams/fromFocusLoss';
import { fromPageMessages } from '../../src/streams/fromPageMessages';
import { marbles } from '../support/marbles';

const heard = (events: Readonly<Record<string, Observable<unknown>>>) => (target: string, type: string) => events[`${target} ${type}`] ?? NEVER;

describe('fromFocusLoss', () => {
  it('tells when the window loses focus, and when the page is hidden', marbles(({ hot, expectObservable, expectSubscriptions }) => {
    const blur$ = hot('      -b-------');
    const visibility$ = hot('---h-v---');
    let hidden = false;
    visibility$.subscribe((letter) => (hidden = letter === 'h'));
    const expected = '       -b-h-----';
    expectObservable(fromFocusLoss(heard({ 'window blur': blur$, 'document visibilitychange': visibility$ }), { hidden: () => hidden }), '^-------!').toBe(expected);
    expectSubscriptions(blur$.subscriptions).toBe('^-------!');
  }));
});

describe('fromPageMessages', () => {
  it('has what was said, where from, and by whom', marbles(({ hot, expectObservable }) => {
    const message = { data: { a: 1 }, origin: 'https://frame.example', source: 'the frame' };
    const message$ = hot('-m', { m: { ...message, isTrusted: true } });
    expectObservable(fromPageMessages(heard({ 'window message': message$ }))).toBe('-m', { m: message });
  }));
});
