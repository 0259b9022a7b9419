/** @jest-environment jsdom */
import { engineWorkers } from '../../src/platform/engineWorkers';
import { openWorker, type WorkerFiles } from '../../src/platform/openWorker';

/** A worker that the test speaks for. */
class FakeWorker {
  readonly terminate = jest.fn();
  onerror: ((event: { readonly message?: string; readonly preventDefault: () => void }) => void) | undefined;
}

const violate = (violation: Partial<SecurityPolicyViolationEvent> = {}): boolean =>
  dispatchEvent(
    Object.assign(new Event('securitypolicyviolation'), {
      effectiveDirective: 'worker-src',
      disposition: 'enforce',
      blockedURI: 'blob',
      ...violation,
    }),
  );

/** The workers of a page, which ends when the test has ended. */
const page = (session: () => Pick<Storage, 'getItem' | 'setItem'> = () => sessionStorage) => {
  const opened: FakeWorker[] = [];
  const open = jest.fn((): Worker => {
    opened.push(new FakeWorker());
    return opened.at(-1) as unknown as Worker;
  });
  const workers = engineWorkers({ openWorker: open, session });
  pages.push(workers);
  return { workers, opened, open };
};
const pages: { readonly close: () => void }[] = [];

beforeEach(() => sessionStorage.clear());
afterEach(() => pages.splice(0).forEach(({ close }) => close()));

describe('The engine’s workers', () => {
  it('are opened one at a time, each when it is asked for', () => {
    const { workers, opened } = page();
    expect(opened).toEqual([]);
    expect([workers.open().worker, workers.open().worker]).toEqual(opened);
    expect(opened).toHaveLength(2);
  });

  it('are opened once where one was prepared, and anew after that', () => {
    const { workers, opened } = page();
    workers.prepare();
    expect(opened).toHaveLength(1);
    expect(workers.open()).toMatchObject({ worker: opened[0], failure: undefined });
    expect(opened).toHaveLength(1);
    expect(workers.open().worker).toBe(opened[1]);
  });

  it('end where they wait, and nowhere else', () => {
    const { workers, opened } = page();
    workers.open();
    workers.prepare();
    workers.close();
    workers.close();
    expect(opened.map(({ terminate }) => terminate.mock.calls.length)).toEqual([0, 1]);
    expect(workers.open().worker).toBe(opened[2]);
  });

  it.each([
    ['a message', 'no file'],
    ['none, as of a refusal', undefined],
  ])('keep what they fail with while they wait, also from the page, with %s', (_, message) => {
    const { workers, opened } = page();
    workers.prepare();
    const preventDefault = jest.fn();
    opened[0]?.onerror?.({ ...(message !== undefined && { message }), preventDefault });
    expect(workers.open().failure).toEqual(new Error(message));
    expect(preventDefault).toHaveBeenCalledTimes(1);
  });

  it('that the browser refuses are asked for once, also where one was prepared', () => {
    const { workers, open } = page();
    open.mockImplementationOnce(() => {
      throw new Error('refused');
    });
    expect(workers.prepare).not.toThrow();
    expect(workers.open).toThrow('refused');
    expect(open).toHaveBeenCalledTimes(1);
    expect(workers.open).not.toThrow();
  });

  it('that the browser has refused can be closed', () => {
    const { workers, open } = page();
    open.mockImplementationOnce(() => {
      throw new Error('refused');
    });
    workers.prepare();
    expect(workers.close).not.toThrow();
    expect(workers.open).not.toThrow();
  });
});

