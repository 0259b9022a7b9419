import { configTable } from '../../src/model/config';
import { changeBundle, withPrelude } from './support/changedBundle';
import { letPass, withClock } from './support/clock';
import { can, listMissing, needs } from './support/needs';
import { callableMethods } from './support/permutive';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { failedRequests, scriptFile, uuidV4, type Visitor } from './support/visitor';

/** Counts what reaches `window.onerror`, as a page's own error monitoring would. */
const withMonitoring = async (visitor: Visitor): Promise<() => Promise<readonly string[]>> => {
  await visitor.page.addInitScript(() => {
    const monitored: string[] = [];
    Object.assign(window, { monitored });
    window.addEventListener('error', ({ message }) => monitored.push(message));
    window.onerror = (_, source) => void monitored.push(`onerror ${source ?? ''}`);
    window.addEventListener('unhandledrejection', ({ reason }) => monitored.push(String(reason)));
  });
  return () => visitor.page.evaluate(() => (window as unknown as { monitored: string[] }).monitored);
};

describe('A page whose callbacks throw', () => {
  const stage = stageForTests();

  test('hears nothing of it in its onerror, and its visitor is tracked', async () => {
    const visitor = await stage.visitor();
    const monitored = await withMonitoring(visitor);
    await visitor.open('/?throw=1&permutive_debug=true');
    await visitor.ready();
    await stage.untilArrived('PageCallbackCheck');
    await stage.untilArrived('SegmentEntry');
    for (const callback of [
      'ready',
      'ready realtime',
      'user',
      'segments',
      'segment',
      'query',
      'trigger',
      'on',
      'once',
      'success',
    ])
      await visitor.untilWarned(`page callback failed: ${callback}`);
    expect(await monitored()).toEqual([]);
    expect(await visitor.ask((permutive) => permutive.segments())).toContain(20401);
  });

  test('has its other callbacks called, and gets its answers by promise as well', async () => {
    const visitor = await stage.visitor();
    const monitored = await withMonitoring(visitor);
    const release = await visitor.hold(scriptFile);
    await visitor.open('/blank', 'domcontentloaded');
    await visitor.ask((permutive) => {
      const called: string[] = [];
      Object.assign(window, { called });
      const bad = (): never => {
        throw new Error('a callback of the page');
      };
      const good = (name: string) => () => void called.push(name);
      for (const callback of [bad, undefined]) {
        void permutive.on('SegmentEntry', callback ?? good('on'));
        void permutive.on(/^SegmentE/, callback ?? good('on by pattern'));
        void permutive.once('SegmentEntry', callback ?? good('once'));
        void permutive.trigger(20401, 'result', callback ?? good('trigger'));
        permutive.query(20401, 'result', callback ?? good('query'));
        void permutive.segment(20401, callback ?? good('segment'));
        void permutive.segments(callback ?? good('segments'));
        void permutive.ready(callback ?? good('ready'));
        void permutive.ready(callback ?? good('realtime'), 'realtime');
        void permutive.user(callback ?? good('user'));
        void permutive.track('Good', {}, { success: callback ?? good('success') });
        void permutive.track('no name', {}, { error: callback ?? good('error') });
      }
    });
    release();
    const called = await until(async () => {
      const names = await visitor.page.evaluate(() => (window as unknown as { called: string[] }).called);
      return names.includes('success') && names.includes('on') ? names : undefined;
    }, 'the callbacks');
    expect([...new Set(called)].sort()).toEqual([
      'error',
      'on',
      'on by pattern',
      'once',
      'query',
      'ready',
      'realtime',
      'segment',
      'segments',
      'success',
      'trigger',
      'user',
    ]);
    const answers = await visitor.ask((permutive) => {
      const bad = (): never => {
        throw new Error('a callback of the page');
      };
      return Promise.all([
        permutive.user(bad),
        permutive.segment(20401, bad),
        permutive.segments(bad),
        permutive.ready(bad).then(() => 'ready'),
        permutive.track('Good', {}, { success: bad, error: bad }),
      ]);
    });
    expect(answers).toMatchObject([
      expect.stringMatching(uuidV4),
      true,
      expect.arrayContaining([20401]),
      'ready',
      { name: 'Good' },
    ]);
    await stage.untilArrived('Good', 2);
    expect(await monitored()).toEqual([]);
  });
});

