import { timer } from 'rxjs';

import { identityManager } from '../../../src/addons/identityManager/identityManager';
import { type GivenIdentity, type IdentityState, withIdentities } from '../../../src/model/identity';
import { linesOf } from '../../../test/support/reports';
import { addonDeps, addonStreams } from '../../support/addonWorld';
import { marble, marbles } from '../../support/marbles';

const now = 1_767_268_800_000;
const day = 86_400_000;
const stateOf = (
  ready: boolean,
  ids: Readonly<Record<string, string | Partial<GivenIdentity>>> = {},
): IdentityState => ({
  ready,
  byTag: withIdentities(
    new Map(),
    Object.entries(ids).map(([tag, id]) => ({ tag, priority: 0, id: 'id', ...(typeof id === 'string' ? { id } : id) })),
    now,
  ),
});
const all = { id5id: 'five', idl_env: 'ramp', uid2: 'two', pairId: 'WyJhIl0=', email_sha256: 'hash' };
/** w: waiting, without ids; r: ready, without ids; a: ready, with all; x: ready, with one that has expired. */
const states = {
  w: stateOf(false),
  r: stateOf(true),
  a: stateOf(true, all),
  u: stateOf(false, { uid2: 'two' }),
  x: stateOf(true, { uid2: { expiry: now } }),
};
const shapes = { id5id: { uid: 'five' }, idl_env: 'ramp', uid2: { id: 'two' }, pairId: 'WyJhIl0=' };
const start = { s: {} };

interface Exposed {
  readonly prebid: { readonly onReady: (callback: unknown) => void };
}

const world = () => {
  const deps = addonDeps();
  const exposed = (): Exposed =>
    Object.assign({}, ...(deps.expose.mock.calls as [object][]).map(([methods]) => methods)) as Exposed;
  return { deps, onReady: (callback: unknown) => exposed().prebid.onReady(callback) };
};

describe('identity_manager', () => {
  marble(
    'hands out ids once third parties have had their say, to those who asked before and after',
    ({ hot, cold, expectObservable, flush }) => {
      const { deps, onReady } = world();
      const told: unknown[] = [];
      const ask = (): void => onReady((ids: unknown) => told.push([deps.expose.mock.calls.length, ids]));
      timer(1).subscribe(ask);
      timer(6).subscribe(ask);
      expectObservable(
        identityManager.run(addonStreams({ identities$: hot('w--u-a----', states) }), cold('s', start), deps),
        '^ 20ms !',
      ).toBe('-');
      flush();
      expect(told).toEqual([
        [1, shapes],
        [1, shapes],
      ]);
    },
  );

  marble('does not keep an auction waiting for ids that there are not', ({ hot, cold, expectObservable, flush }) => {
    const { deps, onReady } = world();
    const told: unknown[] = [];
    timer(1).subscribe(() => onReady((ids: unknown) => told.push(ids)));
    expectObservable(
      identityManager.run(addonStreams({ identities$: hot('w-r', states) }), cold('s', start), deps),
      '^ 20ms !',
    ).toBe('-');
    flush();
    expect([told, deps.writeKey.mock.calls]).toEqual([[{}], []]);
  });

  marble('stores ids where Prebid looks, with their expiry, as they come', ({ hot, cold, expectObservable, flush }) => {
    const { deps } = world();
    expectObservable(
      identityManager.run(addonStreams({ identities$: hot('w-u-a-x', states) }), cold('s', start), deps),
      '^ 20ms !',
    ).toBe('-');
    flush();
    const expiryTime = now + day;
    expect(deps.writeKey.mock.calls).toEqual([
      ['permutive-prebid-id', { providers: { uid2: { userId: { id: 'two' }, expiryTime } } }],
      [
        'permutive-prebid-id',
        {
          providers: Object.fromEntries(Object.entries(shapes).map(([name, userId]) => [name, { userId, expiryTime }])),
        },
      ],
    ]);
  });

  it.each([
    [{ id5: 'five' }, { id5id: { uid: 'five' } }],
    [{ id5: 'other', id5id: 'five' }, { id5id: { uid: 'five' } }],
    [{ id5: 'five', id5id: { expiry: now } }, { id5id: { uid: 'five' } }],
    [{ liveramp: 'ramp' }, { idl_env: 'ramp' }],
    [{ default: 'reader', tradedesk: 't' }, {}],
    [{ uid2: { expiry: now } }, {}],
    [{ uid2: { expiry: now + 1 } }, { uid2: { id: 'id' } }],
  ])('makes of %j: %j', (ids, expected) => {
    marbles(({ hot, cold, expectObservable, flush }) => {
      const { deps, onReady } = world();
      const told = jest.fn();
      timer(2).subscribe(() => onReady(told));
      expectObservable(
        identityManager.run(
          addonStreams({ identities$: hot('-a', { a: stateOf(true, ids) }) }),
          cold('s', start),
          deps,
        ),
        '^ 20ms !',
      ).toBe('-');
      flush();
      expect(told.mock.calls).toEqual([[expected]]);
    })();
  });

  marble('survives a callback that throws, and what is none', ({ hot, cold, expectObservable, flush }) => {
    const { deps, onReady } = world();
    const told = jest.fn();
    timer(1).subscribe(() => {
      onReady(() => {
        throw new Error('of the page');
      });
      onReady('callback');
      onReady(told);
    });
    expectObservable(
      identityManager.run(addonStreams({ identities$: hot('w--r', states) }), cold('s', start), deps),
      '^ 20ms !',
    ).toBe('-');
    flush();
    expect(told).toHaveBeenCalledTimes(1);
    const message = 'Function permutive.addons.identity_manager.prebid.onReady caused an error';
    expect(linesOf(deps.report)).toEqual([`${message}: onReady/0: expected a function`, `${message}: of the page`]);
  });

  marble('tells nobody once it has stopped, and nothing before it starts', ({ hot, cold, expectObservable, flush }) => {
    const { deps, onReady } = world();
    const told = jest.fn();
    timer(2).subscribe(() => {
      expect(deps.expose).not.toHaveBeenCalled();
    });
    timer(5).subscribe(() => onReady(told));
    timer(11).subscribe(() => onReady(told));
    expectObservable(
      identityManager.run(addonStreams({ identities$: hot('w-----------a', states) }), cold('---s', start), deps),
      '^ 9ms !',
    ).toBe('-');
    flush();
    expect(told).not.toHaveBeenCalled();
  });
});
