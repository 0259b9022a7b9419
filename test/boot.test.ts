import { config as rxjsConfig, ignoreElements, NEVER, tap } from 'rxjs';

import type { AddonDeps, AnyAddon } from '../src/addons/addon';
import { web } from '../src/addons/web/web';
import { type FakeFacts, fakePlatform } from '../src/fakePlatform/fakePlatform';
import { type Setup, start, stopAll } from './support/bootedPage';
import { visitorId } from './support/events';
import { pollute } from './support/pollution';
import { projectOf } from './support/project';
import { settled } from './support/waiting';

const call = (functionName: string, ...args: readonly unknown[]) => ({ functionName, arguments: args });

afterEach(stopAll);

describe('boot', () => {
  it('binds consent at once, and the other methods once the queries are initialised', () => {
    const { tag, initialise } = start();
    expect([typeof tag['consent'], typeof tag['track']]).toEqual(['function', 'undefined']);
    initialise();
    expect([typeof tag['track'], typeof tag['segments'], tag['addons']]).toEqual(['function', 'function', {}]);
    expect(tag['context']).toMatchObject({ client: { domain: 'site.example' } });
  });

  it('takes what the page has tracked at once, and replays its other calls before it is ready', () => {
    const order: string[] = [];
    const { initialise, tracked } = start(
      [
        call('ready', () => order.push('ready')),
        call('track', 'A'),
        call('segment', 7, (isMember: boolean) => order.push(`segment ${isMember}`)),
        call('on', 'permutive:ready', () => order.push('on ready')),
        call('addon', 'web', {}),
      ],
      { addons: [web] },
    );
    expect([order, tracked()]).toEqual([[], ['Pageview', 'A']]);
    initialise();
    expect(tracked()).toEqual(['Pageview', 'A']);
    expect([...order].sort()).toEqual(['on ready', 'ready', 'segment true']);
  });

  it('identifies as soon as there is a user, whoever was queued first, once', () => {
    const { platform, tag, initialise, invoke } = start([
      call('track', 'A'),
      null,
      call('identify', 'reader'),
      call('identify', [{ tag: 'a', id: '1' }]),
    ]);
    const asked = (): unknown[] =>
      platform.requests
        .filter(({ url }) => url.includes('identify'))
        .map(({ body }) => (JSON.parse(body ?? '') as { readonly aliases: unknown }).aliases);
    const expected = [[{ tag: 'default', id: 'reader', priority: 0 }], [{ tag: 'a', id: '1', priority: 0 }]];
    expect([typeof tag['identify'], asked(), [...(tag['q'] as unknown[])]]).toEqual(['function', expected, [null]]);
    initialise();
    expect(asked()).toEqual(expected);
    invoke('identify', 'later');
    expect(asked()).toHaveLength(3);
  });

  it('takes at once what a stub pushes meanwhile, and keeps the other calls in the queue', () => {
    const { platform, tag, initialise, tracked } = start();
    const order: string[] = [];
    const queue = tag['q'] as unknown[];
    expect(queue.push(call('identify', 'reader'), call('track', 'A'))).toBe(0);
    expect(queue.push(call('ready', () => order.push('ready')))).toBe(1);
    expect(platform.requests.map(({ url }) => url)).toEqual([expect.stringContaining('/identify')]);
    expect([tracked(), order, [...queue]]).toEqual([['A'], [], [call('ready', expect.any(Function))]]);
    initialise();
    expect([tracked(), order, [...queue]]).toEqual([['A'], ['ready'], []]);
  });

  it('answers identification with null where the visitor has refused', async () => {
    const { invoke, platform } = start([call('consent', { opt_in: false })]);
    await expect(invoke('identify', 'reader')).resolves.toBeNull();
    expect(platform.requests).toEqual([]);
  });

  it('identifies once consent is given, where it was missing', () => {
    const { invoke, platform } = start([call('identify', 'reader')], { config: { consentRequired: true } });
    expect(platform.requests).toEqual([]);
    invoke('consent', { opt_in: true, token: 't' });
    expect(platform.requests.map(({ url }) => url)).toEqual([expect.stringContaining('/identify')]);
  });

  it('says to the page’s own window, once and without a name, that it has begun', () => {
    const { platform, invoke, initialise } = start();
    initialise();
    invoke('reset');
    expect(platform.posted).toEqual([{ type: 'sdk-init' }]);
    expect(start([], { config: { consentRequired: true } }).platform.posted).toEqual([]);
  });

  it('replays once', () => {
    const { initialise, tracked } = start([call('track', 'A')]);
    initialise();
    initialise();
    expect(tracked()).toEqual(['A']);
  });

  it('reports what does not exist, and replays the rest', () => {
    const { initialise, logged, tracked } = start([call('unknown'), call('addon', 'unknown'), call('track', 'A')]);
    initialise();
    expect(logged()).toEqual(['Does not exist', 'Function permutive.unknown caused an error: Does not exist']);
    expect(tracked()).toEqual(['A']);
  });

  it('reports a queued call that makes no sense, once', () => {
    const { initialise, logged, tracked } = start([null, call('track', 'A')]);
    initialise();
    expect([logged(), tracked()]).toEqual([['Invalid queued call'], ['A']]);
  });

  it('logs nothing where the page does not ask for it', () => {
    const { initialise, logged } = start([null], { config: {} });
    initialise();
    expect(logged()).toEqual([]);
  });

  it('stops, and leaves nothing', () => {
    const { platform, stop, initialise, invoke } = start();
    initialise();
    stop();
    stop();
    invoke('consent', { opt_in: false });
    expect([platform.listening(), platform.engines[0]?.isOpen(), platform.erasures()]).toEqual([[], false, 0]);
  });

  it.each([
    [
      'an engine that cannot be opened',
      {
        openEngine: () => {
          throw new Error('broken');
        },
      },
    ],
    [
      'a page that cannot be read',
      {
        page: {
          ...fakePlatform().page,
          host: () => {
            throw new Error('broken');
          },
        },
      },
    ],
  ])('reports %s, and does not throw', (_, broken) => {
    const { logged } = start([], { broken });
    expect(logged()).toEqual(['Exception during initialisation. Got broken']);
    // A page that logs nothing has its one line too, and no second one.
    const { warn, awaited } = start([], { broken, config: {} });
    expect(warn.mock.calls).toEqual([['Exception during initialisation. Got broken']]);
    expect(awaited().at(-1)).toBeUndefined();
  });

  it('takes errors that nobody handles', () => {
    const { logged } = start();
    rxjsConfig.onUnhandledError?.(new Error('of ours'));
    expect(logged()).toEqual(['Exception during initialisation']);
  });

  it('survives a config whose getters throw', () => {
    const config = {
      loggingEnabled: true,
      get cookieName(): string {
        throw new Error('of the page');
      },
      get apiHost(): string {
        throw new Error('of the page');
      },
    };
    const { initialise, tag } = start([], { config });
    initialise();
    expect(typeof tag['track']).toBe('function');
  });

  it('starts on a page that has added `operator` to all objects, which RxJS would take for that of a stream', () => {
    const restore = pollute({ operator: 'and' });
    try {
      const { tag, initialise } = start();
      initialise();
      expect(typeof tag['track']).toBe('function');
    } finally {
      restore();
    }
  });

  it('starts nothing where the config cannot say whether consent is required', () => {
    const config = {
      get consentRequired(): boolean {
        throw new Error('of the page');
      },
    };
    const { platform, warn } = start([call('track', 'A')], { config });
    expect(warn.mock.calls).toEqual([['No consent to run on the page']]);
    expect([platform.engines.length, platform.local.keys()]).toEqual([0, []]);
  });
});