describe('A page that has changed what is built in', () => {
  const stage = stageForTests();

  /** Of JSON as a driver needs it too. */
  const ofJson = [
    'Object.prototype.toJSON = function () { return "changed"; }',
    'Object.prototype.extra = function () { return 1; }; Object.prototype.note = "of the page"',
  ];
  const throwingJson = [
    'JSON.stringify = function () { throw new Error("no JSON here"); }',
    'JSON.parse = function () { throw new Error("no JSON here"); }',
  ];
  /** `toJSON` as Prototype.js has it, and fields that a loop over an array finds. */
  const ofLists = [
    'Array.prototype.toJSON = function () { return "[" + this.join(",") + "]"; }; String.prototype.toJSON = function () { return "changed " + this; }',
    'Array.prototype.last = function () { return this[this.length - 1]; }; Array.prototype.note = "of the page"',
  ];
  const prototypes = [...(can('ownJson') ? ofJson : []), ...ofLists].join(';');
  const functions = [
    ...(can('ownJson') ? throwingJson : []),
    'window.fetch = function () { throw new Error("no fetch here"); }',
  ].join(';');

  const works = async (visitor: Visitor): Promise<void> => {
    await visitor.track('Ordinary', {
      list: ['a', 'b'],
      deep: { n: [1, { two: 2 }] },
      text: '“quoted” \\ and\nbroken 😀',
    });
    const [event] = await stage.untilArrived('Ordinary');
    const { client, ...properties } = event!.properties;
    expect(properties).toEqual({ list: ['a', 'b'], deep: { n: [1, { two: 2 }] }, text: '“quoted” \\ and\nbroken 😀' });
    expect(client).toMatchObject({ type: 'web', domain: 'localhost' });
    expect(await visitor.ask((permutive) => permutive.segment(20401))).toBe(true);
    expect(await stage.rejected()).toEqual([]);
  };

  test('before the script came works: prototypes', async () => {
    const visitor = await stage.visitor();
    await changeBundle(visitor.page, withPrelude(prototypes, ''));
    await visitor.open('/blank');
    await visitor.ready();
    await works(visitor);
    const remembered = async (): Promise<unknown> =>
      (JSON.parse((await visitor.storage())['permutive-app'] ?? '{}') as { core?: { cohorts: { all: unknown } } }).core
        ?.cohorts.all;
    const cohorts = await until(async () => {
      const all = await remembered();
      return Array.isArray(all) && all.length > 0 ? all : undefined;
    }, 'the app state');
    expect(cohorts).toContain('20401');
  });

  test.each([
    ['a frozen Error.prototype', 'Object.freeze(Error.prototype)'],
    ['a field of all descriptions of properties', 'Object.prototype.set = true'],
  ])('so that the script cannot run hears nothing in its onerror: %s', async (_, change) => {
    const visitor = await stage.visitor();
    await withClock(visitor.page);
    const monitored = await withMonitoring(visitor);
    // Changed for the script alone, because the tool that drives the browser needs these objects too.
    const undo = change.startsWith('Object.prototype') ? 'delete Object.prototype.set' : '';
    await changeBundle(visitor.page, { '': (text) => `${change};${text};${undo}` });
    await visitor.open('/blank?gpt=none');
    await visitor.untilWarned('Permutive was not initialized. Exception during initialisation. Got TypeError');
    await letPass(visitor.page, 60_000);
    expect(await monitored()).toEqual([]);
    expect(await stage.requests()).toEqual([]);
  });

  test.each([
    ['prototypes', prototypes],
    ['functions that throw', functions],
  ])('after the script came works: %s', async (_, change) => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    await visitor.page.evaluate(`{${change}}`);
    await works(visitor);
  });

  listMissing('ownJson', 'works: Object.prototype, JSON.stringify and JSON.parse of the page');
});

