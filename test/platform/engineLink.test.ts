import { engineLink } from '../../src/platform/engineLink';
import { reportMock } from '../support/reports';
import { settled } from '../support/waiting';

/** A worker that the test speaks for. */
class FakeWorker {
  static readonly opened: FakeWorker[] = [];
  static refused: Error | undefined;
  readonly heard: unknown[] = [];
  readonly sizes: number[] = [];
  terminated = false;
  onmessage: ((event: { readonly data: unknown }) => void) | undefined;
  onerror: ((event: { readonly message: string; readonly preventDefault: () => void }) => void) | undefined;

  constructor() {
    if (FakeWorker.refused) throw FakeWorker.refused;
    FakeWorker.opened.push(this);
  }
  postMessage(messages: readonly unknown[]): void {
    if (!this.terminated) this.heard.push(...messages);
    this.sizes.push(messages.length);
  }
  terminate(): void {
    this.terminated = true;
  }
  say(data: unknown): void {
    this.onmessage?.({ data });
  }
  fail(message: string): jest.Mock {
    const preventDefault = jest.fn();
    this.onerror?.({ message, preventDefault });
    return preventDefault;
  }
}

interface Server {
  readonly serve: (port: MessagePort) => () => void;
}

/** An engine on the page that keeps what it hears. */
const pageEngine = () => {
  const heard: unknown[] = [];
  const end = jest.fn();
  const start = jest.fn();
  let port: MessagePort | undefined;
  const server: Server = {
    serve: (given) => {
      port = given;
      const startPort = given.start.bind(given);
      given.start = () => {
        start();
        startPort();
      };
      given.addEventListener('message', ({ data }) => heard.push(...(data as readonly unknown[])));
      return end;
    },
  };
  return {
    server,
    heard,
    end,
    start,
    say: (message: unknown) => port?.postMessage(message),
    close: () => port?.close(),
  };
};

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15';

const linkTo = (
  loadOnPage: () => Promise<Server> = () => new Promise(() => undefined),
  userAgent = chrome,
  failure?: Error,
) => {
  const report = reportMock();
  const answered = jest.fn();
  const { message$, send } = engineLink({
    openWorker: () => ({ worker: new FakeWorker() as unknown as Worker, failure, answered }),
    loadOnPage,
    report,
    userAgent,
  });
  // A link carries whatever it is given, and short texts show the order best.
  const link = { message$, send: send as (message: unknown) => void };
  const said: unknown[] = [];
  const onError = jest.fn();
  const listen = () => link.message$.subscribe({ next: (message) => said.push(message), error: onError });
  return { link, report, said, onError, listen, answered };
};
const inSafari = () => linkTo(undefined, safari);
const worker = (): FakeWorker => FakeWorker.opened.at(-1)!;
/** What the link listens to of its page. */
const page = { addEventListener: jest.fn(), removeEventListener: jest.fn() };

beforeEach(() => {
  FakeWorker.opened.length = 0;
  FakeWorker.refused = undefined;
  page.addEventListener.mockReset();
  page.removeEventListener.mockReset();
  Object.assign(globalThis, page);
});
afterEach(() => void jest.useRealTimers());