describe('Over the pages of a tab, the engine’s workers', () => {
  it.each(['prepare', 'open'] as const)('are asked for no more where the policy has refused one, by %s', (how) => {
    page().workers[how]();
    violate();
    const { workers, open } = page();
    expect(workers.prepare).not.toThrow();
    expect(workers.open).toThrow('refused on an earlier page');
    expect(open).not.toHaveBeenCalled();
  });

  it.each<[string, Partial<SecurityPolicyViolationEvent>]>([
    ['a policy that only reports', { disposition: 'report' }],
    ['a violation of another kind', { effectiveDirective: 'img-src' }],
    ['a refused worker of the page', { blockedURI: 'https://site.example/worker.js' }],
  ])('are asked for again after %s', (_, violation) => {
    page().workers.open();
    violate(violation);
    expect(page().workers.open).not.toThrow();
  });

  it('remember nothing before there is one, once it has answered, and once they are closed', () => {
    const { workers } = page();
    violate();
    workers.open().answered();
    violate();
    workers.open();
    workers.close();
    violate();
    expect(sessionStorage).toHaveLength(0);
  });

  it('leave session storage alone until one is asked for', () => {
    const session = jest.fn(() => sessionStorage);
    const { workers } = page(session);
    workers.close();
    expect(session).not.toHaveBeenCalled();
  });

  it.each<[string, () => Pick<Storage, 'getItem' | 'setItem'>]>([
    [
      'is none',
      () => {
        throw new DOMException('denied', 'SecurityError');
      },
    ],
    ['is null', () => null as unknown as Storage],
  ])('are refused for this page alone where session storage %s', (_, session) => {
    const { workers, open } = page(session);
    workers.open();
    violate();
    expect(workers.open).toThrow('refused on an earlier page');
    expect(open).toHaveBeenCalledTimes(1);
    expect(page(session).workers.open).not.toThrow();
  });
});

describe('The source of a worker', () => {
  const natives = { Worker: globalThis.Worker, Blob: globalThis.Blob };
  const [sources, urls, revoked]: [string[], string[], string[]] = [[], [], []];

  beforeEach(() => {
    for (const list of [sources, urls, revoked]) list.length = 0;
    Object.assign(URL, {
      createObjectURL: ({ text }: { readonly text: string }) => `blob:${sources.push(text)}`,
      revokeObjectURL: (url: string) => revoked.push(url),
    });
    Object.assign(globalThis, {
      Blob: class {
        readonly text: string;
        constructor([text = '']: readonly string[]) {
          this.text = text;
        }
      },
      Worker: function (url: string) {
        urls.push(url);
      },
    });
  });
  afterAll(() => void Object.assign(globalThis, natives));

  const filesAt = (base: string): WorkerFiles => {
    const file = (name: string) => ({ url: `${base}${name}.js`, integrity: `sha256-${name}/+=` });
    return { queries: file('queries'), engine: file('engine') };
  };
  /** The files as the worker finds them. */
  const filesIn = (source: string): unknown => {
    const [, files = ''] = /^let f=(\{.*?\}),q=/.exec(source) ?? [];
    // oxlint-disable-next-line typescript/no-implied-eval -- the text that a worker runs
    return (new Function(`return ${files}`) as () => unknown)();
  };

  it('is a Blob, whose address is one that the policy takes, and which goes', () => {
    openWorker(filesAt('https://cdn.example/'), (url) => `${url}#own`);
    expect([urls, revoked]).toEqual([['blob:1#own'], ['blob:1']]);
  });

  it.each([
    ['of a web page', 'https://cdn.example/a%20b/%2F%23/'],
    ['with characters of a text', `https://cdn.example/"'\\\n\u2028</script>é😀/`],
  ])('has files at addresses %s', (_, base) => {
    openWorker(filesAt(base), (url) => url);
    expect(filesIn(sources[0] ?? '')).toEqual(filesAt(base));
  });

  it('has them where the page changes what JSON does with texts', () => {
    Object.assign(String.prototype, { toJSON: () => 'changed' });
    openWorker(filesAt('https://cdn.example/'), (url) => url);
    delete (String.prototype as { toJSON?: unknown }).toJSON;
    expect(filesIn(sources[0] ?? '')).toEqual(filesAt('https://cdn.example/'));
  });
});