describe('A browser without storage', () => {
  const stage = stageForTests();

  const tracks = async (visitor: Visitor): Promise<void> => {
    await visitor.ready();
    await visitor.track('Ordinary');
    await stage.untilArrived('Pageview');
    await stage.untilArrived('Ordinary');
    await until(
      async () => ((await visitor.ask((permutive) => permutive.segment(20401))) ? true : undefined),
      'the cohort of readers',
    );
  };

  test('runs from memory where local storage is denied, says so once, and keeps the user by the cookie', async () => {
    const visitor = await stage.visitor();
    await changeBundle(
      visitor.page,
      withPrelude(
        'Object.defineProperty(window, "localStorage", { get() { throw new DOMException("denied by the visitor", "SecurityError"); } })',
        '',
      ),
    );
    await visitor.open('/blank?permutive_debug=true&gpt=none');
    await tracks(visitor);
    expect(
      (await visitor.warnings()).filter((warning) =>
        warning.includes('LocalStorage access is required. denied by the visitor'),
      ),
    ).toHaveLength(1);
    await visitor.open('/blank?gpt=none');
    const [first, second] = await stage.untilArrived('Pageview', 2);
    expect(second?.user_id).toBe(first?.user_id);
  });

  test('runs where all calls of local storage throw', async () => {
    const visitor = await stage.visitor();
    const throwing =
      'for (const name of ["getItem", "setItem", "removeItem", "key"]) Storage.prototype[name] = () => { throw new Error("no storage"); }';
    await changeBundle(visitor.page, withPrelude(throwing, ''));
    await visitor.open('/blank?gpt=none');
    await tracks(visitor);
  });

  test('runs where local storage is full', async () => {
    const visitor = await stage.visitor();
    await visitor.page.addInitScript(() => {
      for (let size = 4_000_000; size >= 1; size = Math.floor(size / 2)) {
        try {
          for (let i = 0; i < 2; i += 1) localStorage.setItem(`filling ${size} ${i}`, 'x'.repeat(size));
        } catch {
          // Full at this size.
        }
      }
    });
    await visitor.open('/blank');
    await tracks(visitor);
    expect((await visitor.cookies())['permutive-id']).toMatch(uuidV4);
  });

  test.each([
    ['is missing', 'Object.defineProperty(self, "indexedDB", { value: undefined })'],
    [
      'fails to open',
      'IDBFactory.prototype.open = () => { const r = {}; setTimeout(() => r.onerror && r.onerror({ preventDefault() {} })); return Object.assign(new EventTarget(), { error: new DOMException("no", "UnknownError") }, { addEventListener(type, f) { if (type === "error") setTimeout(f, 5, { preventDefault() {} }); } }); }',
    ],
  ])('goes on counting in local storage where IndexedDB %s', async (_, prelude) => {
    const visitor = await stage.visitor();
    await changeBundle(visitor.page, withPrelude(prelude, '', 'worker'));
    await visitor.open('/blank');
    await tracks(visitor);
    await visitor.open('/blank');
    await visitor.ready();
    await until(
      async () => ((await visitor.ask((permutive) => permutive.segment(20403))) ? true : undefined),
      'the cohort of two page views',
    );
    expect(Object.keys(await visitor.storage())).toContain('permutive-events-cache');
  });
});