describe('engineLink, with a worker', () => {
  it('opens it at the first listener', () => {
    const { listen } = linkTo();
    expect(FakeWorker.opened).toHaveLength(0);
    listen();
    expect(FakeWorker.opened).toHaveLength(1);
  });

  it('carries messages both ways, those sent before it was opened too', async () => {
    const { link, said, listen, answered } = linkTo();
    link.send('a');
    listen();
    link.send('b');
    expect(answered).not.toHaveBeenCalled();
    worker().say('c');
    link.send('d');
    worker().say('e');
    await settled();
    expect(worker().heard).toEqual(['a', 'b', 'd']);
    expect(said).toEqual(['c', 'e']);
    expect(answered).toHaveBeenCalledTimes(1);
  });

  it('carries what is sent in one turn together, a hundred at a time, in order', async () => {
    const { link, listen } = linkTo();
    listen();
    const many = Array.from({ length: 250 }, (_, i) => i);
    many.forEach(link.send);
    await Promise.resolve();
    link.send('later');
    await settled();
    expect([worker().sizes, worker().heard]).toEqual([
      [100, 100, 50, 1],
      [...many, 'later'],
    ]);
  });

  it('reports what cannot be carried, and carries the rest of its turn', async () => {
    const { link, listen, report } = linkTo();
    listen();
    const carry = worker().postMessage.bind(worker());
    const refusing = jest.spyOn(worker(), 'postMessage').mockImplementation((batch) => {
      if (batch.includes('refused')) throw new Error('not to be cloned');
      carry(batch);
    });
    ['a', 'refused', 'b'].forEach(link.send);
    await settled();
    link.send('c');
    await settled();
    expect(report.mock.calls).toEqual([['Exception in the worker', new Error('not to be cloned')]]);
    expect(worker().heard).toEqual(['a', 'b', 'c']);
    refusing.mockRestore();
  });

  it.each([
    ['Chrome', chrome],
    ['Firefox', firefox],
  ])('ends with its listener in %s', (_, userAgent) => {
    linkTo(undefined, userAgent).listen().unsubscribe();
    expect([worker().heard, worker().terminated]).toEqual([[], true]);
    expect(page.addEventListener).not.toHaveBeenCalled();
  });

  it('is told in Safari that its listener is gone, is heard no more, and has 3 s to close its database', () => {
    jest.useFakeTimers();
    const { listen, said } = inSafari();
    listen().unsubscribe();
    worker().say('late');
    expect([worker().heard, said]).toEqual([[{ type: 'end' }], []]);
    jest.advanceTimersByTime(2999);
    expect(worker().terminated).toBe(false);
    jest.advanceTimersByTime(1);
    expect(worker().terminated).toBe(true);
  });

  it.each([
    ['while it is listened to', (): void => void inSafari().listen()],
    ['while it closes its database', (): void => inSafari().listen().unsubscribe()],
  ])('ends at once where the page unloads in Safari, %s', (_, begin) => {
    begin();
    const [[type, onPagehide]] = page.addEventListener.mock.calls as [[string, (event: object) => void]];
    expect(type).toBe('pagehide');
    // The event is one that a script of the page has made up.
    onPagehide({ isTrusted: false });
    expect(worker().terminated).toBe(false);
    onPagehide({ isTrusted: true });
    expect(worker().terminated).toBe(true);
  });

  it('that has ended in Safari keeps no listener of the page', () => {
    jest.useFakeTimers();
    inSafari().listen().unsubscribe();
    jest.advanceTimersByTime(3000);
    const { addEventListener, removeEventListener } = page;
    expect(addEventListener).toHaveBeenCalledTimes(1);
    expect(removeEventListener.mock.calls).toEqual(addEventListener.mock.calls);
  });

  it('reports an error of a worker that has spoken, and goes on', async () => {
    const { listen, report, link, said } = linkTo();
    listen();
    worker().say('a');
    const preventDefault = worker().fail('broken');
    expect(report.mock.calls).toEqual([['Exception in the worker', new Error('broken')]]);
    expect(preventDefault).toHaveBeenCalledTimes(1);
    link.send('b');
    worker().say('c');
    await settled();
    expect([worker().heard, said, worker().terminated]).toEqual([['b'], ['a', 'c'], false]);
  });
});

