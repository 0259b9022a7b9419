import { map, type Observable, type Subscription, timer } from 'rxjs';

import { fakePlatform } from '../../../src/fakePlatform/fakePlatform';
import { json } from '../../../src/hardening/plainJson';
import { consentApi } from '../../../src/streams/visitor/consentApi';
import { fromSharing } from '../../../src/streams/visitor/fromSharing';
import { fromTcf } from '../../../src/streams/visitor/fromTcf';
import { settingsOf } from '../../../test/support/settings';
import { marble, marbles } from '../../support/marbles';

interface Call {
  readonly command: string;
  readonly parameter?: unknown;
  readonly version: unknown;
  readonly callId: string;
}

/** A window that a test plays. One of another origin throws where a frame is asked for that it does not have. */
interface FakeWindow {
  parent: FakeWindow;
  readonly frames: Readonly<Record<string, unknown>>;
  readonly postMessage: (message: Readonly<Record<string, Call>>, origin: string) => void;
}

/** The window of the script, in so many windows of another origin; the outermost has the locator frame. */
const world = (name: string, parents = 2, isText = false) => {
  const calls: Call[] = [];
  const strict = (frames: object): Readonly<Record<string, unknown>> =>
    new Proxy(frames as Record<string, unknown>, {
      get: (target, key: string) => {
        if (!Object.hasOwn(target, key)) throw new DOMException('', 'SecurityError');
        return target[key];
      },
    });
  const windowOf = (frames: object): FakeWindow => {
    const made = {
      frames: strict(frames),
      postMessage: (message: Readonly<Record<string, Call>>, origin: string) => {
        expect([Object.keys(message), origin]).toEqual([[`${name}Call`], '*']);
        calls.push(message[`${name}Call`]!);
      },
    };
    return Object.assign(made, { parent: made as unknown as FakeWindow });
  };
  const windows = Array.from({ length: parents + 1 }, (_, i) =>
    windowOf(i === parents ? { [`${name}Locator`]: {} } : {}),
  );
  windows.forEach((each, i) => (each.parent = windows[i + 1] ?? each));
  const platform = fakePlatform({ globals: { window: windows[0] } });
  const answer = (returnValue: unknown, more: object = {}, source: unknown = windows.at(-1)): void => {
    const content = { [`${name}Return`]: { callId: calls.at(-1)?.callId, success: true, returnValue, ...more } };
    platform.fire('window', 'message', { source, data: isText ? json.stringify(content) : content });
  };
  return { ...platform, json, setting: settingsOf(), calls, windows, answer };
};

const decided = {
  eventStatus: 'tcloaded',
  listenerId: 7,
  gdprApplies: true,
  tcString: 'C',
  vendor: { consents: { 21: true } },
};
const statuses = (world: Parameters<typeof fromTcf>[0]): Observable<string> =>
  fromTcf(world).pipe(map(({ status, tcString }) => `${status} ${tcString}`));

describe('A consent platform in a window around this one', () => {
  it.each([
    ['an object', false],
    ['text', true],
  ])(
    'is found by its locator frame, and asked by messages; it answers with %s',
    marbles(({ expectObservable, flush }, _: string, isText: boolean) => {
      const tab = world('__tcfapi', 2, isText);
      timer(5).subscribe(() => tab.answer(decided));
      timer(8).subscribe(() => tab.answer({ ...decided, eventStatus: 'useractioncomplete', tcString: 'D' }));
      expectObservable(statuses(tab), '^ 20ms !').toBe('-----a--b', { a: 'loaded C', b: 'loaded D' });
      flush();
      expect(tab.calls).toEqual([
        { command: 'addEventListener', version: 2, callId: expect.any(String) as string },
        { command: 'removeEventListener', parameter: 7, version: 2, callId: expect.any(String) as string },
      ]);
      expect(tab.listening()).toEqual([]);
    }),
  );

  marble('is heard from that window alone, and only about these calls', ({ expectObservable }) => {
    const tab = world('__tcfapi');
    timer(1).subscribe(() => {
      tab.answer(decided, {}, tab.windows[1]);
      tab.answer(decided, {}, null);
      tab.answer(decided, { callId: 'another' });
      for (const data of [null, 'text', '__tcfapiReturn', { __tcfapiReturn: 'C' }, { __gppReturn: {} }, []])
        tab.fire('window', 'message', { source: tab.windows[2], data });
    });
    expectObservable(statuses(tab), '^ 20ms !').toBe('-');
  });

  marble('that fails has given consent to nobody', ({ expectObservable }) => {
    const tab = world('__tcfapi');
    timer(1).subscribe(() => tab.answer(null, { success: false }));
    expectObservable(statuses(tab), '^ 20ms !').toBe('-a', { a: 'aborted ' });
  });

  it.each([
    [10, true],
    [11, false],
  ])('is looked for in 10 windows: %i, %p', (parents, isFound) => {
    expect(consentApi('__tcfapi', world('__tcfapi', parents)) !== undefined).toBe(isFound);
  });

  it('is not looked for where this window has its own', () => {
    const tab = world('__tcfapi');
    const own = jest.fn();
    const global = (name: string): unknown => (name === '__tcfapi' ? own : tab.page.global(name));
    const asked: Subscription | undefined = fromTcf({ ...tab, page: { global } }).subscribe();
    asked.unsubscribe();
    expect([own.mock.calls.length, tab.calls]).toEqual([1, []]);
  });

  marble('of GPP says whether data may be shared', ({ expectObservable, flush }) => {
    const tab = world('__gpp');
    const ping = (SaleOptOut: number) => ({
      listenerId: 3,
      pingData: { signalStatus: 'ready', parsedSections: { usnat: { SaleOptOut } } },
    });
    timer(2).subscribe(() => tab.answer(ping(2)));
    timer(4).subscribe(() => tab.answer(ping(1)));
    expectObservable(fromSharing(tab), '^ 20ms !').toBe('--y-n', { y: true, n: false });
    flush();
    expect(tab.calls.map(({ command, version }) => [command, version])).toEqual([
      ['addEventListener', '1.1'],
      ['removeEventListener', '1.1'],
    ]);
  });

  marble('of US Privacy says whether data may be shared', ({ expectObservable, flush }) => {
    const tab = world('__uspapi');
    timer(2).subscribe(() => tab.answer({ version: 1, uspString: '1YYN' }));
    expectObservable(fromSharing(tab), '^ 20ms !').toBe('--n', { n: false });
    flush();
    expect(tab.calls.map(({ command, version }) => [command, version])).toEqual([['getUSPData', 1]]);
  });
});
