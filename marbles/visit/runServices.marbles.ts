import { map, of } from 'rxjs';

import type { CohortService, ServiceStreams } from '../../src/cohorts/service';
import { runServices } from '../../src/visit/runServices';
import type { VisitParts } from '../../src/visit/visitParts';
import { lateParts } from '../../test/support/project';
import { worldOf } from '../../test/support/world';
import { marble } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

/** A visit whose visitor, page and engine have these streams. */
const partsOf = (streams: ServiceStreams): VisitParts =>
  ({ visitor: streams, page: streams, engine: streams }) as unknown as VisitParts;

const project = { lookups: ['geo', 'thirdParty'] as const };
const empty = { type: 'data', patch: { geo: {}, thirdParty: {} } };

describe('runServices', () => {
  marble('provides empty data where the code of the services cannot be loaded', ({ hot, cold, ...helpers }) => {
    const { streams } = serviceWorld({ cold }, { answers: {} });
    const world = worldOf({ project, deferredParts$: cold('---|') });
    const output$ = runServices(partsOf({ ...streams, adopted$: hot('-----------a-') }), world, streams.stop$);
    const notStarted = { type: 'started', startup: null };
    helpers.expectObservable(output$).toBe('---(ne)----e', { n: notStarted, e: empty });
  });

  marble('passes on whether the visitor shares data', ({ cold, ...helpers }) => {
    const { streams } = serviceWorld({ cold }, { answers: {} });
    const cohortServices: CohortService = ({ sharing$ }) =>
      sharing$.pipe(map((user) => ({ type: 'data', patch: { user } })));
    const world = worldOf({ deferredParts$: of(lateParts({ cohortServices })) });
    const sharing$ = cold('n', { n: false });
    helpers.expectObservable(runServices(partsOf({ ...streams, sharing$ }), world, streams.stop$)).toBe('n', {
      n: { type: 'data', patch: { user: false } },
    });
  });

  marble('tells services of another user once their engine has begun', ({ hot, cold, ...helpers }) => {
    const { streams } = serviceWorld({ cold }, { answers: {} });
    let isOpen = false;
    const cohortServices: CohortService = ({ adopted$ }) =>
      adopted$.pipe(map(() => ({ type: 'data', patch: { user: isOpen } })));
    const world = worldOf({ deferredParts$: of(lateParts({ cohortServices })) });
    const adopted$ = hot('--a');
    helpers.expectObservable(runServices(partsOf({ ...streams, adopted$ }), world, streams.stop$)).toBe('--o', {
      o: { type: 'data', patch: { user: true } },
    });
    // The engine is opened by a later listener of the same stream.
    adopted$.subscribe(() => (isOpen = true));
  });
});