describe('consent', () => {
  const required = { loggingEnabled: true, consentRequired: true };
  const given = { local: { 'permutive-consent': '{"opt_in":true,"token":"t"}' } };

  it('that is required and missing lets nothing start, and says so', () => {
    const { platform, warn, tag } = start([call('track', 'A')], { config: required });
    expect(warn.mock.calls).toEqual([['No consent to run on the page']]);
    expect([
      platform.engines.length,
      platform.local.keys(),
      platform.jar.size,
      typeof tag['track'],
      typeof tag['consent'],
    ]).toEqual([0, [], 0, 'undefined', 'function']);
  });

  it('given later lets all start, and what the page has queued before it is tracked, in order', () => {
    const { invoke, tag, initialise, tracked, platform } = start(
      [call('track', 'A'), call('addon', 'web', {}), call('track', 'B')],
      { config: required, addons: [web] },
    );
    (tag['q'] as unknown[]).push(call('track', 'C'));
    expect([tracked(), platform.local.keys(), platform.jar.size, platform.requests]).toEqual([[], [], 0, []]);
    invoke('consent', { opt_in: true });
    expect(platform.engines).toHaveLength(1);
    initialise();
    expect(tracked()).toEqual(['Pageview', 'A', 'B', 'C']);
  });

  it('refused later drops what the page has queued before it, also where it is given after that', () => {
    const { invoke, initialise, tracked } = start([call('track', 'A')], { config: required });
    invoke('consent', { opt_in: false });
    invoke('consent', { opt_in: true });
    initialise();
    expect(tracked()).toEqual([]);
  });

  it('given later lets count what is tracked by the stub, before any method is bound', () => {
    const { invoke, tag, initialise, tracked } = start([call('track', 'A')], { config: required });
    const stub = (name: string): void => void (tag['q'] as unknown[]).push(call('track', name));
    stub('B');
    invoke('consent', { opt_in: true });
    stub('C');
    initialise();
    stub('D');
    expect(tracked()).toEqual(['A', 'B', 'C', 'D']);
  });

  it('that was called for before we came counts', () => {
    const { warn, platform, initialise, tracked } = start(
      [call('track', 'A'), call('consent', { opt_in: true, token: 't' })],
      { config: required },
    );
    expect([warn.mock.calls, platform.engines.length]).toEqual([[], 1]);
    expect(platform.local.read('permutive-consent')).toBe('{"opt_in":true,"token":"t"}');
    initialise();
    expect(tracked()).toEqual(['A']);
  });

  it('is what was called for last', () => {
    const { platform } = start([call('consent', { opt_in: true }), call('consent', { opt_in: false })], {
      config: required,
    });
    expect(platform.engines).toHaveLength(0);
  });

  it('that is stored counts', () => {
    const { warn, platform } = start([], { config: required, ...given });
    expect([warn.mock.calls, platform.engines.length]).toEqual([[], 1]);
  });

  it('that is stored and broken counts as revoked, and is reported once', () => {
    const { warn, logged, platform } = start([], { config: required, local: { 'permutive-consent': '{' } });
    expect([warn.mock.calls.length, logged(), platform.engines.length]).toEqual([1, ['Invalid stored consent'], 0]);
  });

  it('revoked where it is not required: methods work, and track takes nothing', async () => {
    const success = jest.fn();
    const { invoke, platform, warn } = start([call('track', 'A', {}, { success })], {
      local: { 'permutive-consent': '{"opt_in":false}', 'permutive-id': visitorId },
    });
    await expect(invoke('track', 'B')).resolves.toBeNull();
    await expect(invoke('segments')).resolves.toEqual([]);
    await expect(invoke('reset')).resolves.toBeUndefined();
    expect(success).not.toHaveBeenCalled();
    expect([platform.engines.length, platform.local.keys(), warn.mock.calls]).toEqual([0, ['permutive-consent'], []]);
  });

  it.each([
    ['in the queue', [call('consent', { opt_in: false })], {}],
    ['in the store', [], { 'permutive-consent': '{"opt_in":false}' }],
  ])('refused %s: `ready` calls back at both stages, and all methods answer with nothing', async (_, queued, local) => {
    const told: string[] = [];
    const error = jest.fn();
    const waits = (stage: string) => call('ready', () => told.push(stage), stage);
    const { invoke, platform } = start(
      [...queued, waits('initialised'), waits('realtime'), call('track', 'A', {}, { error })],
      { config: required, local },
    );
    expect(told).toEqual(['initialised', 'realtime']);
    expect(error.mock.calls).toEqual([[['No consent']]]);
    const answers = ['track', 'identify', 'user', 'explain', 'startup', 'segments', 'segment'].map((name) =>
      invoke(name, 'A'),
    );
    await expect(Promise.all(answers)).resolves.toEqual([null, null, null, null, null, [], false]);
    await expect(
      Promise.all([invoke('ready'), invoke('ready', undefined, 'realtime'), invoke('reset')]),
    ).resolves.toHaveLength(3);
    expect([platform.engines.length, platform.requests]).toEqual([0, []]);
  });

  it('refused, then given: `ready` waits for the stages again', () => {
    const { invoke, initialise } = start([call('consent', { opt_in: false })]);
    const told = jest.fn();
    invoke('consent', { opt_in: true });
    invoke('ready', told);
    expect(told).not.toHaveBeenCalled();
    initialise();
    expect(told).toHaveBeenCalledTimes(1);
  });

  it('withdrawn before the methods were bound leaves no stubs: what is tracked is answered with null', async () => {
    const { invoke, tag, tracked } = start([call('track', 'A')], { config: required });
    invoke('consent', { opt_in: true, token: 't' });
    expect(typeof tag['track']).toBe('undefined');
    invoke('consent', { opt_in: false });
    await expect(invoke('track', 'B')).resolves.toBeNull();
    await expect(invoke('ready')).resolves.toBeUndefined();
    expect(tracked()).toEqual(['A']);
  });

  it('not asked yet keeps the calls of the page, erases nothing and announces nothing', () => {
    const ready = jest.fn();
    const stored = { 'permutive-id': visitorId, _pdfps: '["7"]' };
    const { platform, tag } = start([call('ready', ready)], { config: required, local: stored, cookies: stored });
    expect([platform.local.all(), Object.fromEntries(platform.jar)]).toEqual([stored, stored]);
    expect([platform.erasures(), platform.dispatched, (tag['q'] as unknown[]).length]).toEqual([0, [], 1]);
    expect(ready).not.toHaveBeenCalled();
  });

  it('revoked on the page stops all', () => {
    const { invoke, platform, initialise } = start();
    initialise();
    invoke('consent', { opt_in: false });
    expect([platform.engines[0]?.isOpen(), platform.local.keys(), platform.dispatched]).toEqual([
      false,
      ['permutive-consent'],
      ['permutive:ready', 'consent-revoked'],
    ]);
  });

  it.each<readonly [string, readonly unknown[], object, readonly string[]]>([
    ['nothing where none is required', [], {}, []],
    ['nothing of an answer of before', [], { config: required, ...given }, []],
    ['nothing of a refusal of before', [], { local: { 'permutive-consent': '{"opt_in":false}' } }, []],
    ['an answer of the page’s queue', [call('consent', { opt_in: true })], { config: required }, ['consent-given']],
    ['a refusal of the page’s queue', [call('consent', { opt_in: false })], {}, ['consent-revoked']],
  ])('announces at the start %s', (_, queued, setup, announced) => {
    const { platform } = start(queued, setup);
    expect(platform.dispatched.filter((name) => name.startsWith('consent-'))).toEqual(announced);
  });

  it.each<readonly [string, object, readonly string[]]>([
    ['consent', { ...given, config: required }, ['consent-given']],
    ['a refusal', { local: { 'permutive-consent': '{"opt_in":false}' } }, ['consent-revoked']],
    // Another tab has cleared local storage.
    ['nothing where it is gone', { config: required }, []],
  ])('announces at the start an answer of the page that is stored already: %s', (_, setup, announced) => {
    const { config = {} } = setup as { readonly config?: object };
    const { platform } = start([], { ...setup, tag: { q: [], config, isAnswered: true } });
    expect(platform.dispatched.filter((name) => name.startsWith('consent-'))).toEqual(announced);
  });

  it.each<readonly [string, readonly unknown[], object, readonly string[]]>([
    ['an answer of the page', [call('consent', { opt_in: true })], {}, ['consent-given']],
    ['a refusal of the page', [call('consent', { opt_in: false })], {}, ['consent-revoked']],
    ['an answer of another tab', [], given, ['consent-given']],
    ['nothing where there is none yet', [], {}, []],
  ])('that the page has waited for announces %s, and warns no second time', (_, queued, setup, announced) => {
    const { platform, warn } = start(queued, { config: required, wasUnasked: true, ...setup });
    expect(platform.dispatched.filter((name) => name.startsWith('consent-'))).toEqual(announced);
    expect(warn).not.toHaveBeenCalled();
  });

  it('announces each answer of the page that changes something, once', () => {
    const { invoke, platform } = start([], { config: required, ...given });
    for (const opt_in of [true, false, false, true, true]) invoke('consent', { opt_in });
    expect(platform.dispatched.filter((name) => name.startsWith('consent-'))).toEqual([
      'consent-revoked',
      'consent-given',
    ]);
  });

  it.each<readonly [string, number, readonly unknown[], object]>([
    ['leaves the worker that waits alone where none is required', 0, [], {}],
    ['leaves it alone where there is consent', 0, [], { config: required, ...given }],
    ['ends it where the visitor was not asked', 1, [], { config: required }],
    ['ends it where the visitor refuses meanwhile', 1, [call('consent', { opt_in: false })], given],
  ])('%s', (_, times, queued, setup) => {
    expect(start(queued, setup).closeWorker).toHaveBeenCalledTimes(times);
  });

  it('withdrawn ends a worker that waits', () => {
    const { invoke, closeWorker } = start();
    invoke('consent', { opt_in: false });
    expect(closeWorker).toHaveBeenCalledTimes(1);
  });
});