describe('Stored values that are broken', () => {
  const stage = stageForTests();

  const keys = [
    'permutive-id permutive-session permutive-app permutive-data-queries permutive-data-misc permutive-data-models permutive-data-tpd permutive-data-enrichers',
    'permutive-events-cache permutive-events-for-page _psegs _pdfps _papns _prubicons _pindexs _pnativo _pfws _ppam _pcrprs _pclmc _pssps permutive-prebid-rtd permutive-prebid-id',
  ].flatMap((line) => line.split(' '));

  const elsewhere = '/assets/icon.svg';

  const works = async (visitor: Visitor): Promise<void> => {
    await visitor.ready();
    const [pageview] = await stage.untilArrived('Pageview');
    expect(pageview?.user_id).toMatch(uuidV4);
    await visitor.track('Ordinary');
    await stage.untilArrived('Ordinary');
    await until(
      async () => ((await visitor.ask((permutive) => permutive.segment(20401))) ? true : undefined),
      'the cohort of readers',
    );
    expect(await stage.rejected()).toEqual([]);
  };

  const broken = [
    'not { JSON',
    '{"core":{"cohorts":{"all":[20401',
    'null',
    '[]',
    '{}',
    '12',
    '"text"',
    '[null,{},[[]],"x",-1]',
    '{"core":7,"eventPublication":{"eventUpload":{"a":1}},"queryLanguage":[],"session_id":{},"last_updated":[],"internal_query_states":[1],"event-source-id":{},"ssps":1,"cohorts":"x","providers":[]}',
    '',
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"core":{"cohorts":{"all":["__proto__","constructor"]}}}',
  ];

  // On each visit, each key has another of the values.
  test.each([0, 4, 8])('do no harm, beginning with the value %s', async (first) => {
    const visitor = await stage.visitor();
    await visitor.open(elsewhere);
    const [ofTab, ofUser, ofCodes, ...ofKeys] = ['', '', '', ...keys].map(
      (_, i) => broken[(first + i) % broken.length] ?? '',
    );
    await visitor.page.evaluate(
      ({ local, session, user, codes }) => {
        for (const [name, text] of local) localStorage.setItem(name, text);
        sessionStorage.setItem('__permutiveConfigQueryParams', session);
        document.cookie = `permutive-id=${encodeURIComponent(user)}; path=/`;
        document.cookie = `_pdfps=${encodeURIComponent(codes)}; path=/`;
      },
      {
        local: keys.map((name, i) => [name, ofKeys[i] ?? ''] as const),
        ...{ session: ofTab ?? '', user: ofUser ?? '', codes: ofCodes ?? '' },
      },
    );
    await visitor.open('/blank');
    await works(visitor);
    expect(await visitor.page.evaluate(() => 'polluted' in {})).toBe(false);
    expect((await visitor.storage())['permutive-id']).toMatch(uuidV4);
  });

  test('begin anew where a session has expired, and give way to the cookie where an id is of another version', async () => {
    const visitor = await stage.visitor();
    await visitor.open(elsewhere);
    const expired = {
      session_id: '8d8f1a9b-6f2f-4a53-9d53-0d6f0a0f1c11',
      last_updated: '2020-01-01T00:00:00.000Z',
    };
    await visitor.page.evaluate((session) => {
      localStorage.setItem('permutive-session', JSON.stringify(session));
      document.cookie = 'permutive-id=7846ce4b-dadc-4b87-8e44-7803e8a73db4; path=/';
      localStorage.setItem('permutive-id', '6846ce4b-dadc-1b87-8e44-7803e8a73db4');
    }, expired);
    await visitor.open('/blank');
    const [pageview] = await stage.untilArrived('Pageview');
    expect(pageview?.session_id).not.toBe(expired.session_id);
    expect(pageview?.user_id).toBe('7846ce4b-dadc-4b87-8e44-7803e8a73db4');
  });

  test('keep what is right: a session of ten minutes ago, an id of version 4', async () => {
    const visitor = await stage.visitor();
    await visitor.open(elsewhere);
    await visitor.page.evaluate(() => {
      localStorage.setItem(
        'permutive-session',
        JSON.stringify({
          session_id: '8d8f1a9b-6f2f-4a53-9d53-0d6f0a0f1c11',
          last_updated: new Date(Date.now() - 600_000).toISOString(),
        }),
      );
      localStorage.setItem('permutive-id', '7846ce4b-dadc-4b87-8e44-7803e8a73db4');
    });
    await visitor.open('/blank');
    const [pageview] = await stage.untilArrived('Pageview');
    expect(pageview).toMatchObject({
      session_id: '8d8f1a9b-6f2f-4a53-9d53-0d6f0a0f1c11',
      user_id: '7846ce4b-dadc-4b87-8e44-7803e8a73db4',
    });
    expect((await visitor.cookies())['permutive-id']).toBe('7846ce4b-dadc-4b87-8e44-7803e8a73db4');
  });

  test('cost themselves, not their neighbours: a good event beside a broken one is still sent', async () => {
    const visitor = await stage.visitor();
    await visitor.open(elsewhere);
    await visitor.page.evaluate(() => {
      const event = {
        id: '0f9b5a3e-30a7-4b87-b2fb-9f2bc62d3d50',
        name: 'LeftBehind',
        time: new Date(Date.now() - 60_000).toISOString(),
        properties: { client: { type: 'web', user_agent: 'x', url: 'x', domain: 'x', title: 'x', referrer: '' } },
        session_id: '8d8f1a9b-6f2f-4a53-9d53-0d6f0a0f1c11',
        view_id: '5c5b4e8e-92b1-4f0a-8a0f-3a77e3a39f4c',
        user_id: '7846ce4b-dadc-4b87-8e44-7803e8a73db4',
        segments: [20401],
        cohorts: ['20401'],
      };
      const broken = [['a', { event: { ...event, id: 1 } }], ['b', null], 'c', ['d']];
      localStorage.setItem(
        'permutive-app',
        JSON.stringify({
          core: 'broken',
          eventPublication: { eventUpload: [...broken, [event.id, { event }]] },
          queryLanguage: null,
        }),
      );
    });
    await visitor.open('/blank');
    const [event] = await stage.untilArrived('LeftBehind');
    expect(event).toMatchObject({
      id: '0f9b5a3e-30a7-4b87-b2fb-9f2bc62d3d50',
      user_id: '7846ce4b-dadc-4b87-8e44-7803e8a73db4',
      segments: [20401],
    });
    await works(visitor);
  });

  // Another script has filled local storage. The longest task of the page may be 100 ms longer than without that.
  needs('cdp').each([
    ['10,000 cohorts, which may be real', 10_000, 0, 1],
    ['60,000 cohorts, which count as none', 60_000, 0, 1],
    ['3,000 events', 0, 3000, 1],
    ['both', 60_000, 3000, 1],
    ['events of 300 pages', 0, 300, 300],
  ])('hold up no page: %s', async (_, cohorts, events, pages) => {
    const visitor = await stage.visitor();
    await visitor.page.addInitScript(() => {
      const tasks = [0];
      Object.assign(window, { tasks });
      const tell = (found: PerformanceObserverEntryList): void =>
        void tasks.push(...found.getEntries().map(({ duration }) => duration));
      new PerformanceObserver(tell).observe({ type: 'longtask', buffered: true });
    });
    const longestTask = (): Promise<number> =>
      visitor.page.evaluate(() => Math.max(...(window as unknown as { tasks: readonly number[] }).tasks));
    await visitor.open('/blank?permutive_debug=true');
    await works(visitor);
    await stage.untilQuiet();
    const longestWithout = await longestTask();
    await visitor.open(elsewhere);
    await visitor.page.evaluate(
      ([cohortCount, eventCount, pageCount]) => {
        const user_id = localStorage.getItem('permutive-id');
        const list = <A>(length: number, make: (i: number) => A): A[] => Array.from({ length }, (_, i) => make(i));
        const entry = (i: number) => {
          const [id, session_id, view_id] = list(3, () => crypto.randomUUID());
          const time = new Date().toISOString();
          const event = { id, user_id, name: 'Filled', time, properties: {}, session_id, view_id };
          return [id, { event: { ...event, segments: [], cohorts: [] }, page: `page ${i % pageCount}` }];
        };
        const core = cohortCount > 0 ? { cohorts: { all: list(cohortCount, (i) => String(100_000 + i)) } } : {};
        const filled = { core, eventPublication: { eventUpload: list(eventCount, entry) } };
        localStorage.setItem('permutive-app', JSON.stringify(filled));
      },
      [cohorts, events, pages] as const,
    );
    await visitor.open('/blank?permutive_debug=true');
    await visitor.ready('realtime');
    await stage.untilArrived('Filled', events);
    await until(
      async () => ((await visitor.storage())['permutive-app']?.includes('Filled') === false ? true : undefined),
      'the state without events',
    );
    await works(visitor);
    const sent = visitor.batches.flatMap((batch) => batch.events.filter(({ name }) => name === 'Filled'));
    expect([sent.length, new Set(sent.map(({ id }) => id)).size]).toEqual([events, events]);
    expect((await visitor.warnings()).filter((warning) => warning.includes('invalid state'))).toEqual(
      cohorts <= 10_000 ? [] : [expect.stringMatching(/core\/cohorts\/all: expected a list of 0 to 10500\n/)],
    );
    expect((await longestTask()) - longestWithout).toBeLessThanOrEqual(100);
  });

  test.each([
    ['of a later version', 99, []],
    ['with stores of other names', 3, ['other', 'events_x']],
  ] as const)('are made anew: a database %s', async (_, version, stores) => {
    const visitor = await stage.visitor();
    await visitor.open(elsewhere);
    await visitor.page.evaluate(
      ([number, names]) =>
        new Promise<void>((resolve) => {
          const request = indexedDB.open('permutive-store', number);
          request.onupgradeneeded = () => names.forEach((name) => request.result.createObjectStore(name));
          request.onsuccess = () => {
            request.result.close();
            resolve();
          };
        }),
      [version, stores] as const,
    );
    await visitor.open('/blank');
    await works(visitor);
    await visitor.open('/blank');
    await visitor.ready();
    await until(
      async () => ((await visitor.ask((permutive) => permutive.segment(20403))) ? true : undefined),
      'the cohort of two page views',
    );
  });

  test('cost themselves: records of the databases under keys that are no text', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    await visitor.track('Ordinary');
    await stage.untilArrived('Ordinary');
    await visitor.open(elsewhere);
    const written = await visitor.page.evaluate(async () => {
      const settled = <A>(request: IDBRequest<A>): Promise<A> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(new Error(request.error?.message));
        });
      let count = 0;
      for (const name of ['permutive-journal', 'permutive-store']) {
        const database = await settled(indexedDB.open(name));
        for (const store of Array.from(database.objectStoreNames)) {
          const records = database.transaction(store, 'readwrite').objectStore(store);
          if (records.keyPath !== null) continue;
          for (const key of [1, new Date(0), new Uint8Array([1]), [], ['p/1', 1]]) {
            await settled(records.put('a text', key));
            count += 1;
          }
        }
        database.close();
      }
      return count;
    });
    expect(written).toBeGreaterThanOrEqual(10);
    await stage.resetApi();
    await visitor.open('/blank');
    await works(visitor);
  });

  test('are made anew: blobs that cannot be deciphered', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    await visitor.open(elsewhere);
    const stored = await visitor.page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const request = indexedDB.open('permutive-store');
          request.onsuccess = () => {
            const database = request.result;
            const names = Array.from(database.objectStoreNames);
            const transaction = database.transaction(names, 'readwrite');
            let count = 0;
            for (const name of names) {
              const store = transaction.objectStore(name);
              store.getAllKeys().onsuccess = (event) => {
                for (const key of (event.target as IDBRequest<IDBValidKey[]>).result) {
                  count += 1;
                  store.put(new Blob(['garbage']), ...(store.keyPath === null ? [key] : []));
                }
              };
            }
            transaction.oncomplete = () => {
              database.close();
              resolve(count);
            };
          };
        }),
    );
    expect(stored).toBeGreaterThan(0);
    await stage.resetApi();
    await visitor.open('/blank');
    await works(visitor);
  });
});

