import { delay, NEVER, type Observable, tap, throwError } from 'rxjs';

import { fakePlatform } from '../../../src/fakePlatform/fakePlatform';
import { memoryStorage } from '../../../src/fakePlatform/memoryStorage';
import { json } from '../../../src/hardening/plainJson';
import { settingsFrom } from '../../../src/model/config';
import type { Consent } from '../../../src/model/consent';
import { fromConsent } from '../../../src/streams/visitor/fromConsent';
import { marble, marbles } from '../../support/marbles';

const consentKey = 'permutive-consent';
const given = '{"opt_in":true,"token":"t"}';
const revoked = '{"opt_in":false}';

const answers: Readonly<Record<string, Consent>> = { u: 'unasked', y: 'given', n: 'refused', w: 'withdrawn' };
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
  readonly required?: boolean | (() => boolean);
  readonly cookieDomain?: string;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly call$: Observable<unknown>;
  readonly storage$?: Observable<unknown>;
  /** Page shows, at the start and from the back-forward cache. */
  readonly show$?: Observable<unknown>;
  /** The page is left. */
  readonly hide$?: Observable<unknown>;
  /** Messages of other tabs. */
  readonly told$?: Observable<unknown>;
  /** The SDK is about to do something for the page. */
  readonly recheck$?: Observable<unknown>;
  /** The page is hidden or shown: whether it is hidden then. */
  readonly visibility$?: Observable<boolean>;
  /** The browser tells of changes of cookies. */
  readonly cookieChange$?: Observable<unknown>;
  /** A request is about to leave. */
  readonly beforeRequest$?: Observable<unknown>;
}

const world = (facts: World) => {
  const { stored, required = false, cookies = {}, call$, told$ = NEVER, recheck$ = NEVER } = facts;
  const { storage$: storage, show$: pageshow, hide$: pagehide, visibility$ = NEVER, beforeRequest$ = NEVER } = facts;
  let isHidden = false;
  const events: Readonly<Record<string, Observable<unknown> | undefined>> = {
    'window storage': storage,
    'window pageshow': pageshow,
    'window pagehide': pagehide,
    'document visibilitychange': visibility$.pipe(tap((hidden) => (isHidden = hidden))),
    'cookieStore change': facts.cookieChange$ ?? throwError(() => new TypeError()),
  };
  const local = memoryStorage(stored === undefined ? {} : { [consentKey]: stored });
  const report = jest.fn();
  const posted: unknown[] = [];
  const written: string[] = [];
  const platform = fakePlatform({ cookies });
  const { state$: consent$, keepRefusal } = fromConsent([], call$, {
    ...platform,
    cookies: {
      read: platform.cookies.read,
      write: (cookie) => {
        if (!cookie.includes('expires=Thu, 01 Jan 1970')) written.push(cookie);
        platform.cookies.write(cookie);
      },
    },
    local,
    json,
    report,
    setting: settingsFrom({
      page: () => ({
        consentRequired: typeof required === 'function' ? required() : required,
        cookieDomain: facts.cookieDomain ?? '',
      }),
      overrides: {},
      project: {},
      report,
    }),
    recheck$,
    beforeRequest$,
    page: { ...platform.page, hidden: () => isHidden },
    tabs: { message$: told$, post: (message) => void posted.push(message) },
    listen: (target, type) => events[`${target} ${type}`] ?? NEVER,
  });
  return { consent$, keepRefusal, local, report, posted, written, jar: platform.jar, cookies: platform.cookies };
};

