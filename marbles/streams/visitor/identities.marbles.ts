import { EMPTY, map, NEVER, type Observable, of } from 'rxjs';

import { uuid } from '../../../src/fakePlatform/countedIds';
import { type FakeFacts, fakePlatform } from '../../../src/fakePlatform/fakePlatform';
import { json } from '../../../src/hardening/plainJson';
import type { IdentifyCall, Identities, IdentityState } from '../../../src/model/identity';
import type { HttpAnswer } from '../../../src/platform/platform';
import { identities } from '../../../src/streams/visitor/identities';
import { thirdPartyIdentities } from '../../../src/streams/visitor/thirdPartyIdentities';
import { noon, visitorId } from '../../../test/support/events';
import { linesOf, reportMock } from '../../../test/support/reports';
import { settingsOf } from '../../../test/support/settings';
import { marble, marbles } from '../../support/marbles';

const day = 86_400_000;
const takenBy = (user_id: string): HttpAnswer => ({ status: 200, body: JSON.stringify({ user_id }) });
/** s: the same visitor; o: another; x: no id of version 4; e: an error. */
const answer = {
  s: takenBy(visitorId),
  o: takenBy(uuid(9)),
  x: takenBy('5b2f7a3c-1d4e-1f60-9a8b-0c1d2e3f4a5b'),
  e: { status: 500, body: '' },
};
const words = ({ ready, byTag }: IdentityState): string =>
  [ready ? 'ready' : 'waiting', ...[...byTag.values()].map(({ tag, id, priority }) => `${tag}:${id}:${priority}`)].join(
    ' ',
  );
/** Names of the states that the diagrams show. */
const wait = 'waiting';
const ready = 'ready';

interface Setup extends FakeFacts {
  readonly found$?: Observable<readonly (readonly [string, string])[]>;
}

const world = ({ found$ = NEVER, ...facts }: Setup) => {
  const platform = fakePlatform(facts);
  const report = reportMock();
  let userId = visitorId;
  const done: (string | null)[] = [];
  const adopted: string[] = [];
  const deps = { ...platform, json, setting: settingsOf(), report };
  const visitor = {
    userId: () => userId,
    adopt: (id: string) => void adopted.push((userId = id)),
    begun$: of(undefined),
    lookUp: () => found$.pipe(map((found) => (known: Identities) => thirdPartyIdentities(found, known))),
  };
  const one = (id: string, more: Partial<IdentifyCall['given'][number]> = {}): IdentifyCall => ({
    given: [{ tag: 'reader', id, priority: 0, ...more }],
    done: (user) => done.push(user),
  });
  const sent = (): unknown[] => platform.requests.map(({ body }) => JSON.parse(body ?? 'null') as unknown);
  const stored = (): unknown =>
    (JSON.parse(platform.local.read('permutive-data-misc') ?? 'null') as Record<string, unknown> | null)?.[
      'identities'
    ];
  const stateOf = (call$: Observable<IdentifyCall>): Observable<string> =>
    identities(call$, visitor, deps).pipe(map(words));
  return { platform, stateOf, one, done, adopted, sent, stored, reported: () => linesOf(report) };
};
const request = (...aliases: readonly (readonly [tag: string, id: string, priority: number])[]): object => ({
  user_id: visitorId,
  aliases: aliases.map(([tag, id, priority]) => ({ tag, id, priority })),
});
const kept = (entries: object): Readonly<Record<string, string>> => ({
  'permutive-data-misc': JSON.stringify({ other: 1, identities: entries }),
});
const reader = (expiry: number): object => ({ reader: { id: 'A', expiry, priority: 0 } });

