import { NEVER, type Observable } from 'rxjs';

import { fromFocusLoss } from '../../../src/streams/dom/fromFocusLoss';
import { fromPageMessages } from '../../../src/streams/dom/fromPageMessages';
import { marble } from '../../support/marbles';

const heard = (events: Readonly<Record<string, Observable<unknown>>>) => (target: string, type: string) =>
  events[`${target} ${type}`] ?? NEVER;

describe('fromFocusLoss', () => {
  marble(
    'tells when the window loses focus, and when the page is hidden',
    ({ hot, expectObservable, expectSubscriptions }) => {
      const blur$ = hot('      -b-------');
      const visibility$ = hot('---h-v---');
      let hidden = false;
      visibility$.subscribe((letter) => (hidden = letter === 'h'));
      const expected = '       -b-h-----';
      expectObservable(
        fromFocusLoss(heard({ 'window blur': blur$, 'document visibilitychange': visibility$ }), {
          hidden: () => hidden,
        }),
        '^-------!',
      ).toBe(expected);
      expectSubscriptions(blur$.subscriptions).toBe('^-------!');
    },
  );
});

describe('fromPageMessages', () => {
  marble('has what was said, where from, and by whom', ({ hot, expectObservable }) => {
    const message = { data: { a: 1 }, origin: 'https://frame.example', source: 'the frame' };
    const message$ = hot('-m', { m: { ...message, isTrusted: true } });
    expectObservable(fromPageMessages(heard({ 'window message': message$ }))).toBe('-m', { m: message });
  });
});
