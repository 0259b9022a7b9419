import { map } from 'rxjs';

import type { Cohorts, Producer } from '../../src/model/cohorts';
import type { ServiceOutput } from '../../src/model/serviceOutput';
import { holdCohorts } from '../../src/visit/holdCohorts';
import { marble, type MarbleHelpers } from '../support/marbles';

const queriedOf = (...members: string[]): Cohorts => ({ members, activations: {}, isRealtime: true });
/** n: in no cohort by query; s: in 7. */
const byQuery = { n: queriedOf(), s: queriedOf('7') };
const given = (producer: Producer, ...cohorts: string[]): ServiceOutput => ({
  type: 'produced',
  producer,
  cohorts,
  reasons: Object.fromEntries(cohorts.map((id) => [id, `${producer} gives ${id}.`])),
});
/** a: advertisers give abc; b: they give 7 and abc; o: they give nothing; c: affinity gives abc too. */
const services = {
  a: given('advertiser', 'abc'),
  b: given('advertiser', '7', 'abc'),
  o: given('advertiser'),
  c: given('affinity', 'abc'),
};

/** What readers see: `members` as text, and transitions as `+abc` and `-abc`. */
const shownBy = ({ hot, cold }: MarbleHelpers, lastPage = {}) => {
  const hold = (queried: string, transitions: string, service: string, adopted: string) =>
    holdCohorts(
      {
        cohorts$: cold(queried, byQuery),
        transitions$: hot(transitions, {
          e: [{ id: '7', entry: true, time: 0 }],
          x: [{ id: '7', entry: false, time: 0 }],
        }),
      },
      hot(service, services),
      lastPage,
      hot(adopted),
      () => 0,
    );
  return (queried: string, transitions: string, service: string, adopted = '-') => {
    const held = hold(queried, transitions, service, adopted);
    return {
      members$: held.cohorts$.pipe(map(({ members }) => members.join(' '))),
      transition$: held.transitions$.pipe(
        map((list) => list.map(({ id, entry }) => `${entry ? '+' : '-'}${id}`).join(' ')),
      ),
      reasons: held.reasons,
    };
  };
};

describe('holdCohorts', () => {
  marble('shows the cohorts of queries alone where no service gives any', (helpers) => {
    const { members$, transition$ } = shownBy(helpers)('n-s', '--e', '---');
    helpers.expectObservable(members$).toBe('n-s', { n: '', s: '7' });
    helpers.expectObservable(transition$).toBe('--e', { e: '+7' });
  });

  marble('joins the cohorts of services, and tells what is gained and lost by them', (helpers) => {
    const { members$, transition$ } = shownBy(helpers)('s----', '-----', '-a-o');
    helpers.expectObservable(members$).toBe('sa-s', { s: '7', a: '7 abc' });
    helpers.expectObservable(transition$).toBe('-a-o', { a: '+abc', o: '-abc' });
  });

  marble('tells a cohort of two services once, and its end only with the last of them', (helpers) => {
    const { transition$ } = shownBy(helpers)('n', '-', '-ac-o');
    helpers.expectObservable(transition$).toBe('-a', { a: '+abc' });
  });

  marble('tells nothing of a cohort that a query gives as well', (helpers) => {
    const { members$, transition$ } = shownBy(helpers)('s', '---x', '-b-');
    helpers.expectObservable(members$).toBe('sb', { s: '7', b: '7 abc' });
    helpers.expectObservable(transition$).toBe('-b', { b: '+abc' });
  });

  marble('starts with what services gave on the last page, and tells what has changed since', (helpers) => {
    const { members$, transition$ } = shownBy(helpers, { advertiser: ['abc', 'old'] })('n', '-', '-a');
    helpers.expectObservable(members$).toBe('la', { l: 'abc old', a: 'abc' });
    helpers.expectObservable(transition$).toBe('-a', { a: '-old' });
  });

  marble('is silent at an answer that changes nothing', (helpers) => {
    const { members$ } = shownBy(helpers)('n', '-', 'o-aa');
    helpers.expectObservable(members$).toBe('n-a', { n: '', a: 'abc' });
  });

  marble(
    'forgets at another user what services gave of the user before, and not what they say of the page',
    (helpers) => {
      const lastPage = { advertiser: ['abc'], affinity: ['page'], contextual: ['read'] };
      const { members$, transition$ } = shownBy(helpers, lastPage)('s', '-', '---a', '-u-');
      helpers.expectObservable(members$).toBe('lu-a', { l: '7 abc page read', u: 'page read', a: 'page read abc' });
      helpers.expectObservable(transition$).toBe('---a', { a: '+abc' });
    },
  );

  marble('knows why, by each service that has considered the cohort', (helpers) => {
    const { members$, reasons } = shownBy(helpers)('n', '-', '-(ac)');
    helpers.expectObservable(members$).toBe('l(ab)', { l: '', a: 'abc', b: 'abc' });
    helpers.flush();
    expect([reasons('abc'), reasons('constructor')]).toEqual([['advertiser gives abc.', 'affinity gives abc.'], []]);
  });
});