describe('engineLink, where a worker is refused', () => {
  it.each([
    ['when it is made', (): Error => (FakeWorker.refused = new Error('refused')), () => undefined],
    ['when it loads', () => undefined, (): void => void worker().fail('refused')],
  ] satisfies readonly (readonly [string, () => unknown, () => unknown])[])(
    '%s, turns to an engine on the page, with one warning',
    async (_, before: () => unknown, after: () => unknown) => {
      const engine = pageEngine();
      const { link, said, report, listen } = linkTo(() => Promise.resolve(engine.server));
      before();
      link.send('a');
      const listening = listen();
      link.send('b');
      after();
      await settled();
      link.send('c');
      engine.say('d');
      await settled();
      expect(engine.heard).toEqual(['a', 'b', 'c']);
      expect(said).toEqual(['d']);
      expect(report.mock.calls).toEqual([
        ['WebWorker refused, queries are evaluated on the page', new Error('refused')],
      ]);
      listening.unsubscribe();
      engine.close();
    },
  );

  it('before anybody listened to it, turns to an engine on the page at once', async () => {
    const engine = pageEngine();
    const { link, report, listen } = linkTo(() => Promise.resolve(engine.server), chrome, new Error('refused'));
    link.send('a');
    const listening = listen();
    await settled();
    expect([engine.heard, worker().heard, worker().terminated]).toEqual([['a'], [], true]);
    expect(report.mock.calls).toEqual([['WebWorker refused, queries are evaluated on the page', new Error('refused')]]);
    listening.unsubscribe();
    engine.close();
  });

  it('keeps what is sent while the engine on the page loads', async () => {
    const engine = pageEngine();
    let loaded: (server: Server) => void = () => undefined;
    const { link, listen } = linkTo(() => new Promise((resolve) => (loaded = resolve)));
    const listening = listen();
    link.send('a');
    worker().fail('refused');
    link.send('b');
    loaded(engine.server);
    await settled();
    expect(engine.heard).toEqual(['a', 'b']);
    listening.unsubscribe();
    engine.close();
  });

  it('starts the port: a listener that is added does not start it in a browser', async () => {
    const engine = pageEngine();
    FakeWorker.refused = new Error('refused');
    const listening = linkTo(() => Promise.resolve(engine.server)).listen();
    await settled();
    expect(engine.start).toHaveBeenCalledTimes(1);
    listening.unsubscribe();
    engine.close();
  });

  it('ends a worker that cannot be told what was sent before', async () => {
    const engine = pageEngine();
    const { link, listen } = linkTo(() => Promise.resolve(engine.server));
    const failing = jest.spyOn(FakeWorker.prototype, 'postMessage').mockImplementationOnce(() => {
      throw new Error('not to be cloned');
    });
    link.send('a');
    await settled();
    const listening = listen();
    await settled();
    expect([worker().terminated, engine.heard]).toEqual([true, ['a']]);
    failing.mockRestore();
    listening.unsubscribe();
    engine.close();
  });

  it('turns once, though the worker fails twice', async () => {
    const engine = pageEngine();
    const load = jest.fn(() => Promise.resolve(engine.server));
    const { listen, report } = linkTo(load);
    const listening = listen();
    worker().fail('first');
    worker().fail('second');
    await settled();
    expect([load.mock.calls.length, report.mock.calls.length, worker().terminated]).toEqual([1, 1, true]);
    listening.unsubscribe();
    engine.close();
  });

  it('ends the engine on the page with its listener', async () => {
    const engine = pageEngine();
    FakeWorker.refused = new Error('refused');
    const listening = linkTo(() => Promise.resolve(engine.server)).listen();
    await settled();
    listening.unsubscribe();
    expect(engine.end).toHaveBeenCalledTimes(1);
    engine.close();
  });

  it('starts no engine whose listener is gone before it has loaded', async () => {
    const engine = pageEngine();
    const serve = jest.fn(engine.server.serve);
    FakeWorker.refused = new Error('refused');
    linkTo(() => Promise.resolve({ serve }))
      .listen()
      .unsubscribe();
    await settled();
    expect(serve).not.toHaveBeenCalled();
  });

  it('says so once where that engine cannot be loaded either, and is silent', async () => {
    FakeWorker.refused = new Error('refused');
    const { listen, link, onError, report, said } = linkTo(() => Promise.reject(new Error('chunk')));
    listen();
    await settled();
    link.send('later');
    await settled();
    expect(report.mock.calls.slice(1)).toEqual([
      ['No engine could be loaded, the cohorts stay as they are', new Error('chunk')],
    ]);
    expect([said, onError.mock.calls]).toEqual([[], []]);
  });
});