describe('What the start waits for', () => {
  const visit = 'The start of the visit';
  const pageview = 'The first Pageview';
  const withWeb = { addons: [web] };
  const silent = { config: {} };

  it.each<readonly [string, readonly unknown[], readonly unknown[], Setup]>([
    ['is the visit, which never begins', [visit], [], { broken: { yieldThread: () => NEVER }, ...withWeb }],
    ['is nothing once the visit has begun', [visit, undefined], [], { ...silent, ...withWeb }],
    ['is a Pageview then, where reports are logged', [visit, pageview], [], withWeb],
    ['is no Pageview in a project without the addon', [visit, undefined], [], {}],
    ['is nothing where the visitor has refused', [undefined], [call('consent', { opt_in: false })], withWeb],
    ['is nothing where the visitor was not asked', [undefined], [], { config: { consentRequired: true } }],
  ])('%s', (_, expected, queued, setup) => {
    expect(start(queued, setup).awaited()).toEqual(expected);
  });

  it.each([[[call('addon', 'web', {})]], [[call('track', 'A'), call('addon', 'web', {})]]])(
    'is nothing after the first Pageview, also of a later visit: %j',
    (queued) => {
      const { awaited, initialise, invoke } = start(queued, withWeb);
      expect(awaited().at(-1)).toBeUndefined();
      initialise();
      invoke('reset');
      expect(awaited().at(-1)).toBeUndefined();
    },
  );

  it('is the visit again once a visitor who has refused consents', () => {
    const { awaited, invoke } = start([call('consent', { opt_in: false })], silent);
    invoke('consent', { opt_in: true });
    expect(awaited()).toEqual([undefined, visit, undefined]);
  });
});