describe('identities', () => {
  marble('are told to the server, and known once it has taken them', ({ hot, cold, expectObservable, flush }) => {
    const { stateOf, one, sent, stored, done, platform } = world({
      send: () => cold('--(s|)', answer),
      local: kept({}),
    });
    const call$ = hot('-a---', { a: one('A') });
    expectObservable(stateOf(call$), '^----!').toBe('w--a', { w: wait, a: 'waiting reader:A:0' });
    flush();
    expect([sent(), done, stored()]).toEqual([[request(['reader', 'A', 0])], [visitorId], reader(noon + day)]);
    expect(platform.requests).toMatchObject([
      { method: 'POST', url: 'https://api.permutive.com/v2.0/identify?k=key', credentials: true },
    ]);
    expect(JSON.parse(platform.local.read('permutive-data-misc') ?? '')).toMatchObject({ other: 1 });
  });

  marble('that are known ask nobody, on this page and the next', ({ hot, cold, expectObservable, flush }) => {
    const { stateOf, one, sent, done } = world({ send: () => cold('(s|)', answer), local: kept(reader(noon + 1)) });
    expectObservable(stateOf(hot('-a-b-b', { a: one('A'), b: one('B') })), '^------!').toBe('wa-b-b', {
      w: 'waiting reader:A:0',
      a: 'waiting reader:A:0',
      b: 'waiting reader:B:0',
    });
    flush();
    expect([sent(), done]).toEqual([[request(['reader', 'B', 0])], [visitorId, visitorId, visitorId]]);
  });

  it.each([
    [noon + 1, 0],
    [noon, 1],
    [noon - 1, 1],
  ])('stored with expiry %i, at noon, are told again %i times', (expiry, count) => {
    marbles(({ hot, expectObservable, flush }) => {
      const { stateOf, one, sent } = world({ send: () => of(answer.s), local: kept(reader(expiry)) });
      expectObservable(stateOf(hot('-a', { a: one('A') })), '^--!').toBe('wa', {
        w: 'waiting reader:A:0',
        a: 'waiting reader:A:0',
      });
      flush();
      expect(sent()).toHaveLength(count);
    })();
  });

  marble(
    'that fail are reported, count as unchanged, and are told again with the next call',
    ({ hot, cold, expectObservable, flush }) => {
      let tries = 0;
      const { stateOf, one, sent, stored, reported, done } = world({
        send: () => cold((tries += 1) === 1 ? '-(e|)' : '-(s|)', answer),
      });
      expectObservable(stateOf(hot('-a--a-', { a: one('A') })), '^-----!').toBe('w-w--a', {
        w: wait,
        a: 'waiting reader:A:0',
      });
      flush();
      expect([sent().length, reported(), done]).toEqual([
        2,
        ['Failed to identify: Failed ajax request. Status code was 500.'],
        [visitorId, visitorId],
      ]);
      expect(stored()).toEqual(reader(noon + day));
    },
  );

  marble('are ready where the code for the lookup has not loaded', ({ expectObservable }) => {
    const { stateOf } = world({ found$: EMPTY });
    expectObservable(stateOf(NEVER), '^-----!').toBe('(wr)', { w: wait, r: ready });
  });

  marble('time out after requestTimeout, and let the next go on', ({ hot, expectObservable, flush }) => {
    const { stateOf, one, reported } = world({ send: () => NEVER });
    expectObservable(stateOf(hot('-ab', { a: one('A'), b: one('B') })), '^ 10100ms !').toBe('w 5000ms w 4999ms w', {
      w: wait,
    });
    flush();
    expect(reported()).toEqual(Array(2).fill('Failed to identify: Network request timed out'));
  });

  marble('of another visitor lead to that one’s id, if it is one', ({ hot, cold, expectObservable, flush }) => {
    const bodies = ['(o|)', '(o|)', '(x|)'];
    const { stateOf, one, adopted, done, reported, sent } = world({ send: () => cold(bodies.shift()!, answer) });
    expectObservable(stateOf(hot('-abc', { a: one('A'), b: one('B'), c: one('C') })), '^---!').toBe('wabb', {
      w: wait,
      a: 'waiting reader:A:0',
      b: 'waiting reader:B:0',
    });
    flush();
    expect([adopted, done, reported()]).toEqual([
      [uuid(9)],
      [uuid(9), uuid(9), uuid(9)],
      ['Failed to identify: user_id: expected UUID version 4'],
    ]);
    expect(sent()).toMatchObject([{ user_id: visitorId }, { user_id: uuid(9) }, { user_id: uuid(9) }]);
  });

  marble('of the visitor before are not those of another', ({ hot, cold, expectObservable, flush }) => {
    const { stateOf, one, stored } = world({ send: () => cold('-(o|)', answer), local: kept(reader(noon + 1)) });
    const call$ = hot('a', { a: { ...one(''), given: [{ tag: 'login', id: 'B', priority: 0 }] } });
    expectObservable(stateOf(call$), '^--!').toBe('ab', { a: 'waiting reader:A:0', b: 'waiting login:B:0' });
    flush();
    expect(stored()).toEqual({ login: { id: 'B', expiry: noon + day, priority: 0 } });
  });

  marble('are told one call after another', ({ hot, cold, expectObservable, flush }) => {
    const { stateOf, one, sent } = world({ send: () => cold('---(s|)', answer) });
    expectObservable(stateOf(hot('abb', { a: one('A'), b: one('B') })), '^------!').toBe('w--a--(bb)', {
      w: wait,
      a: 'waiting reader:A:0',
      b: 'waiting reader:B:0',
    });
    flush();
    expect(sent()).toEqual([request(['reader', 'A', 0]), request(['reader', 'B', 0])]);
  });

  it.each(['', '0', '-1'])('that read %p are nobody’s', (id) => {
    marbles(({ hot, expectObservable, flush }) => {
      const { stateOf, one, sent, reported, done } = world({});
      expectObservable(stateOf(hot('-a', { a: one(id) })), '^--!').toBe('ww', { w: wait });
      flush();
      expect([sent(), done, reported()]).toEqual([
        [],
        [visitorId],
        ['Failed to identify: expected ids other than "", "0" and "-1", of 4096 characters at most'],
      ]);
    })();
  });

  marble('of third parties follow the customer’s, and make it ready', ({ hot, cold, expectObservable, flush }) => {
    const found$ = cold('-(f|)', {
      f: [
        ['appnexus', '7'],
        ['tradedesk', 't'],
        ['pxid', '0'],
      ] as const,
    });
    const { stateOf, one, sent } = world({ send: () => cold('--(s|)', answer), found$ });
    expectObservable(stateOf(hot('a----', { a: one('A', { priority: 4 }) })), '^----!').toBe('w-a-r', {
      w: wait,
      a: 'waiting reader:A:4',
      r: 'ready reader:A:4 appnexus:7:1 tradedesk:t:7',
    });
    flush();
    expect(sent()).toEqual([request(['reader', 'A', 4]), request(['appnexus', '7', 1], ['tradedesk', 't', 7])]);
  });

  marble('are ready where third parties know nothing, or cannot be told', ({ cold, expectObservable, flush }) => {
    const nobody = world({ found$: cold('-(f|)', { f: [] }) });
    const refused = world({
      found$: cold('-(f|)', { f: [['appnexus', '7']] as const }),
      send: () => cold('-(e|)', answer),
    });
    expectObservable(nobody.stateOf(NEVER), '^---!').toBe('wr', { w: wait, r: ready });
    expectObservable(refused.stateOf(NEVER), '^---!').toBe('w-r', { w: wait, r: ready });
    flush();
    expect([nobody.sent(), refused.reported()]).toEqual([
      [],
      ['Could not ingest identities: Failed ajax request. Status code was 500.'],
    ]);
  });

  it.each([
    ['text', 'Error fetching data from store: (root): expected UnknownRecord'],
    [
      { reader: { id: 7, expiry: noon + 1, priority: 0 } },
      'Error fetching data from store: identities/reader: id: expected an id of 4096 characters at most',
    ],
  ])('stored as %p are reported and left out', (entries, line) => {
    marbles(({ expectObservable, flush }) => {
      const { stateOf, reported } = world({ local: kept(entries as object) });
      expectObservable(stateOf(NEVER), '^-!').toBe('w', { w: wait });
      flush();
      expect(reported()).toEqual([line]);
    })();
  });
});
