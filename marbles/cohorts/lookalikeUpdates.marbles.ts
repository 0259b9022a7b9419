import { lookalikeUpdates } from '../../src/cohorts/lookalikeUpdates';
import { marble } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

describe('lookalikeUpdates', () => {
  marble('tracks an event for the engine alone at each change of the models', (helpers) => {
    const { streams, deps } = serviceWorld(helpers, { answers: {} });
    const models$ = helpers.hot('-m--m-');
    const expected = '           -d--d-';
    helpers
      .expectObservable(lookalikeUpdates({ ...streams, models$ }, deps))
      .toBe(expected, { d: { type: 'draft', draft: { name: 'UpdateLookalikeModels', edgeOnly: true } } });
  });
});
