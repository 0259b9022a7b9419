import { EMPTY, map, NEVER, type Observable, of, ReplaySubject, share, throwError } from 'rxjs';

import { type FakeFacts, fakePlatform } from '../../../src/fakePlatform/fakePlatform';
import { json } from '../../../src/hardening/plainJson';
import { type Identities, withIdentities } from '../../../src/model/identity';
import type { IdentityProvider } from '../../../src/model/project';
import type { Tcf } from '../../../src/model/tcf';
import type { HttpAnswer, HttpRequest } from '../../../src/platform/platform';
import { lookUpIdentities } from '../../../src/streams/visitor/identityProviders';
import { noon, visitorId } from '../../../test/support/events';
import { linesOf, reportMock } from '../../../test/support/reports';
import { settingsOf } from '../../../test/support/settings';
import { marble, marbles } from '../../support/marbles';
import { tcfAnswer } from '../../support/tcfAnswer';

const chrome = 'Mozilla/5.0 (Macintosh) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const safari = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15';
const consentTo = (...vendors: readonly number[]): Tcf =>
  tcfAnswer({ tcString: 'C', vendorConsent: (id) => vendors.includes(id) });
/** A platform where the visitor has agreed to a vendor, and to these purposes alone. */
const purposesOnly = (vendor: number, ...purposes: readonly number[]): Tcf => ({
  ...consentTo(vendor),
  purposeConsent: (id) => purposes.includes(id),
});
const known = (expiry: number): Identities =>
  withIdentities(new Map(), [{ tag: 'appnexus', id: 'old', priority: 1, expiry }], noon);

interface Setup extends FakeFacts {
  readonly providers?: Readonly<Record<string, IdentityProvider>>;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly tcf$?: Observable<Tcf>;
  readonly sharing$?: Observable<boolean>;
  readonly known?: Identities;
  readonly userAgent?: string;
}

const lookUp = ({
  providers,
  config,
  tcf$ = NEVER,
  sharing$ = of(true),
  known: before = new Map(),
  userAgent = chrome,
  ...facts
}: Setup) => {
  const platform = fakePlatform({ ...facts, page: { userAgent: () => userAgent } });
  const report = reportMock();
  const visitor = {
    known: before,
    userId: () => visitorId,
    // A state, as the visit shares it.
    tcf$: tcf$.pipe(share({ connector: () => new ReplaySubject<Tcf>(1) })),
    sharing$,
  };
  const deps = { ...platform, json, setting: settingsOf(config), report };
  const found$ = lookUpIdentities(visitor, providers ? { identityProviders: providers } : {}, deps);
  return { found$, platform, reported: () => linesOf(report) };
};

const appnexus = { appnexus: { url: 'https://ib.example/getuidj' } };
const answers = (answer$: Observable<HttpAnswer>) => ({ send: () => answer$ });
const body = (content: unknown): { readonly a: HttpAnswer } => ({ a: { status: 200, body: JSON.stringify(content) } });

