import { map } from 'rxjs';

import { contextualCohorts } from '../../src/cohorts/contextualCohorts';
import { marble, type MarbleHelpers } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

const answerOf = (...cohorts: string[]) => ({ activations: {}, cohorts });
/** u: nothing yet of this address; n: the service finds nothing; a, b: what it finds. */
const answers = { u: undefined, n: answerOf(), a: answerOf('metal'), b: answerOf('metal', 'tin') };
/** What is given, by the same letters. */
const given = { n: '', a: 'metal', b: 'metal tin' };

const givenFor = (helpers: MarbleHelpers, diagram: string) => {
  const { streams, deps } = serviceWorld(helpers, { answers: {} });
  return contextualCohorts({ ...streams, contextual$: helpers.hot(diagram, answers) }, deps);
};
const codes = map((output: { readonly type: string; readonly cohorts?: readonly string[] }) =>
  output.type === 'produced' ? output.cohorts?.join(' ') : output.type,
);

describe('contextualCohorts', () => {
  marble('gives what the service finds on the page, at each answer', (helpers) => {
    helpers.expectObservable(givenFor(helpers, '-a--b-n').pipe(codes)).toBe('-a--b-n', given);
  });

  marble('lets what stood before stand until the service answers for another address', (helpers) => {
    helpers.expectObservable(givenFor(helpers, '-a--u---b').pipe(codes)).toBe('-a------b', given);
  });

  marble('gives none where nobody asks for the timeout of requests', (helpers) => {
    helpers.expectObservable(givenFor(helpers, '-').pipe(codes)).toBe('5s n', given);
  });

  marble('gives none for an address that is not answered, but counts a later answer', (helpers) => {
    helpers.expectObservable(givenFor(helpers, '-u 6s a').pipe(codes)).toBe('5s n 1001ms a', given);
  });

  marble('says why', (helpers) => {
    helpers.expectObservable(givenFor(helpers, 'a')).toBe('a', {
      a: {
        type: 'produced',
        producer: 'contextual',
        cohorts: ['metal'],
        reasons: { metal: 'Contextual: the service finds it on this page.' },
      },
    });
  });

  marble('leaves out codes of more than a hundred characters', (helpers) => {
    const { streams, deps } = serviceWorld(helpers, { answers: {} });
    const contextual$ = helpers.hot('a', { a: answerOf('x'.repeat(101), 'metal') });
    helpers.expectObservable(contextualCohorts({ ...streams, contextual$ }, deps).pipe(codes)).toBe('a', given);
  });
});
