import { viewClient } from '../../src/cohorts/viewClient';
import { eventOf } from '../../test/support/events';
import { marble } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

describe('viewClient', () => {
  marble('gives the engine the client context of each view', (helpers) => {
    const { streams, deps } = serviceWorld(helpers, { answers: {} });
    const viewed$ = helpers.hot('-v--v-', { v: eventOf('v', { name: 'Pageview' }) });
    const expected = '           -d--d-';
    const { client } = streams.context();
    helpers
      .expectObservable(viewClient({ ...streams, viewed$ }, deps))
      .toBe(expected, { d: { type: 'data', patch: { client } } });
  });
});