describe('overrides', () => {
  const at = (url: string, facts: FakeFacts = {}): Setup => ({ ...facts, config: {}, page: { url: () => url } });
  const key = '__permutiveConfigQueryParams';

  it('of the address are kept for the tab, once there is consent', () => {
    const { platform } = start([], at('https://site.example/?__permutive.requestTimeout=2500&permutive_debug=true'));
    expect(JSON.parse(platform.session.read(key) ?? '{}')).toEqual({ requestTimeout: 2500, loggingEnabled: true });
    const refused = start([], {
      ...at('https://site.example/?permutive_debug=true'),
      config: { consentRequired: true },
    });
    expect(refused.platform.session.keys()).toEqual([]);
  });

  it('that the tab has kept count, those of the address over them', () => {
    const session = { [key]: '{"loggingEnabled":true,"requestTimeout":300}' };
    const { platform, initialise, logged } = start(
      [null],
      at('https://site.example/?__permutive.requestTimeout=2500', { session }),
    );
    initialise();
    expect(logged()).toEqual(['Invalid queued call']);
    expect(JSON.parse(platform.session.read(key) ?? '{}')).toEqual({ requestTimeout: 2500, loggingEnabled: true });
  });

  it('that nobody gave are not kept', () => {
    expect(start([], at('https://site.example/')).platform.session.keys()).toEqual([]);
  });

  it('that the tab has kept and that are broken are nothing, and that is said', () => {
    const { logged } = start([], at('https://site.example/', { session: { [key]: '{' } }));
    expect(logged()).toEqual(['Failed to parse query params']);
  });

  it('of an address that cannot be parsed are nothing, and that is said', () => {
    const { logged, platform } = start([], at('no address'));
    expect(logged()).toEqual(['Failed to parse query params']);
    expect(platform.engines).toHaveLength(1);
  });
});

