import { userData } from '../../src/cohorts/userData';
import type { Identity, IdentityState } from '../../src/model/identity';
import { noon, visitorId } from '../../test/support/events';
import { projectOf } from '../../test/support/project';
import { marble } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

const known = (tag: string, expiry = noon + 1): Identity => ({ tag, id: `${tag}-id`, priority: 0, expiry });
const identities = (...list: readonly Identity[]): IdentityState => ({
  ready: false,
  byTag: new Map(list.map((identity) => [identity.tag, identity])),
});
const reads = projectOf({ lookups: ['user'] });
const userOf = (identified: object, changes: object = {}) => ({
  type: 'data',
  patch: {
    user: {
      user_id: visitorId,
      is_new: false,
      tags: Object.keys(identified),
      identities: identified,
      ...changes,
    },
  },
});

describe('userData', () => {
  marble('gives the id and the identities at once and when they change', ({ state, expectObservable, ...helpers }) => {
    const { streams, deps } = serviceWorld(helpers, { standing: true, project: reads, answers: {} });
    const identities$ = state('n-n-k', { n: identities(), k: identities(known('crm')) });
    expectObservable(userData({ ...streams, isNew: true, identities$ }, deps)).toBe('n---k', {
      n: userOf({}, { is_new: true }),
      k: userOf({ crm: 'crm-id' }, { is_new: true }),
    });
  });

  marble('gives neither expired identities nor those that are never stored', (helpers) => {
    const { streams, deps } = serviceWorld(helpers, { standing: true, project: reads, answers: {} });
    const identities$ = helpers.state('s', { s: identities(known('email'), known('old', noon), known('crm')) });
    helpers.expectObservable(userData({ ...streams, identities$ }, deps)).toBe('u', {
      u: userOf({ crm: 'crm-id' }),
    });
  });

  marble('gives them to the engine of another user too', (helpers) => {
    const { streams, deps } = serviceWorld(helpers, { standing: true, project: reads, answers: {} });
    const [adopted$, identities$] = [helpers.hot('--a'), helpers.state('n', { n: identities() })];
    helpers.expectObservable(userData({ ...streams, adopted$, identities$ }, deps)).toBe('n-n', { n: userOf({}) });
  });

  marble('is silent where no query looks it up', (helpers) => {
    const { streams, deps } = serviceWorld(helpers, { standing: true, answers: {} });
    helpers.expectObservable(userData(streams, deps)).toBe('|');
  });
});
