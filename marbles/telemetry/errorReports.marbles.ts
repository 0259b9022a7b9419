import { asyncScheduler, NEVER, type Observable } from 'rxjs';

import type { ErrorReport } from '../../src/endpoints/reportErrors';
import { fakePlatform } from '../../src/fakePlatform/fakePlatform';
import { json } from '../../src/hardening/plainJson';
import type { PageContext } from '../../src/model/pageContext';
import type { HttpAnswer } from '../../src/platform/platform';
import type { Reported } from '../../src/telemetry/errorReport';
import { errorReports } from '../../src/telemetry/errorReports';
import { settingsOf } from '../../test/support/settings';
import { marble, marbles } from '../support/marbles';

const named = (message: string): Reported => ({ message, cause: undefined });
const errors = { a: named('a'), b: named('b'), c: named('c'), q: named('Query Language: q') };
const answers: Readonly<Record<string, HttpAnswer>> = { o: { status: 200, body: 'OK' }, x: { status: 500, body: '' } };

interface World {
  readonly online?: () => boolean;
  readonly said?: Set<string>;
  readonly flush$?: Observable<unknown>;
  readonly hidden?: () => boolean;
  /** Local storage as earlier pages have left it. */
  readonly local?: Readonly<Record<string, string>>;
  /** Id of the session; null before the first visit. */
  readonly session?: string | null;
}

/** What was sent, and when: `a 5000`. */
const world = (
  answer$: Observable<HttpAnswer>,
  {
    online = () => true,
    said = new Set(),
    flush$ = NEVER,
    hidden = () => false,
    local = {},
    session = 'session',
  }: World = {},
) => {
  const platform = fakePlatform({ send: () => answer$, page: { online, hidden }, local });
  const sent: string[] = [];
  const http = {
    ...platform.http,
    send: (request: Parameters<typeof platform.http.send>[0]) => {
      for (const { error_message } of JSON.parse(request.body ?? '[]') as ErrorReport[])
        sent.push(`${error_message} ${asyncScheduler.now()}`);
      return platform.http.send(request);
    },
  };
  const client = { type: '', user_agent: '', url: '', domain: '', title: '', referrer: '', path: '', view_id: '' };
  const context = (): PageContext | undefined =>
    session === null ? undefined : { user_id: 'user', session_id: session, view_id: '', client };
  return {
    sent,
    platform,
    deps: { ...platform, http, json, setting: settingsOf(), said, flush$, context },
  };
};

/** One page, on which these errors are reported: what it sends, and local storage after it. */
const runOf = ([diagram, values]: readonly [string, Readonly<Record<string, Reported>>], facts: World) => {
  let page: ReturnType<typeof world> | undefined;
  marbles(({ hot, cold, flush, expectObservable }) => {
    page = world(cold('(o|)', answers), facts);
    expectObservable(errorReports(hot(diagram, values), page.deps)).toBe('-');
    flush();
  })();
  return { sent: page!.sent, local: page!.platform.local.all() };
};