describe('the workspace', () => {
  /** An addon that notes what it is told of the visit. */
  const noting = (noted: unknown[]): AnyAddon => ({
    name: 'noting',
    autoInit: true,
    options: (input) => input,
    run: (_streams, options$, deps: AddonDeps) =>
      options$.pipe(
        tap(() => noted.push(deps.visitor().workspaceId)),
        ignoreElements(),
      ),
  });

  it.each([
    ['the page’s', { workspaceId: 'w', projectId: 'p' }, 'w'],
    ['the page’s under its older name', { projectId: 'p' }, 'p'],
    ['the project’s', {}, projectOf().workspaceId],
  ])('is %s', (_, config, expected) => {
    const noted: unknown[] = [];
    start([], { config, addons: [noting(noted)] });
    expect(noted).toEqual([expected]);
  });
});

describe('a deferred chunk that does not load', () => {
  it('is reported once, however many parts wait for it', async () => {
    const missing = new Error('Loading chunk deferred failed');
    const loadDeferred = jest.fn(() => Promise.reject(missing));
    const { initialise, logged, invoke } = start([call('track', 'Early', { place: '$ip_geo_info' })], { loadDeferred });
    initialise();
    void invoke('track', 'Later', { place: '$ip_geo_info' });
    await settled();
    expect(loadDeferred.mock.calls.length).toBeGreaterThan(1);
    expect(logged().filter((message) => message === 'Failed to load addons')).toHaveLength(1);
  });

  it('leaves no call of `explain` without an answer', async () => {
    const { initialise, invoke } = start([], { loadDeferred: () => Promise.reject(new Error('Loading chunk failed')) });
    initialise();
    await settled();
    const answers: unknown[] = [];
    void invoke('explain', 7, (words: unknown) => answers.push(words));
    await settled();
    expect(answers).toEqual([null]);
  });
});

