import { NEVER, tap } from 'rxjs';

import { dueActivations } from '../../../src/addons/activations/dueActivations';
import type { Activation } from '../../../src/model/activation';
import type { Cohorts } from '../../../src/model/cohorts';
import type { Transition } from '../../../src/model/engineCommands';
import { shareState } from '../../../src/operators/shareState';
import { marble } from '../../support/marbles';

const activation = (id: string, tt: Activation['tt'], changes: Partial<Activation> = {}): Activation => ({
  id,
  short_id: id,
  sc: 7,
  tt,
  ...changes,
});
/** E: EveryTime, N: OnEntry, X: OnExit; F, M: EveryTime and OnEntry of another cohort. */
const due = {
  E: activation('E', 'EveryTime'),
  N: activation('N', 'OnEntry'),
  X: activation('X', 'OnExit'),
  F: activation('F', 'EveryTime', { sc: 'abc' }),
  M: activation('M', 'OnEntry', { sc: 'abc' }),
};
/** l: the last page's; n: own, no member; m: a member; b: of both. */
const cohorts: Readonly<Record<string, Cohorts>> = {
  l: { members: ['7'], activations: {}, isRealtime: false },
  n: { members: [], activations: {}, isRealtime: true },
  m: { members: ['7'], activations: {}, isRealtime: true },
  b: { members: ['7', 'abc'], activations: {}, isRealtime: true },
};
const transitions: Readonly<Record<string, Transition>> = {
  e: { id: '7', entry: true, time: 0 },
  x: { id: '7', entry: false, time: 0 },
  f: { id: 'abc', entry: true, time: 0 },
};
const deps = { activations: Object.values(due), context: () => ({}) };

describe('activations', () => {
  marble('are due once per view for members, and at each transition', ({ hot, cold, expectObservable }) => {
    const view$ = cold('      v---------------w---');
    const cohorts$ = hot('    l---m---m-----------', cohorts).pipe(shareState(NEVER));
    const transition$ = hot(' ----------e-x-------', transitions);
    const expected = '        ----E-----N-X---E---';
    expectObservable(dueActivations({ cohorts$, transition$, view$ }, deps)).toBe(expected, due);
  });

  marble('are due again in another view', ({ hot, cold, expectObservable }) => {
    const view$ = hot('       v-----w-----u----');
    // A state: whoever comes later hears it at once.
    const cohorts$ = cold('   b', cohorts);
    const expected = '        (EF)--(EF)--(EF)-';
    expectObservable(dueActivations({ cohorts$, transition$: NEVER, view$ }, deps)).toBe(expected, due);
  });

  marble('are due when the visitor becomes a member within the view', ({ cold, expectObservable }) => {
    const view$ = cold('      v---------');
    const cohorts$ = cold('   n-m-n-b-m-', cohorts);
    const expected = '        --E---F---';
    expectObservable(dueActivations({ cohorts$, transition$: NEVER, view$ }, deps)).toBe(expected, due);
  });

  marble('are not due for cohorts of the last page', ({ cold, expectObservable }) => {
    expectObservable(dueActivations({ cohorts$: cold('l', cohorts), transition$: NEVER, view$: cold('v') }, deps)).toBe(
      '-',
    );
  });

  marble('are due only where their criteria hold at that moment', ({ hot, cold, expectObservable }) => {
    let url = 'https://site.example/subscribe';
    const cc = {
      operator: 'AND' as const,
      criteria: [{ key: 'url', comparison: 'NOT_CONTAINS' as const, value: '/subscribe' }],
    };
    const only = { E: { ...due.E, cc }, N: { ...due.N, cc } };
    const transition$ = hot(' -e-------e', transitions);
    const cohorts$ = cold('   m---m-m---', cohorts);
    const moved$ = cold('     -----x----');
    const expected = '        ------E--N';
    expectObservable(
      dueActivations(
        { cohorts$, transition$, view$: cold('v') },
        { activations: Object.values(only), context: () => ({ url }) },
      ),
    ).toBe(expected, only);
    expectObservable(moved$.pipe(tap(() => (url = 'https://site.example/')))).toBe('-----x----');
  });

  marble('end with their streams, and let go of them', ({ hot, expectObservable, expectSubscriptions }) => {
    const view$ = hot('       v-----');
    const cohorts$ = hot('    --m---', cohorts);
    const transition$ = hot(' ---e--', transitions);
    const unsub = '           ^---! ';
    expectObservable(dueActivations({ cohorts$, transition$, view$ }, deps), unsub).toBe('--EN-', due);
    for (const source$ of [view$, cohorts$, transition$]) expectSubscriptions(source$.subscriptions).toBe(unsub);
  });
});