describe('lookUpIdentities', () => {
  it.each<readonly [what: string, provider: IdentityProvider, purposes: readonly number[], isAsked: boolean]>([
    ['a vendor without consent for purpose 1', { cookie: 'id', tcf_vendor_id: 755 }, [3, 4], false],
    ['a vendor with consent for purpose 1', { cookie: 'id', tcf_vendor_id: 755 }, [1], true],
    ['a vendor that needs more', { cookie: 'id', tcf_vendor_id: 755, tcf_purposes: [1, 3] }, [1], false],
    ['a vendor that needs none', { cookie: 'id', tcf_vendor_id: 755, tcf_purposes: [] }, [], true],
    ['the publisher’s own', { cookie: 'id' }, [], true],
    ['the publisher’s own that needs one', { cookie: 'id', tcf_purposes: [1] }, [], false],
  ])('heeds purposes of the TCF: %s', (_, provider, purposes, isAsked) => {
    marbles(({ cold, expectObservable }) => {
      const setup = { providers: { reader: provider }, cookies: { id: 'c' } };
      const { found$ } = lookUp({ ...setup, tcf$: cold('c-', { c: purposesOnly(755, ...purposes) }) });
      expectObservable(found$.pipe(map((found) => found.length > 0))).toBe('(a|)', { a: isAsked });
    })();
  });

  marble('asks nobody where nothing is configured', ({ expectObservable, flush }) => {
    const { found$, platform } = lookUp({});
    expectObservable(found$).toBe('(f|)', { f: [] });
    flush();
    expect(platform.requests).toEqual([]);
  });

  marble('asks only the page where the visitor’s data may not be shared', ({ cold, expectObservable, flush }) => {
    const providers = {
      ...appnexus,
      uid2: { global: 'uid2' },
      crm: { global: 'crm' },
      other: { url: 'https://o.example' },
    };
    const { found$, platform } = lookUp({
      providers,
      config: { pxidHost: 'pxid.example' },
      globals: { crm: '5', uid2: '6' },
      tcf$: cold('c', { c: consentTo(32, 21) }),
      sharing$: cold('n', { n: false }),
    });
    expectObservable(found$).toBe('(f|)', { f: [['crm', '5']] });
    flush();
    expect(platform.requests).toEqual([]);
  });

  marble('asks a vendor once it has consent, with credentials', ({ cold, expectObservable, flush }) => {
    const tcf$ = cold('   --c-', { c: consentTo(32) });
    const answer$ = cold('  ---(a|)', body({ uid: '77' }));
    const { found$, platform } = lookUp({ providers: appnexus, tcf$, ...answers(answer$) });
    expectObservable(found$).toBe('-----(f|)', { f: [['appnexus', '77']] });
    flush();
    expect(platform.requests).toEqual([
      {
        method: 'GET',
        url: 'https://ib.example/getuidj?gdpr=1&gdpr_consent=C',
        credentials: true,
        responseType: 'text',
      } satisfies HttpRequest,
    ]);
  });

  it.each([
    ['none', consentTo()],
    ['that of another', consentTo(21)],
  ])('asks no vendor whose consent is %s', (_, tcf) => {
    marbles(({ cold, expectObservable, flush }) => {
      const { found$, platform } = lookUp({ providers: appnexus, tcf$: cold('--c-', { c: tcf }) });
      expectObservable(found$).toBe('--(f|)', { f: [] });
      flush();
      expect(platform.requests).toEqual([]);
    })();
  });

  it.each([
    ['uid2', { url: 'https://id.example' }],
    ['id5', { url: 'https://id.example' }],
    ['id5id', { cookie: 'id' }],
    ['liveramp', { global: 'id' }],
    ['idl_env', { cookie: 'id' }],
    ['reader', { url: 'https://id.example', tcf_vendor_id: 755 }],
    ['constructor', { url: 'https://id.example', tcf_vendor_id: 755 }],
  ] satisfies readonly (readonly [string, IdentityProvider])[])(
    'asks no vendor for %s whom the visitor has refused',
    (tag, provider) => {
      marbles(({ cold, expectObservable, flush }) => {
        const setup = { providers: { [tag]: provider }, cookies: { id: 'c' }, globals: { id: 'g' } };
        const { found$, platform } = lookUp({ ...setup, tcf$: cold('c', { c: consentTo() }) });
        expectObservable(found$).toBe('(f|)', { f: [] });
        flush();
        expect(platform.requests).toEqual([]);
      })();
    },
  );

  marble('takes no email address for an id', ({ expectObservable }) => {
    const { found$ } = lookUp({ providers: { reader: { cookie: 'id' } }, cookies: { id: 'reader@site.example' } });
    expectObservable(found$).toBe('(f|)', { f: [] });
  });

  marble('takes the vendor of the definition instead of that of the tag', ({ cold, expectObservable }) => {
    const providers = { appnexus: { cookie: 'id', tcf_vendor_id: 755 } };
    const found = (vendor: number) =>
      lookUp({ providers, cookies: { id: 'c' }, tcf$: cold('c', { c: consentTo(vendor) }) }).found$;
    expectObservable(found(32)).toBe('(f|)', { f: [] });
    expectObservable(found(755)).toBe('(f|)', { f: [['appnexus', 'c']] });
  });

  marble('waits at most 2,000 ms for consent', ({ cold, expectObservable, flush }) => {
    const inTime = lookUp({
      providers: appnexus,
      tcf$: cold('1999ms c', { c: consentTo(32) }),
      ...answers(cold('(a|)', body({ uid: '7' }))),
    });
    const tooLate = lookUp({ providers: appnexus, tcf$: cold('2001ms c', { c: consentTo(32) }) });
    expectObservable(inTime.found$).toBe('1999ms (f|)', { f: [['appnexus', '7']] });
    expectObservable(tooLate.found$).toBe('2000ms (f|)', { f: [] });
    flush();
    expect(tooLate.platform.requests).toEqual([]);
  });

  marble('waits at most 2,000 ms for an answer, and goes on without it', ({ cold, expectObservable, flush }) => {
    const send = ({ url }: HttpRequest): Observable<HttpAnswer> =>
      url === 'https://slow.example/' ? NEVER : cold('5ms (a|)', body({ id: 'q' }));
    const { found$, reported } = lookUp({
      providers: { reader: { url: 'https://slow.example/' }, other: { url: 'https://fast.example/', field: 'id' } },
      send,
    });
    expectObservable(found$).toBe('2000ms (f|)', { f: [['other', 'q']] });
    flush();
    expect(reported()).toEqual(['Could not ingest identities: Network request timed out']);
  });

  marble('posts who is asked about', ({ cold, expectObservable, flush }) => {
    const { found$, platform } = lookUp({
      providers: { reader: { url: 'https://login.example/id', method: 'POST' as const, field: 'reader_id' } },
      ...answers(cold('(a|)', body({ reader_id: 12 }))),
    });
    expectObservable(found$).toBe('(f|)', { f: [['reader', '12']] });
    flush();
    expect(platform.requests).toMatchObject([
      { method: 'POST', body: `{"user_id":"${visitorId}"}`, credentials: true },
    ]);
  });

  it.each(['http://id.example/', 'https://192.168.1.1/id', 'https://router.lan/', 'https://id.example:8443/', 'u'])(
    'asks no address in the visitor’s own network: %s',
    (url) => {
      marbles(({ expectObservable, flush }) => {
        const { found$, platform, reported } = lookUp({ providers: { reader: { url } } });
        expectObservable(found$).toBe('(f|)', { f: [] });
        flush();
        expect([platform.requests, reported()]).toEqual([
          [],
          ['Could not ingest identities: reader/url: expected an https address of a public host'],
        ]);
      })();
    },
  );

  it.each([
    [4096, true],
    [4097, false],
  ])('takes an id of %p characters: %p', (length, isTaken) => {
    marbles(({ cold, expectObservable, flush }) => {
      const id = 'i'.repeat(length);
      const { found$, reported } = lookUp({
        providers: { reader: { url: 'https://id.example' }, crm: { cookie: 'crm' } },
        cookies: { crm: id },
        ...answers(cold('-(a|)', body({ uid: id }))),
      });
      expectObservable(found$).toBe('-(f|)', {
        f: isTaken
          ? [
              ['crm', id],
              ['reader', id],
            ]
          : [],
      });
      flush();
      expect(reported()).toEqual(
        isTaken
          ? []
          : ['crm', 'reader'].map(
              (tag) => `Could not ingest identities: ${tag}: expected an id of 4096 characters at most`,
            ),
      );
    })();
  });

  it.each([
    ['no such field', { status: 200, body: '{}' }, []],
    ['an object for an id', { status: 200, body: '{"uid":{}}' }, []],
    ['no object', { status: 200, body: '[]' }, ['Could not ingest identities: (root): expected UnknownRecord']],
    [
      'no JSON',
      { status: 200, body: 'x' },
      ['Could not ingest identities: Failed to parse response as JSON. Response was x'],
    ],
    ['an error', { status: 503, body: '' }, ['Could not ingest identities: Failed ajax request. Status code was 503.']],
  ])('finds nothing in an answer with %s', (_, answer, lines) => {
    marbles(({ cold, expectObservable, flush }) => {
      const { found$, reported } = lookUp({
        providers: { reader: { url: 'https://u.example' } },
        ...answers(cold('-(a|)', { a: answer })),
      });
      expectObservable(found$).toBe('-(f|)', { f: [] });
      flush();
      expect(reported()).toEqual(lines);
    })();
  });

  it.each([
    ['before its expiry', noon + 1, 0],
    ['at its expiry', noon, 1],
    ['past its expiry', noon - 1, 1],
  ])('asks again %s: %p', (_, expiry, count) => {
    marbles(({ cold, expectObservable, flush }) => {
      const { found$, platform } = lookUp({
        providers: appnexus,
        known: known(expiry),
        tcf$: cold('c', { c: consentTo(32) }),
        ...answers(EMPTY),
      });
      expectObservable(found$).toBe('(f|)', { f: [] });
      flush();
      expect(platform.requests).toHaveLength(count);
    })();
  });

  marble('asks for pxid, with credentials, where it has a host', ({ cold, expectObservable, flush }) => {
    const { found$, platform } = lookUp({
      config: { pxidHost: 'px.example' },
      ...answers(cold('-(a|)', body({ pxid: 'p1' }))),
    });
    expectObservable(found$).toBe('-(f|)', { f: [['pxid', 'p1']] });
    flush();
    expect(platform.requests).toMatchObject([
      { method: 'GET', url: 'https://px.example/v2.0/pxid?k=key', credentials: true },
    ]);
  });

  it.each<readonly [string, Tcf, string]>([
    ['GDPR applies', consentTo(32), '?gdpr=1&gdpr_consent=C'],
    ['GDPR does not apply', { ...consentTo(32), gdprApplies: false, tcString: '' }, '?gdpr=0&gdpr_consent='],
    ['the page has no platform', { ...consentTo(32), status: 'missing' }, ''],
  ])('tells a vendor of consent where %s', (_, tcf, query) => {
    marbles(({ cold, flush, expectObservable }) => {
      const { found$, platform } = lookUp({
        providers: appnexus,
        tcf$: cold('c', { c: tcf }),
        ...answers(cold('(a|)', body({ uid: '7' }))),
      });
      expectObservable(found$).toBe('(f|)', { f: [['appnexus', '7']] });
      flush();
      expect(platform.requests.map(({ url }) => url)).toEqual([`https://ib.example/getuidj${query}`]);
    })();
  });

  it.each([
    ['{"uid":1680598911678123849}', '1680598911678123849'],
    ['{ "uid" : -9007199254740993 }', '-9007199254740993'],
    ['{"uid":"id:1680598911678123849"}', 'id:1680598911678123849'],
    [String.raw`{"uid":"\"1680598911678123849"}`, '"1680598911678123849'],
    ['{"uid":12}', '12'],
    ['{"uid":[1680598911678123849]}', undefined],
    ['{"uid":1e21}', '1e+21'],
    ['{"uid":1234567890123456.5}', '1234567890123456.5'],
    ['{"age":1680598911678123849.5,"uid":"a"}', 'a'],
  ])('reads the id of %s to the last digit', (text, id) => {
    marbles(({ cold, expectObservable }) => {
      const { found$ } = lookUp({
        providers: { reader: { url: 'https://u.example' } },
        ...answers(cold('(a|)', { a: { status: 200, body: text } })),
      });
      expectObservable(found$).toBe('(f|)', { f: id === undefined ? [] : [['reader', id]] });
    })();
  });

  it.each([
    [65_536, true],
    [65_537, false],
  ])('reads an answer of %p characters: %p', (length, isRead) => {
    marbles(({ cold, expectObservable, flush }) => {
      const { found$, reported } = lookUp({
        providers: { reader: { url: 'https://u.example' } },
        ...answers(cold('(a|)', { a: { status: 200, body: '{"uid":"a"}'.padEnd(length) } })),
      });
      expectObservable(found$).toBe('(f|)', { f: isRead ? [['reader', 'a']] : [] });
      flush();
      expect(reported()).toEqual(isRead ? [] : ['Could not ingest identities: The answer is larger than 64 kB']);
    })();
  });

  describe('with a function of the page that calls back', () => {
    type GetInfo = (request: { readonly callback: (answer: unknown) => void }) => void;
    const providers = { gigya: { call: 'gigya.accounts.getAccountInfo', field: 'UID' } };

    marble(
      'takes the field of the first answer, and waits for the function',
      ({ schedule, flush, expectObservable }) => {
        const globals: Record<string, unknown> = {};
        const { found$, reported } = lookUp({ providers, globals });
        const owners: unknown[] = [];
        const getAccountInfo: GetInfo = function (this: unknown, { callback }) {
          owners.push(this);
          callback({ errorCode: 0, UID: 'g1' });
          callback({ errorCode: 0, UID: 'g2' });
        };
        const accounts = { getAccountInfo };
        schedule('120ms l', { l: () => (globals['gigya'] = { accounts }) });
        expectObservable(found$).toBe('150ms (f|)', { f: [['gigya', 'g1']] });
        flush();
        expect([owners, reported()]).toEqual([[accounts], []]);
      },
    );

    it.each<readonly [string, GetInfo | undefined, string, readonly string[]]>([
      ['says that nobody is logged in', ({ callback }) => callback({ errorCode: 403005 }), '(f|)', []],
      ['answers no object', ({ callback }) => callback(null), '(f|)', []],
      [
        'never answers',
        () => undefined,
        '2000ms (f|)',
        ['gigya.accounts.getAccountInfo: expected an answer within 2000 ms'],
      ],
      [
        'throws',
        () => {
          throw new Error('of the page');
        },
        '(f|)',
        ['of the page'],
      ],
      ['does not come', undefined, '950ms (f|)', []],
    ])('finds nothing where it %s', (_, getAccountInfo, diagram, lines) => {
      marbles(({ flush, expectObservable }) => {
        const { found$, reported } = lookUp({ providers, globals: { gigya: { accounts: { getAccountInfo } } } });
        expectObservable(found$).toBe(diagram, { f: [] });
        flush();
        expect(reported()).toEqual(lines.map((line) => `Could not ingest identities: ${line}`));
      })();
    });
  });

  marble('reads cookies and globals of the page; a getter that throws costs itself', ({ expectObservable, flush }) => {
    const broken = {
      get uid(): string {
        throw new Error('of the page');
      },
    };
    const { found$, reported } = lookUp({
      providers: {
        sailthru: { cookie: 'hid' },
        gigya: { global: 'account.user.uid' },
        absent: { global: 'account.no.uid' },
        broken: { global: 'broken.uid' },
        empty: {},
      },
      cookies: { hid: 's1' },
      globals: { account: { user: { uid: 'g1' } }, broken },
    });
    expectObservable(found$).toBe('(f|)', {
      f: [
        ['sailthru', 's1'],
        ['gigya', 'g1'],
      ],
    });
    flush();
    expect(reported()).toEqual(['Could not ingest identities: of the page']);
  });

  it.each([
    [{ amp_ready: true }, [['amp', 'a1']]],
    [{ amp_ready: 'true' }, []],
    [{}, []],
  ])('takes amp where the misc chunk holds %p', (chunk, found) => {
    marbles(({ expectObservable }) => {
      const { found$ } = lookUp({
        providers: { amp: { cookie: 'amp' } },
        cookies: { amp: 'a1' },
        local: { 'permutive-data-misc': JSON.stringify(chunk) },
      });
      expectObservable(found$).toBe('(f|)', { f: found });
    })();
  });

  it.each([
    [safari, false],
    [safari.replace('Macintosh', 'iPhone'), false],
    [chrome, true],
    [safari.replace('Version', 'CriOS'), true],
    [safari.replace('Version', 'FxiOS'), true],
    ['Mozilla/5.0 (X11; rv:127.0) Gecko/20100101 Firefox/127.0', true],
    [`${chrome} Edg/126.0`, true],
  ])('on %p: asks %p', (userAgent, asks) => {
    marbles(({ expectObservable }) => {
      const { found$ } = lookUp({ providers: { sailthru: { cookie: 'hid' } }, cookies: { hid: 's1' }, userAgent });
      expectObservable(found$).toBe('(f|)', { f: asks ? [['sailthru', 's1']] : [] });
    })();
  });

  marble('lets go of everything when unsubscribed', ({ cold, hot, expectObservable, expectSubscriptions }) => {
    const tcf$ = hot<Tcf>('-');
    const answer$ = cold<HttpAnswer>('-');
    const { found$ } = lookUp({
      providers: { ...appnexus, reader: { url: 'https://u.example' } },
      tcf$,
      ...answers(answer$),
    });
    expectObservable(found$, '^--!').toBe('-');
    expectSubscriptions(tcf$.subscriptions).toBe('^--!');
    expectSubscriptions(answer$.subscriptions).toBe('^--!');
  });

  marble('survives a platform that fails', ({ expectObservable, flush }) => {
    const { found$, reported } = lookUp({
      providers: { reader: { url: 'https://u.example' } },
      send: () => throwError(() => new Error('refused')),
    });
    expectObservable(found$).toBe('(f|)', { f: [] });
    flush();
    expect(reported()).toEqual(['Could not ingest identities: refused']);
  });
});
