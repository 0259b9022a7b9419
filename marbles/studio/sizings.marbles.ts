import { map } from 'rxjs';

import { sizings } from '../../studio/page/size/useSize';
import type { Server } from '../../studio/page/state/ask';
import type { SizeLine } from '../../studio/protocol';
import { marble } from '../support/marbles';

const sized = { visitors: 10, members: 1, days: [], overlaps: [], experiment: undefined };
const lines: Readonly<Record<string, SizeLine>> = {
  e: { type: 'estimate', error: 2, ...sized },
  p: { type: 'progress', events: 5, of: 10 },
  s: { type: 'sized', ms: 3, ...sized },
};

describe('A size', () => {
  marble('is an estimate first, then progress, then the number', ({ hot, cold, expectObservable }) => {
    const size = (() => cold('-e-p-s|', lines)) as Server['size'];
    const sizes$ = sizings(hot('a', { a: '{}' }), size);
    expectObservable(
      sizes$.pipe(map(({ estimate, progress, sized: last }) => [estimate?.error, progress?.events, last?.ms])),
    ).toBe('ae-p-s', {
      a: [undefined, undefined, undefined],
      e: [2, undefined, undefined],
      p: [2, 5, undefined],
      s: [2, 5, 3],
    });
  });

  marble(
    'is given up when the definition changes, or there is none',
    ({ hot, cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('---e---s', lines);
      const texts$ = hot('  a----b-x', { a: '{}', b: '{"id":1}', x: undefined });
      const expected = '     n--e-n-n';
      expectObservable(sizings(texts$, () => source$).pipe(map(({ estimate }) => estimate?.error))).toBe(expected, {
        n: undefined,
        e: 2,
      });
      expectSubscriptions(source$.subscriptions).toBe(['^----!', '-----^-!']);
    },
  );
});
