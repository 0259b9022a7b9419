import { map } from 'rxjs';

import { type Experiment, experimentOf, noExperiment } from '../../src/contracts/experiment';
import type { Cohorts } from '../../src/model/cohorts';
import type { Event } from '../../src/model/event';
import { eventOf } from '../../test/support/events';
import { marble, type MarbleHelpers } from '../support/marbles';

const control = (cohorts?: readonly string[]): Experiment =>
  experimentOf({ percent: 100, salt: '', ...(cohorts && { cohorts }) });
const exposed = experimentOf({ percent: 0, salt: '' });

const queried: Cohorts = { members: ['a', 'b'], activations: { dfp: ['a', 'b'] }, isRealtime: true };
const produced: Cohorts = {
  ...queried,
  members: ['a', 'b', 'c'],
  queried: queried.members,
  produced: { affinity: ['c'] },
};

/** A letter enters the cohort, a capital leaves it. */
const transitions = Object.fromEntries(
  ['a', 'b', 'A', 'B'].map((sign) => [sign, { id: sign.toLowerCase(), entry: sign === sign.toLowerCase(), time: 0 }]),
);
const complete = eventOf('complete', {
  name: 'PageviewComplete',
  properties: {
    aggregations: {
      PageviewEngagement: { completion: 1 },
      SegmentEntry: [7],
      SegmentExit: [8],
      CohortEntry: ['7', 'a'],
      CohortExit: ['8'],
    },
  },
});
const events: Readonly<Record<string, Event>> = {
  p: eventOf('pageview'),
  e: eventOf('entry', { name: 'SegmentEntry', properties: { segment_number: 7 } }),
  x: eventOf('exit', { name: 'SegmentExit', properties: { segment_number: 8 } }),
  c: complete,
};

/** What is told of this visit. */
const told = ({ hot }: MarbleHelpers, experiment: Experiment) =>
  experiment.told(
    {
      cohorts$: hot('  q-r---------', { q: queried, r: produced }),
      transition$: hot(' a-b-A-B---', transitions),
      transitionsSinceInit$: hot('a-b-A-B---', transitions),
      event$: hot('    p-e-x-c---', events),
      latest$: hot('   p-e-x-c---', events).pipe(map((event) => ({ event, draft: { name: event.name } }))),
    },
    () => ({ user_id: 'user' }),
  );

marble('tells everything where there is no experiment, and of no group', (helpers) => {
  const { cohorts$, transition$, event$ } = told(helpers, noExperiment);
  const { expectObservable } = helpers;
  expectObservable(cohorts$).toBe('   q-r---------', { q: queried, r: produced });
  expectObservable(transition$).toBe('a-b-A-B---', transitions);
  expectObservable(event$).toBe('    p-e-x-c---', events);
});

marble('tells the exposed group everything', (helpers) => {
  const { cohorts$, transition$, transitionsSinceInit$, event$ } = told(helpers, exposed);
  const { expectObservable } = helpers;
  const group = 'exposed' as const;
  expectObservable(cohorts$).toBe('             q-r---------', { q: { ...queried, group }, r: { ...produced, group } });
  expectObservable(transition$).toBe('          a-b-A-B---', transitions);
  expectObservable(transitionsSinceInit$).toBe('a-b-A-B---', transitions);
  expectObservable(event$).toBe('              p-e-x-c---', events);
});

marble('tells the control group of no cohort', (helpers) => {
  const { cohorts$, transition$, transitionsSinceInit$, event$, latest$ } = told(helpers, control());
  const { expectObservable } = helpers;
  const q = { members: [], activations: { dfp: [] }, isRealtime: true, group: 'control' };
  const lists = { SegmentEntry: [], SegmentExit: [], CohortEntry: [], CohortExit: [] };
  const aggregations = { PageviewEngagement: { completion: 1 }, ...lists };
  const c = { ...complete, properties: { aggregations } };
  expectObservable(cohorts$).toBe('             q-r---------', {
    q,
    r: { ...q, queried: [], produced: { affinity: [] } },
  });
  expectObservable(transition$).toBe('          ----------');
  expectObservable(transitionsSinceInit$).toBe('----------');
  expectObservable(event$).toBe('               p-----c---', { ...events, c });
  expectObservable(latest$.pipe(map(({ event }) => event))).toBe('p-----c---', { ...events, c });
});

marble('tells the control group of the cohorts that the experiment is not about', (helpers) => {
  const { cohorts$, transition$, event$ } = told(helpers, control(['a', 'c', '7']));
  const { expectObservable } = helpers;
  const q = { ...queried, members: ['b'], activations: { dfp: ['b'] }, group: 'control' };
  const aggregations = {
    PageviewEngagement: { completion: 1 },
    ...{ SegmentEntry: [], SegmentExit: [8], CohortEntry: [], CohortExit: ['8'] },
  };
  expectObservable(cohorts$).toBe('   q-r---------', { q, r: { ...q, queried: ['b'], produced: { affinity: [] } } });
  expectObservable(transition$).toBe('--b---B---', transitions);
  expectObservable(event$).toBe('    p---x-c---', { ...events, c: { ...complete, properties: { aggregations } } });
});

marble('tells of a visitor who becomes another user by the group of that user', (helpers) => {
  const { hot, expectObservable } = helpers;
  let user = 'first';
  helpers.cold('-u', { u: 'later' }).subscribe((id) => (user = id));
  // With this salt, one of the two is in each group.
  const experiment = experimentOf({ percent: 50, salt: 'spring' });
  const streams = {
    cohorts$: hot('q-r', { q: queried, r: { ...queried, members: ['b'] } }),
    event$: hot<Event>('---'),
  };
  const { cohorts$ } = experiment.told(streams, () => ({ user_id: user }));
  expectObservable(cohorts$.pipe(map(({ group, members }) => `${group} ${members.join()}`))).toBe('q-r', {
    q: 'control ',
    r: 'exposed b',
  });
});

marble('gives each list of an engine one list, whatever services find', (helpers) => {
  const again = { ...produced, produced: { affinity: ['d'] } };
  const { cohorts$ } = control().told(
    { cohorts$: helpers.hot('q-r-s', { q: queried, r: produced, s: again }), event$: helpers.hot<Event>('-----') },
    () => ({ user_id: 'user' }),
  );
  const lists = new Set<unknown>();
  const count$ = cohorts$.pipe(map((cohorts) => lists.add(cohorts.queried ?? cohorts.members).size));
  helpers.expectObservable(count$).toBe('a-a-a', { a: 1 });
});