describe('fromConsent', () => {
  marble('says at once what is stored, then each change', ({ hot, expectObservable }) => {
    const call$ = hot('    --n--y--', calls);
    const expected = '     y-w--y--';
    expectObservable(world({ stored: given, call$, storage$: hot('-') }).consent$).toBe(expected, answers);
  });

  it.each([
    ['nothing, not required', undefined, false, 'y'],
    ['nothing, required', undefined, true, 'u'],
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
    const expected = '     y----w---';
    expectObservable(world({ stored: given, call$, storage$: hot('-') }).consent$).toBe(expected, answers);
  });

  marble(
    'stores a refusal before it says so, and consent at the end of the task',
    ({ hot, expectObservable, flush }) => {
      const call$ = hot('    -y-n-d', calls);
      const { consent$, local } = world({ required: true, call$, storage$: hot('-') });
      const stored: (string | null)[] = [];
      const note = (): void => void stored.push(local.read(consentKey));
      hot('-(t)-').pipe(delay(0)).subscribe(note);
      expectObservable(consent$.pipe(tap(note))).toBe('uy-w-y', answers);
      flush();
      expect(stored).toEqual([null, null, given, revoked, revoked]);
      expect(local.read(consentKey)).toBe('{"opt_in":true,"token":"permutive-consent"}');
    },
  );

  marble('takes an empty token for a refusal', ({ hot, expectObservable }) => {
    const call$ = hot('    --e--', calls);
    const expected = '     y-w--';
    expectObservable(world({ call$, storage$: hot('-') }).consent$).toBe(expected, answers);
  });

  marble('reports a call that makes no sense, and takes it for a refusal', ({ hot, expectObservable, flush }) => {
    const call$ = hot('    -?-u-y-n', calls);
    const expected = '     yw---y-w';
    const { consent$, report } = world({ stored: given, call$, storage$: hot('-') });
    expectObservable(consent$).toBe(expected, answers);
    flush();
    expect(report.mock.calls.map(([message]: [string]) => message)).toEqual(['Invalid consent', 'Invalid consent']);
  });

  marble('hears what another tab of the site stores, and nothing else', ({ cold, hot, expectObservable }) => {
    const { consent$, local } = world({ stored: given, call$: hot('-'), storage$: hot('--o--k---k-', storage) });
    // Written by the other tab: a refusal at 1, consent at 8.
    const writes$ = cold(' -n------y--');
    const expected = '     y----w---y-';
    writes$.subscribe((answer) => local.write(consentKey, answer === 'y' ? given : revoked));
    expectObservable(consent$).toBe(expected, answers);
  });

  marble(
    'is not asked again, and nothing is withdrawn, where another tab has cleared the store',
    ({ cold, hot, expectObservable }) => {
      const { consent$, local } = world({
        stored: given,
        required: true,
        call$: hot('-'),
        storage$: hot('---c', storage),
      });
      const expected = '     y--u';
      cold('-r').subscribe(() => local.remove(consentKey));
      expectObservable(consent$).toBe(expected, answers);
    },
  );

  marble('lets go of calls and of the page when unsubscribed', ({ hot, expectObservable, expectSubscriptions }) => {
    const call$ = hot('    ---n-', calls);
    const storage$ = hot(' ----k', storage);
    const unsub = '        ^-!  ';
    expectObservable(world({ call$, storage$ }).consent$, unsub).toBe('y', answers);
    expectSubscriptions(call$.subscriptions).toBe(unsub);
    expectSubscriptions(storage$.subscriptions).toBe(unsub);
  });

  marble('tells other tabs of each answer, and hears theirs', ({ cold, hot, expectObservable, flush }) => {
    const call$ = hot('    -n-----', calls);
    const told$ = hot('    ---y-n?', calls);
    const expected = '     yw-y-w-';
    const { consent$, posted, report, local, cookies } = world({ call$, told$ });
    // What the other tabs store, where they can.
    cold('--r').subscribe(() => {
      cookies.write(`${consentKey}=; expires=Thu, 01 Jan 1970 00:00:00 GMT`);
      local.write(consentKey, given);
    });
    cold('----r').subscribe(() => local.remove(consentKey));
    expectObservable(consent$).toBe(expected, answers);
    flush();
    expect(posted).toEqual([{ opt_in: false }]);
    expect(report).toHaveBeenCalledTimes(1);
  });

  marble('takes an answer of another tab that makes no sense for a refusal', ({ hot, expectObservable }) => {
    expectObservable(world({ call$: hot('-'), told$: hot('--?', calls) }).consent$).toBe('y-w', answers);
  });

  marble('reads the stored answer at a return from the back-forward cache', ({ cold, hot, expectObservable }) => {
    const show$ = hot('    -f--p', { f: { persisted: false }, p: { persisted: true } });
    const { consent$, local } = world({ stored: given, call$: hot('-'), show$ });
    const expected = '     y---w';
    cold('--r').subscribe(() => local.write(consentKey, revoked));
    expectObservable(consent$).toBe(expected, answers);
  });

  marble('keeps a refusal in a cookie where storage takes none', ({ hot, expectObservable, flush }) => {
    const call$ = hot('    -n', calls);
    const { consent$, local, jar } = world({ call$ });
    local.failure = 'unavailable';
    expectObservable(consent$).toBe('yw', answers);
    flush();
    expect(Object.fromEntries(jar)).toEqual({ [consentKey]: revoked });
    expect(local.all()).toEqual({});
  });

  marble('stores a refusal once there is room', ({ hot, flush }) => {
    const { consent$, keepRefusal, local } = world({ call$: hot('-n', calls) });
    local.failure = 'quota';
    consent$.subscribe();
    flush();
    local.failure = undefined;
    keepRefusal();
    expect(local.all()).toEqual({ [consentKey]: revoked });
  });

  marble(
    'keeps a refusal in storage and in a cookie of the whole site, whatever `cookieDomain` is',
    ({ hot, flush }) => {
      const { consent$, local, written } = world({ call$: hot('-n', calls), cookieDomain: 'www.site.example' });
      consent$.subscribe();
      flush();
      expect(local.all()).toEqual({ [consentKey]: revoked });
      expect(written).toEqual([
        expect.stringMatching(/^permutive-consent=%7B%22opt_in%22%3Afalse%7D; expires=.*; domain=site\.example; path=/),
      ]);
    },
  );

  marble(
    'reads whether consent is required again before the SDK acts for the page',
    ({ cold, hot, expectObservable }) => {
      let isRequired = false;
      const { consent$ } = world({
        required: () => isRequired,
        call$: hot('-------y', calls),
        recheck$: hot('-c---c', { c: 0 }),
      });
      const expected = '     y----u-y';
      cold('--r').subscribe(() => (isRequired = true));
      expectObservable(consent$).toBe(expected, answers);
    },
  );

  marble('is refused, and not withdrawn, where nobody was asked before', ({ hot, expectObservable }) => {
    const call$ = hot('    --n-y-n', calls);
    const expected = '     u-n-y-w';
    expectObservable(world({ required: true, call$ }).consent$).toBe(expected, answers);
  });

  marble(
    'does not take the consent that another tab has heard just before the refusal of this one',
    ({ hot, expectObservable }) => {
      const call$ = hot('    --n---y-', calls);
      const told$ = hot('    --(y)--n', calls);
      const expected = '     y-w---y-';
      expectObservable(world({ stored: given, call$, told$ }).consent$).toBe(expected, answers);
    },
  );

  marble(
    'takes a refusal that another tab has heard where nothing is stored, and no consent',
    ({ hot, expectObservable }) => {
      const told$ = hot('    -yn-y', calls);
      const expected = '     u-n--';
      expectObservable(world({ required: true, call$: hot('-'), told$ }).consent$).toBe(expected, answers);
    },
  );

  marble('never stores or tells consent that is withdrawn in the same task', ({ hot, expectObservable, flush }) => {
    const call$ = hot('    --(yn)-', calls);
    const expected = '     u-(yw)-';
    const { consent$, posted, local } = world({ required: true, call$ });
    const write = jest.spyOn(local, 'write');
    expectObservable(consent$).toBe(expected, answers);
    flush();
    expect(posted).toEqual([{ opt_in: false }]);
    expect(write.mock.calls).toEqual([[consentKey, revoked]]);
  });

  const refuseElsewhere =
    ({ cookies }: ReturnType<typeof world>) =>
    (): void =>
      cookies.write(`${consentKey}=${encodeURIComponent(revoked)}; domain=site.example`);

  marble('finds a refusal on another host when the page is shown', ({ cold, hot, expectObservable }) => {
    const visibility$ = hot('-h---s', { h: true, s: false });
    const expected = '       y----w';
    const tab = world({ stored: given, call$: hot('-'), visibility$ });
    cold('                   --r').subscribe(refuseElsewhere(tab));
    expectObservable(tab.consent$).toBe(expected, answers);
  });

  it.each(['beforeRequest$', 'cookieChange$'])(
    'finds a refusal on another host by %s',
    marbles(({ cold, hot, expectObservable }, source: string) => {
      const look$ = hot('    -l---l');
      const expected = '     y----w';
      const tab = world({ stored: given, call$: hot('-'), [source]: look$ });
      cold('                 --r').subscribe(refuseElsewhere(tab));
      expectObservable(tab.consent$).toBe(expected, answers);
    }),
  );

  marble(
    'finds a refusal before a page that was left does anything, though it has not heard that it is shown again',
    ({ cold, hot, expectObservable }) => {
      const recheck$ = hot('  -c-c---c---c', { c: 0 });
      const hide$ = hot('     --h-------h-', { h: {} });
      const show$ = hot('     --------s---', { s: { persisted: true } });
      const expected = '      y------w-y--';
      const call$ = hot('     ---------y--', calls);
      const { consent$, local } = world({ stored: given, call$, hide$, show$, recheck$ });
      cold('                  -----r').subscribe(() => local.write(consentKey, revoked));
      expectObservable(consent$).toBe(expected, answers);
    },
  );

  marble('keeps its consent while it is left where nothing is stored', ({ hot, expectObservable }) => {
    const recheck$ = hot('  ----c', { c: 0 });
    const hide$ = hot('     --h--', { h: {} });
    const call$ = hot('     -y---', calls);
    const { consent$, local } = world({ required: true, call$, hide$, recheck$ });
    hide$.subscribe(() => local.remove(consentKey));
    expectObservable(consent$).toBe('uy---', answers);
  });

  marble('starts from a refusal in the cookie, until consent is given', ({ hot, expectObservable, flush }) => {
    const call$ = hot('    --y', calls);
    const { consent$, jar } = world({ stored: given, cookies: { [consentKey]: revoked }, call$ });
    expectObservable(consent$).toBe('n-y', answers);
    flush();
    expect([...jar.keys()]).toEqual([]);
  });
});
