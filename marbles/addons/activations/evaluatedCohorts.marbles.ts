import { evaluatedCohorts } from '../../../src/addons/activations/evaluatedCohorts';
import type { Cohorts } from '../../../src/model/cohorts';
import { marble } from '../../support/marbles';

const of = (isRealtime: boolean, ...members: string[]): Cohorts => ({ members, activations: {}, isRealtime });
/** l: the last page's; a, b: of this page. */
const cohorts = { l: of(false, '7'), a: of(true, '7'), b: of(true, '7', '8') };

describe('evaluatedCohorts', () => {
  marble('are those of this page, at each change and in each further view', ({ hot, expectObservable }) => {
    const cohorts$ = hot(' l--a----b---', cohorts);
    const view$ = hot('    v-----w--x--');
    const expected = '     ---a--a-bb--';
    expectObservable(evaluatedCohorts({ cohorts$, view$ })).toBe(expected, cohorts);
  });

  marble('never come where this page has evaluated none', ({ cold, expectObservable }) => {
    expectObservable(evaluatedCohorts({ cohorts$: cold('l-l', cohorts), view$: cold('v-w') })).toBe('---');
  });

  marble('end with their user, until those of the next user are evaluated', ({ hot, expectObservable }) => {
    const cohorts$ = hot(' a-l---b', cohorts);
    const view$ = hot('    v---w--');
    expectObservable(evaluatedCohorts({ cohorts$, view$ })).toBe('a-----b', cohorts);
  });

  marble('complete when both have, and pass errors on', ({ cold, expectObservable }) => {
    const cohorts$ = cold('a|', cohorts);
    expectObservable(evaluatedCohorts({ cohorts$, view$: cold('v-w|') })).toBe('a-a|', cohorts);
    expectObservable(evaluatedCohorts({ cohorts$, view$: cold('--#') })).toBe('a-#', cohorts);
  });

  marble('let go of both', ({ cold, expectObservable, expectSubscriptions }) => {
    const [cohorts$, view$] = [cold('a-', cohorts), cold('v-')];
    expectObservable(evaluatedCohorts({ cohorts$, view$ }), '--!').toBe('a', cohorts);
    expectSubscriptions(cohorts$.subscriptions).toBe('^-!');
    expectSubscriptions(view$.subscriptions).toBe('^-!');
  });
});
