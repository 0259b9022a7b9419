import { type Observable, tap } from 'rxjs';

import { json } from '../../../src/model/plainJson';
import { fromConsent } from '../../../src/streams/visitor/fromConsent';
import { memoryStorage } from '../../../test/support/memoryStorage';
import { settingsOf } from '../../../test/support/settings';
import { marble, marbles } from '../../support/marbles';

const consentKey = 'permutive-consent';
const given = '{"opt_in":true,"token":"t"}';
const revoked = '{"opt_in":false}';

const answers = { y: true, n: false };
/** What `permutive.consent(…)` is called with. */
const calls = {
  y: { opt_in: true, token: 't' },
  d: { opt_in: true },
  e: { opt_in: true, token: '' },
  n: { opt_in: false },
  '?': { opt_in: 'yes' },
  u: undefined,
};
/** Storage events: of our key, of another, of a cleared store. */
const storage = { k: { key: consentKey }, o: { key: 'other' }, c: { key: null } };

interface World {
  readonly stored?: string;
  readonly required?: boolean;
  readonly call$: Observable<unknown>;
  readonly storage$: Observable<unknown>;
}

const world = ({ stored, required = false, call$, storage$ }: World) => {
  const local = memoryStorage(stored === undefined ? {} : { [consentKey]: stored });
  const report = jest.fn();
  const { given$: consent$ } = fromConsent([], call$, {
    local,
    json,
    report,
    setting: settingsOf({ consentRequired: required }),
    listen: (target, type) => {
      expect([target, type]).toEqual(['window', 'storage']);
      return storage$;
    },
  });
  return { consent$, local, report };
};

describe('fromConsent', () => {
  marble('says at once what is stored, then each change', ({ hot, expectObservable }) => {
    const call$ = hot('    --n--y--', calls);
    const expected = '     y-n--y--';
    expectObservable(world({ stored: given, call$, storage$: hot('-') }).consent$).toBe(expected, answers);
  });

  it.each([
    ['nothing, not required', undefined, false, 'y'],
    ['nothing, required', undefined, true, 'n'],
    ['consent, required', given, true, 'y'],
    ['refusal, not required', revoked, false, 'n'],
    ['no JSON', 'yes', false, 'n'],
    ['something else', '[]', false, 'n'],
    ['an empty token', '{"opt_in":true,"token":""}', false, 'n'],
    ['no token', '{"opt_in":true}', false, 'n'],
  ])('starts from the store: %s', (_, stored, required, expected) => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(
        world({ ...(stored !== undefined && { stored }), required, call$: hot('-'), storage$: hot('-') }).consent$,
      ).toBe(expected, answers);
    })();
  });

  marble('says nothing where nothing changes', ({ hot, expectObservable }) => {
    const call$ = hot('    -y-d-n-n-', calls);
    const expected = '     y----n---';
    expectObservable(world({ stored: given, call$, storage$: hot('-') }).consent$).toBe(expected, answers);
  });

  marble('stores a call before it says what it means', ({ hot, expectObservable, flush }) => {
    const call$ = hot('    -y-n-d', calls);
    const { consent$, local } = world({ required: true, call$, storage$: hot('-') });
    const stored: (string | null)[] = [];
    expectObservable(consent$.pipe(tap(() => stored.push(local.read(consentKey))))).toBe('ny-n-y', answers);
    flush();
    expect(stored).toEqual([null, given, revoked, '{"opt_in":true,"token":"permutive-consent"}']);
  });

  marble('takes an empty token for a refusal', ({ hot, expectObservable }) => {
    const call$ = hot('    --e--', calls);
    const expected = '     y-n--';
    expectObservable(world({ call$, storage$: hot('-') }).consent$).toBe(expected, answers);
  });

  marble('reports a call that makes no sense, and takes it for a refusal', ({ hot, expectObservable, flush }) => {
    const call$ = hot('    -?-u-y-n', calls);
    const expected = '     yn---y-n';
    const { consent$, report } = world({ stored: given, call$, storage$: hot('-') });
    expectObservable(consent$).toBe(expected, answers);
    flush();
    expect(report.mock.calls.map(([message]: [string]) => message)).toEqual(['Invalid consent', 'Invalid consent']);
  });

  marble('hears what another tab of the site stores, and nothing else', ({ cold, hot, expectObservable }) => {
    const { consent$, local } = world({ stored: given, call$: hot('-'), storage$: hot('--o--k---k-', storage) });
    // Written by the other tab: a refusal at 1, consent at 8.
    const writes$ = cold(' -n------y--');
    const expected = '     y----n---y-';
    writes$.subscribe((answer) => local.write(consentKey, answer === 'y' ? given : revoked));
    expectObservable(consent$).toBe(expected, answers);
  });

  marble('hears that another tab has cleared the store', ({ cold, hot, expectObservable }) => {
    const { consent$, local } = world({
      stored: given,
      required: true,
      call$: hot('-'),
      storage$: hot('---c', storage),
    });
    const expected = '     y--n';
    cold('-r').subscribe(() => local.remove(consentKey));
    expectObservable(consent$).toBe(expected, answers);
  });

  marble('lets go of calls and of the page when unsubscribed', ({ hot, expectObservable, expectSubscriptions }) => {
    const call$ = hot('    ---n-', calls);
    const storage$ = hot(' ----k', storage);
    const unsub = '        ^-!  ';
    expectObservable(world({ call$, storage$ }).consent$, unsub).toBe('y', answers);
    expectSubscriptions(call$.subscriptions).toBe(unsub);
    expectSubscriptions(storage$.subscriptions).toBe(unsub);
  });
});