describe('errorReports', () => {
  marble('waits for 5 s of quiet', ({ hot, cold, flush, expectObservable }) => {
    const { sent, deps } = world(cold('--(o|)', answers));
    expectObservable(errorReports(hot('a', errors), deps)).toBe('-');
    flush();
    expect(sent).toEqual(['a 5000']);
  });

  marble('sends a burst one after the other, the first error first', ({ hot, cold, flush, expectObservable }) => {
    const { sent, deps } = world(cold('30ms (o|)', answers));
    expectObservable(errorReports(hot('a 999ms b 4s c', errors), deps)).toBe('-');
    flush();
    expect(sent).toEqual(['a 10001', 'b 10031', 'c 10061']);
  });

  marble('waits for what is still on its way', ({ hot, cold, flush, expectObservable }) => {
    const { sent, deps } = world(cold('4s (o|)', answers));
    expectObservable(errorReports(hot('a 999ms b 5s c', errors), deps)).toBe('-');
    flush();
    expect(sent).toEqual(['a 6000', 'b 10000', 'c 14000']);
  });

  const fallback = 'Local storage is used, IndexedDB failed';
  const expected = { ...errors, w: named(fallback), v: named('WebWorker refused, queries are evaluated on the page') };
  it.each([
    ['in the same session', 'session', [`b 5004`]],
    ['in another session', 'another', [`${fallback} 5004`, 'b 5004']],
  ])('sends a fallback that is expected once a session: %s', (_, session, again) => {
    const first = runOf(['w-w-a', expected], {});
    expect(first.sent).toEqual([`${fallback} 5004`, 'a 5004']);
    expect(runOf(['w-w-b', expected], { local: first.local, session }).sent).toEqual(again);
  });

  it('sends each fallback of a session, and reads no other note', () => {
    const first = runOf(['w', expected], { local: { 'permutive-data-misc': '{"toldFallbacks":7,"other":1}' } });
    const second = runOf(['v', expected], { local: first.local });
    const third = runOf(['vw', expected], { local: second.local });
    expect([first.sent.length, second.sent.length, third.sent.length]).toEqual([1, 1, 0]);
    expect(JSON.parse(third.local['permutive-data-misc'] ?? '')).toMatchObject({ other: 1 });
  });

  it('sends a fallback before there is a session, and keeps nothing of it', () => {
    expect(runOf(['w', expected], { session: null })).toEqual({ sent: [`${fallback} 5000`], local: {} });
  });

  marble('sends at once what waits as the page is left, each report once', ({ hot, cold, flush, expectObservable }) => {
    const { sent, platform, deps } = world(cold('30ms (o|)', answers), { flush$: hot('- 998ms f 99ms f') });
    expectObservable(errorReports(hot('ab 996ms - 9s c', errors), deps)).toBe('-');
    flush();
    expect(sent).toEqual(['a 999', 'b 999', 'c 14999']);
    expect(platform.requests.map(({ keepalive }) => keepalive)).toEqual([true, true, false]);
  });

  marble('sends as the page is left what has not had its turn', ({ hot, cold, flush, expectObservable }) => {
    const { sent, platform, deps } = world(cold('4s (o|)', answers), { flush$: hot('6s f') });
    expectObservable(errorReports(hot('abc', errors), deps)).toBe('-');
    flush();
    expect(sent).toEqual(['a 5002', 'b 6000', 'c 6000']);
    expect(platform.requests.map(({ keepalive }) => keepalive)).toEqual([false, true, true]);
  });

  marble('sends at once what is reported while the page is hidden', ({ hot, cold, flush, expectObservable }) => {
    const hidden = (): boolean => asyncScheduler.now() >= 1000;
    const { sent, platform, deps } = world(cold('30ms (o|)', answers), { flush$: hot('1s f'), hidden });
    expectObservable(errorReports(hot('a 999ms b 9s c', errors), deps)).toBe('-');
    flush();
    expect(sent).toEqual(['a 1000', 'b 1000', 'c 10001']);
    expect(platform.requests.map(({ keepalive }) => keepalive)).toEqual([true, true, true]);
  });

  marble('sends each message once', ({ hot, cold, flush, expectObservable }) => {
    const { sent, deps } = world(cold('(o|)', answers));
    expectObservable(errorReports(hot('aaa 9s a 9s a', errors), deps)).toBe('-');
    flush();
    expect(sent).toEqual(['a 5000']);
  });

  marble('sends 15 of a page that does not stop failing', ({ hot, cold, flush, expectObservable }) => {
    const letters = 'abcdefghijklmnopqrst';
    const storm = Object.fromEntries(letters.split('').map((letter) => [letter, named(letter)]));
    const { sent, deps } = world(cold('(o|)', answers));
    expectObservable(errorReports(hot(letters, storm), deps)).toBe('-');
    flush();
    expect(sent.map((line) => line[0]).join('')).toBe(letters.slice(0, 15));
  });

  marble('goes on after a report that failed, and says nothing of it', ({ hot, cold, flush, expectObservable }) => {
    const { sent, deps } = world(cold('(x|)', answers));
    expectObservable(errorReports(hot('a 9s b', errors), deps)).toBe('-');
    flush();
    expect(sent).toEqual(['a 5000', 'b 14001']);
  });

  marble('sends nothing without a network', ({ hot, cold, flush, expectObservable }) => {
    const { sent, deps } = world(cold('(o|)', answers), { online: () => asyncScheduler.now() > 6000 });
    expectObservable(errorReports(hot('a 9s b', errors), deps)).toBe('-');
    flush();
    expect(sent).toEqual(['b 14001']);
  });

  marble('drops what waits when it is stopped', ({ hot, cold, flush, expectObservable, expectSubscriptions }) => {
    const { sent, deps } = world(cold('(o|)', answers));
    const source$ = hot('    a', errors);
    const unsub = '          ^ 4998ms !';
    expectObservable(errorReports(source$, deps), unsub).toBe('-');
    expectSubscriptions(source$.subscriptions).toBe(unsub);
    flush();
    expect(sent).toEqual([]);
  });

  marble('names the user with errors of the query language only', ({ hot, cold, flush, expectObservable }) => {
    const { platform, deps } = world(cold('(o|)', answers));
    expectObservable(errorReports(hot('aq', errors), deps)).toBe('-');
    flush();
    const reports = platform.requests.flatMap(({ body }) => JSON.parse(body ?? '[]') as ErrorReport[]);
    expect(reports.map(({ user_id }) => user_id)).toEqual([undefined, 'user']);
    expect(platform.requests.map(({ url }) => url)).toEqual(
      Array(2).fill('https://api.permutive.com/sdk-errors/v2/errors?k=key'),
    );
  });

  marble('survives a page that cannot be read', ({ hot, cold, flush, expectObservable }) => {
    const { sent, platform, deps } = world(cold('(o|)', answers));
    const title = (): string => {
      if (asyncScheduler.now() < 2) throw new Error('of the page');
      return '';
    };
    const page = { ...platform.page, title };
    expectObservable(errorReports(hot('a-b', errors), { ...deps, page })).toBe('-');
    flush();
    expect(sent).toEqual(['b 5002']);
  });
});