describe('What a page hands over', () => {
  const stage = stageForTests();

  const openReady = async (path = '/blank'): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await visitor.open(path);
    await visitor.ready();
    return visitor;
  };

  test('as properties, or in them, is kept as far as JSON holds it; the event goes on', async () => {
    const visitor = await openReady('/blank?permutive_debug=true');
    await visitor.ask((permutive) => {
      const cycle: Record<string, unknown> = { name: 'cycle' };
      cycle['self'] = cycle;
      cycle['list'] = [1, cycle];
      const deep: Record<string, unknown> = {};
      let inner = deep;
      for (let i = 0; i < 200; i += 1) inner = inner['d'] = {};
      const shared = { both: true };
      void permutive.track('Hostile', {
        cycle,
        deep,
        big: 1n,
        action: () => 1,
        symbol: Symbol('s'),
        nothing: undefined,
        none: null,
        notANumber: NaN,
        endless: Infinity,
        date: new Date(0),
        noDate: new Date(NaN),
        get throwing(): string {
          throw new Error('a getter of the page');
        },
        get fine(): string {
          return 'fine';
        },
        shared: [shared, shared],
        holes: [1, undefined, () => 1, 4],
        map: new Map([[1, 2]]),
        element: document.body,
        revoked: (() => {
          const { proxy, revoke } = Proxy.revocable({}, {});
          revoke();
          return proxy;
        })(),
        ['__proto__']: { inherited: true },
        '': 'empty key',
        client: 'not the page’s to say',
        ok: true,
      });
    });
    const [event] = await stage.untilArrived('Hostile');
    const { client, deep, cycle, ...properties } = event!.properties;
    expect(properties).toMatchObject({
      none: null,
      notANumber: null,
      endless: null,
      date: '1970-01-01T00:00:00.000Z',
      noDate: null,
      fine: 'fine',
      shared: [{ both: true }, { both: true }],
      holes: [1, null, null, 4],
      '': 'empty key',
      ok: true,
    });
    for (const name of ['big', 'action', 'symbol', 'nothing', 'throwing', 'inherited', 'revoked'])
      expect(properties).not.toHaveProperty(name);
    expect(cycle).toEqual({ name: 'cycle', list: [1, null] });
    expect(deep).toHaveProperty('d.d.d');
    expect(client).toMatchObject({ type: 'web' });
    for (const path of ['/cycle/self', '/big', '/action', '/throwing'])
      expect(await visitor.warnings()).toContainEqual(expect.stringContaining(path));
    expect((await visitor.warnings()).join()).not.toContain('a getter of the page');

    // As the properties themselves, of which none need be an object.
    await visitor.ask(async (permutive) => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      const throwing = new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no keys');
          },
          get: () => {
            throw new Error('no values');
          },
        },
      );
      const odd: readonly unknown[] = [
        proxy,
        throwing,
        'text',
        7,
        1n,
        Symbol('s'),
        () => 1,
        [1, 2],
        new Date(),
        document,
        window,
        null,
        undefined,
        true,
        Object.create(null),
        new (class {
          a = 1;
        })(),
      ];
      for (const properties of odd) await permutive.track('Odd', properties);
    });
    await visitor.track('Ordinary');
    await stage.untilArrived('Ordinary');
    expect(await stage.arrived('Odd')).toHaveLength(16);
    expect(await stage.rejected()).toEqual([]);
  });

  test('that is too large loses what has no room, and no event', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank?permutive_debug=true');
    await visitor.ready();
    await visitor.ask((permutive) => {
      let doubling: unknown = 'x';
      for (let i = 0; i < 40; i += 1) doubling = { a: doubling, b: doubling };
      void permutive.track('Before');
      void permutive.track('TooLarge', {
        text: 'x'.repeat(1_500_000),
        bytes: new Uint8Array(5_000_000),
        kept: 'small',
        list: new Array(1_000_000).fill(1),
      });
      void permutive.track('TooLarge', { kept: 'small', doubling });
      void permutive.track('After');
    });
    await stage.untilArrived('After');
    const events = await stage.arrived('TooLarge');
    for (const { properties } of events) expect(JSON.stringify(properties).length).toBeLessThan(48_000);
    expect(events.map(({ properties }) => [properties['kept'], 'text' in properties, 'bytes' in properties])).toEqual([
      ['small', false, false],
      ['small', false, false],
    ]);
    for (const path of ['/text', '/bytes', '/list/', '/doubling'])
      expect(await visitor.warnings()).toContainEqual(expect.stringContaining(`at ${path}`));
    expect(await stage.arrived('Before')).toHaveLength(1);
    expect(await stage.rejected()).toEqual([]);
  });

  test('as arguments may be of any type', async () => {
    const visitor = await openReady();
    const monitored = await visitor.ask(async (permutive, methods) => {
      const failures: string[] = [];
      const throwing = new Proxy(() => 1, {
        get: () => {
          throw new Error('no values');
        },
        ownKeys: () => {
          throw new Error('no keys');
        },
        apply: () => {
          throw new Error('no call');
        },
      });
      const odd: readonly unknown[] = [
        undefined,
        null,
        0,
        -1,
        NaN,
        1n,
        '',
        'x',
        '__proto__',
        'constructor',
        Symbol('s'),
        true,
        {},
        [],
        Object.create(null),
        /x/g,
        new Date(NaN),
        () => 1,
        throwing,
        document.body,
        window,
      ];
      for (const method of methods) {
        const call = permutive[method] as (...args: readonly unknown[]) => unknown;
        for (const value of odd) {
          for (const args of [
            [value],
            [value, value],
            [value, value, value],
            ['x', value],
            [20401, value, value],
            [20401, 'result', value],
            ['x', {}, value],
          ]) {
            if (method === 'addon' && args[0] === 'web') continue;
            try {
              void call.apply(permutive, args);
              void call(...args);
            } catch (error) {
              failures.push(`${method}: ${String(error)}`);
            }
          }
        }
        call();
      }
      // What is no answer counts as a refusal, and ends the visit: the last of all calls.
      const isMember = await permutive.segment(20401);
      const refused: unknown[] = [];
      for (const value of odd) {
        permutive.consent({ opt_in: true, token: 'again' });
        permutive.consent(value === throwing ? {} : value);
        refused.push(await permutive.track('Refused'));
      }
      permutive.consent({ opt_in: true, token: 'again' });
      return { failures: [...new Set(failures)], isMember, refused: [...new Set(refused)] };
    }, callableMethods);
    expect(monitored).toEqual({ failures: [], isMember: true, refused: [null] });
    await visitor.track('Ordinary');
    await stage.untilArrived('Ordinary');
    expect(await stage.arrived('Refused')).toEqual([]);
  });

  test('in the queue may be anything', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(scriptFile);
    await visitor.open('/blank', 'domcontentloaded');
    const entries = [
      'undefined, null, 7, "track", true, Symbol("s"), [], {}',
      '{ functionName: "track" }, { functionName: 7, arguments: [] }, { functionName: "track", arguments: null }',
      '{ functionName: "__proto__", arguments: [] }, { functionName: "constructor", arguments: [] }',
      '{ functionName: "readyWithTimeout", arguments: [1] }',
      '{ functionName: "track", arguments: { length: Infinity } }, { functionName: "track", arguments: { length: -1 } }',
      'new Proxy({}, { get: function () { throw new Error("no values"); } })',
    ];
    await visitor.page.evaluate(`void window.permutive.q.push(${entries.join()})`);
    await visitor.ask((permutive) => void permutive.track('Ordinary'));
    release();
    await visitor.ready();
    await stage.untilArrived('Ordinary');
    await stage.untilArrived('Pageview');
  });

  const wrong = ['text', 7000, -1, null, [], { enabled: 'x' }, true];

  // On each visit, each field has another of the values.
  test.each([0, 3, 5])('as config may be broken in every field, beginning with the value %s', async (first) => {
    const visitor = await stage.visitor({ expected: failedRequests });
    // What names servers and versions may be any text, so these are left as the page needs them.
    const kept = ['apiHost', 'apiProtocol', 'apiKey', 'cdnBaseUrl', 'cdnProtocol', 'consentRequired', 'apiVersion'];
    const fields = Object.keys(configTable).flatMap((name, i) => {
      const value = wrong[(first + i) % wrong.length];
      const isFine = typeof value === 'string' && /Version|Host|cookie|stateNamespace|sdkType/.test(name);
      return kept.includes(name) || isFine ? [] : [[name, value] as const];
    });
    const release = await visitor.hold(scriptFile);
    await visitor.open('/blank', 'domcontentloaded');
    await visitor.ask(({ config }, given) => void Object.assign(config, Object.fromEntries(given)), fields);
    release();
    await visitor.ready();
    await stage.untilArrived('Pageview');
    await visitor.track('Ordinary');
    await stage.untilArrived('Ordinary');
    expect(await visitor.ask((permutive) => permutive.segment(20401))).toBe(true);
    expect(await stage.rejected()).toEqual([]);
  });

  test('as config that is told once is not told again', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(scriptFile);
    await visitor.open('/blank?permutive_debug=true', 'domcontentloaded');
    await visitor.ask(({ config }) => {
      config['requestTimeout'] = 'the secret of the page';
    });
    release();
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    await visitor.track('Ordinary');
    await stage.untilArrived('Ordinary');
    const told = (await visitor.warnings()).filter((warning) => warning.includes('config/requestTimeout'));
    expect(told).toHaveLength(1);
    expect((await visitor.warnings()).join()).not.toContain('the secret of the page');
  });

  test('as config may be missing', async () => {
    // Without a config there is no reference API, only the provider's own.
    const visitor = await stage.visitor({ expected: /^Failed to load resource|api\.permutive\.com/ });
    const release = await visitor.hold(scriptFile);
    await visitor.open('/blank', 'domcontentloaded');
    await visitor.ask((permutive) => void Object.assign(permutive, { config: undefined }));
    release();
    await visitor.ready('initialised');
    expect(await visitor.ask((permutive) => permutive.user())).toMatch(uuidV4);
  });
});
