import { EMPTY, NEVER } from 'rxjs';

import { viewIds } from '../../src/cohorts/viewIds';
import { marble } from '../support/marbles';

const events = { a: { view_id: 'v' }, b: { view_id: 'w' } };
const current = () => 'v';

describe('viewIds', () => {
  marble('starts with the view of the moment, and notices another by its first event', (helpers) => {
    const { cold, expectObservable } = helpers;
    expectObservable(viewIds(cold('--a-b--b|', events), current)).toBe('v---w---|');
  });

  marble('starts with the view of the moment for a late reader too', ({ hot, schedule, expectObservable }) => {
    let view = 'v';
    const view$ = viewIds(hot('--b', events), () => view);
    expectObservable(view$).toBe('v-w');
    schedule('--w', { w: () => (view = 'w') });
    expectObservable(view$, '---^').toBe('---w');
  });

  marble('ends with the events', ({ expectObservable }) => {
    expectObservable(viewIds(EMPTY, current)).toBe('(v|)');
    expectObservable(viewIds(NEVER, current)).toBe('v');
  });

  marble('passes an error of the events on', ({ cold, expectObservable }) => {
    expectObservable(viewIds(cold('-a#', events), current)).toBe('v-#');
  });

  marble('lets the events go when unsubscribed', ({ hot, expectObservable, expectSubscriptions }) => {
    const event$ = hot('  -a-b', events);
    const unsub = '       ^-!';
    expectObservable(viewIds(event$, current), unsub).toBe('v--');
    expectSubscriptions(event$.subscriptions).toBe(unsub);
  });
});