describe('an answer about consent that comes while the SDK starts', () => {
  const refusal = call('consent', { opt_in: false });

  it('counts where the page has kept a stub, which pushes it to the queue, before the methods are bound', async () => {
    const { platform, tag, tracked, initialise, invoke } = start();
    (tag['q'] as unknown[]).push(refusal);
    (tag['q'] as unknown[]).push(call('track', 'Refused'));
    expect(JSON.parse(platform.local.read('permutive-consent') ?? '')).toEqual({ opt_in: false });
    initialise();
    await expect(invoke('track', 'Refused')).resolves.toBeNull();
    expect(tracked()).toEqual([]);
  });

  it('counts in the same way where it is given, on a page that requires it', () => {
    const { platform, tag } = start([], { config: { consentRequired: true } });
    (tag['q'] as unknown[]).push(call('consent', { opt_in: true, token: 't' }));
    expect([platform.engines.length, (tag['q'] as unknown[]).length]).toEqual([1, 0]);
  });

  it.each([[undefined], [null], [7]])('is a refusal where its arguments in the queue are %p', (args) => {
    const { platform } = start([{ functionName: 'consent', arguments: args }]);
    expect(JSON.parse(platform.local.read('permutive-consent') ?? '')).toEqual({ opt_in: false });
    expect(platform.engines).toEqual([]);
  });

  it('is stored and counts while the inspector loads, for which the visit waits', () => {
    const { platform, invoke } = start([], { config: { inspector: true } });
    invoke('consent', { opt_in: false });
    expect(JSON.parse(platform.local.read('permutive-consent') ?? '')).toEqual({ opt_in: false });
  });
});
