import { defer, EMPTY, type Observable, of, Subject, take } from 'rxjs';

import { publicApi } from '../../src/api/publicApi';
import type { TrackCall } from '../../src/api/publicCalls';
import type { Cohorts } from '../../src/model/cohorts';
import type { IdsByName } from '../../src/model/definedCohorts';
import type { Event } from '../../src/model/event';
import type { PageContext } from '../../src/model/pageContext';
import type { Startup } from '../../src/model/startup';
import { eventOf, visitorId } from '../support/events';
import { linesOf } from '../support/reports';
import { type Signal, tellerOf } from '../support/visitSignals';
import { worldOf } from '../support/world';

const project = {
  platformCohorts: { dfp: [10_000_001] },
  cohortCodes: { '10000001': 'abcd' },
  optimisedActivationsConfig: {},
};
const context = () => ({
  user_id: visitorId,
  session_id: 'session',
  view_id: 'view',
  client: { type: 'web', user_agent: '', url: '', domain: '', title: '', referrer: '', path: '/', view_id: 'view' },
});
const cohorts: Cohorts = {
  members: ['20101', '10000001', 'abc'],
  activations: { dfp: ['20101'], appnexus_adserver: ['abc'], rubicon_ssp: ['abc'] },
  isRealtime: true,
};

/** The visitor has left cohort 20101. */
const left: Cohorts = { ...cohorts, members: ['10000001', 'abc'] };

const world = (idsByName$: Observable<IdsByName> = EMPTY, global = (_name: string): unknown => undefined) => {
  const { calls, report, dispatched, ...deps } = worldOf({ project });
  const { dispatch } = deps.page;
  const api = publicApi({
    ...deps,
    calls,
    hasAnswered: () => false,
    report,
    addonNames: ['web', 'dfp'],
    idsByName$,
    dispatch,
    global,
  });
  const { say } = tellerOf(api);
  const tracked: TrackCall[] = [];
  calls.track$.subscribe((call) => tracked.push(call));
  const method = (name: string, ...args: readonly unknown[]): unknown => api.methods[name]?.(...args);
  const reported = (): string[] => linesOf(report);
  return { api, calls, say, method, tracked, report, reported, dispatched };
};
const visit: Signal = { type: 'visit', context };
const known: Signal = { type: 'cohorts', cohorts };
const throwing = (): never => {
  throw new Error('of the page');
};

describe('the public object', () => {
  it('has the methods that publishers know', () => {
    const names = [
      'addon',
      'consent',
      'identify',
      'on',
      'once',
      'query',
      'ready',
      'reset',
      'segment',
      'segments',
      'startup',
      'track',
      'trigger',
      'user',
    ];
    expect(Object.keys(world().api.methods)).toEqual(expect.arrayContaining(names));
  });

  it('never throws, whatever it is called with', () => {
    const { api } = world();
    for (const method of Object.values(api.methods)) {
      for (const args of [
        [],
        [undefined],
        [null, null, null],
        [7, 7, 7],
        [{}, {}, {}],
        [[], [], []],
        [throwing, throwing, throwing],
        ['a', 'b', 'c'],
        [Symbol('s'), Symbol('s')],
      ]) {
        expect(() => method(...args)).not.toThrow();
      }
    }
  });

  it('never rejects', async () => {
    const { api, calls } = world();
    calls.identify$.subscribe(({ done }) => done(null));
    for (const name of ['identify', 'track', 'segment', 'segments', 'user'])
      await expect(Promise.resolve(api.methods[name]?.({}, 7, 7))).resolves.not.toThrow();
  });
});

describe('identify', () => {
  it('passes on what it is given, and resolves with whose it is', async () => {
    const { calls, method } = world();
    const heard: unknown[] = [];
    calls.identify$.subscribe(({ given, done }) => {
      heard.push(given);
      done(visitorId);
    });
    await expect(method('identify', 'reader')).resolves.toBe(visitorId);
    await expect(method('identify', [{ tag: 'a', id: '1', priority: 3 }])).resolves.toBe(visitorId);
    expect(heard).toEqual(['reader', [{ tag: 'a', id: '1', priority: 3 }]]);
  });

  it('passes on a copy, which the page cannot change any more', () => {
    const { calls, method } = world();
    const heard: unknown[] = [];
    calls.identify$.subscribe(({ given }) => heard.push(given));
    const given = [{ tag: 'a', id: '1', call: throwing }];
    void method('identify', given);
    given[0]!.id = '2';
    expect(heard).toEqual([[{ tag: 'a', id: '1' }]]);
  });

  it('is heard by a late subscriber while nobody has answered, each call once and in their order', async () => {
    const { calls, method } = world();
    const all = ['a', 'b', 'c'].map((id) => method('identify', id));
    calls.identify$.pipe(take(1)).subscribe(({ done }) => done(visitorId));
    const heard: unknown[] = [];
    calls.identify$.subscribe(({ given }) => heard.push(given));
    expect(heard).toEqual(['b', 'c']);
    calls.dropIdentify();
    await expect(Promise.all(all)).resolves.toEqual([visitorId, null, null]);
    calls.identify$.subscribe(({ given }) => heard.push(given));
    expect(heard).toHaveLength(2);
  });
});

describe('segment and segments', () => {
  it.each([
    ['20101', true],
    [20_101, true],
    ['abc', true],
    ['20102', false],
    ['', false],
  ])('%p: %p, by callback and promise', async (code, expected) => {
    const { method, say } = world();
    say(known);
    const tell = jest.fn();
    await expect(method('segment', code, tell)).resolves.toBe(expected);
    expect(tell.mock.calls).toEqual([[expected]]);
  });

  it.each([
    [undefined, [20_101, 10_000_001, 'abc']],
    ['all', [20_101, 10_000_001, 'abc']],
    ['ql', [20_101, 10_000_001, 'abc']],
    ['custom', [20_101, 'abc']],
    ['qlCustom', [20_101, 'abc']],
    ['standard', [10_000_001]],
    ['qlStandard', [10_000_001]],
    ['dfp', [20_101, 'abcd']],
    ['appnexus', ['abc']],
    ['appnexus_adserver', ['abc']],
    ['rubicon', ['abc']],
    ['unknown', []],
    ['constructor', []],
  ])('of type %p: %p', async (type, expected) => {
    const { method, say } = world();
    say(known);
    const tell = jest.fn();
    const codes = method('segments', tell, type) as Promise<unknown[]>;
    await expect(codes.then((list) => [...list].sort())).resolves.toEqual([...expected].sort());
    expect(tell).toHaveBeenCalledTimes(1);
  });

  it('of type contextual: the codes of the page of this moment, which are in no other group', async () => {
    const { method, say } = world();
    await expect(method('segments', undefined, 'contextual')).resolves.toEqual([]);
    let contextual: PageContext['contextual'];
    say({ type: 'visit', context: () => ({ ...context(), ...(contextual && { contextual }) }) });
    say(known);
    await expect(method('segments', undefined, 'contextual')).resolves.toEqual([]);
    for (const codes of [['bfin', '7'], ['tsec']]) {
      contextual = { cohorts: codes, classifications: {} };
      await expect(method('segments', undefined, 'contextual')).resolves.toEqual(codes);
      await expect(method('segments')).resolves.toEqual([20_101, 10_000_001, 'abc']);
    }
    say({ type: 'consent', consent: 'withdrawn' });
    await expect(method('segments', undefined, 'contextual')).resolves.toEqual([]);
  });

  it('knows nobody at first', async () => {
    const { method } = world();
    await expect(method('segments')).resolves.toEqual([]);
    await expect(method('segment', '20101')).resolves.toBe(false);
    await expect(method('user')).resolves.toBeNull();
  });

  it.each([
    ['segment', [{}], 'segment/0: expected a cohort code'],
    ['segment', ['7', 'callback'], 'segment/1: expected a function'],
    ['segments', [undefined, 7], 'segments/1: expected a group or platform'],
    ['segments', ['callback'], 'segments/0: expected a function'],
    ['query', ['7', 'value', () => 1], 'query/1: expected "result"'],
    ['trigger', ['7', 'value', () => 1], 'trigger/1: expected "result"'],
    ['trigger', [null, 'result', () => 1], 'trigger/0: expected a cohort code'],
    ['ready', [7], 'ready/0: expected a function'],
    ['ready', [() => 1, 'soon'], 'ready/1: expected "initialised" or "realtime"'],
    ['user', ['callback'], 'user/0: expected a function'],
    ['on', ['A', 'callback'], 'on/1: expected a function'],
    ['once', ['A', 7], 'once/1: expected a function'],
    ['track', [7], 'track/0: expected an event name of letters, digits and _, 100 at most'],
    ['track', ['A', 'text'], 'track/1: expected an object'],
    ['track', ['A', {}, { success: 7 }], 'track/2: expected a function'],
  ])('%s(%p) reports %s', (name, args, expected) => {
    const { method, reported } = world();
    method(name, ...args);
    expect(reported()).toEqual([`Function permutive.${name} caused an error: ${expected}`]);
  });

  it('reports what a callback throws, and goes on', async () => {
    const { method, reported } = world();
    await expect(method('segment', '7', throwing)).resolves.toBe(false);
    expect(reported()).toEqual(['Function permutive.segment caused an error: of the page']);
  });
});

describe('query and trigger', () => {
  it('answers a query once, as it is now', () => {
    const { method, say } = world();
    const tell = jest.fn();
    say(known);
    method('query', 20_101, 'result', tell);
    method('query', 'unknown', 'result', tell);
    say({ type: 'cohorts', cohorts: left });
    expect(tell.mock.calls).toEqual([[{ result: true }], [{ result: false }]]);
  });

  it('tells a trigger of each change, and not of present membership', () => {
    const { method, say } = world();
    const tell = jest.fn();
    say(known);
    const handle = method('trigger', 20_101, 'result', tell) as { readonly remove: () => void };
    expect(tell).not.toHaveBeenCalled();
    say(known, { type: 'cohorts', cohorts: left }, { type: 'cohorts', cohorts: left }, known);
    handle.remove();
    say({ type: 'cohorts', cohorts: left });
    expect(tell.mock.calls).toEqual([[{ result: false }], [{ result: true }]]);
  });
});

describe('the name of a cohort', () => {
  const names: IdsByName = { 'Markets readers': '20101', 'Copper buyers': 'abc' };
  const named = (idsByName$: Observable<IdsByName> = of(names)) => {
    const made = world(idsByName$);
    made.say({ type: 'visit', context }, known);
    return made;
  };

  it.each([
    ['Markets readers', true],
    ['Copper buyers', true],
  ])('segment(%p): %p, by callback and promise', async (name, expected) => {
    const { method, reported } = named();
    const tell = jest.fn();
    await expect(method('segment', name, tell)).resolves.toBe(expected);
    expect(tell.mock.calls).toEqual([[expected]]);
    expect(reported()).toEqual([]);
  });

  it('is answered with what is so when the names are known', async () => {
    const names$ = new Subject<IdsByName>();
    const { method, say } = named(names$);
    const answered = method('segment', 'Markets readers');
    say({ type: 'cohorts', cohorts: left });
    names$.next(names);
    await expect(answered).resolves.toBe(false);
  });

  it('asks for the names once, and never for a code', async () => {
    let asked = 0;
    const { method } = named(defer(() => of((asked++, names))));
    await Promise.all(['20101', 'unknown', ''].map((code) => method('segment', code)));
    expect(asked).toBe(0);
    await Promise.all([method('segment', 'Markets readers'), method('segment', 'Copper buyers')]);
    await method('segment', 'Markets readers');
    expect(asked).toBe(1);
  });

  it('answers a query', async () => {
    const { method } = named();
    const result = await new Promise((tell) => method('query', 'Markets readers', 'result', tell));
    expect(result).toEqual({ result: true });
  });

  it('tells a trigger of each change, those included that came before the names', async () => {
    const names$ = new Subject<IdsByName>();
    const { method, say } = named(names$);
    const tell = jest.fn();
    const handle = method('trigger', 'Markets readers', 'result', tell) as { readonly remove: () => void };
    say({ type: 'cohorts', cohorts: left });
    expect(tell).not.toHaveBeenCalled();
    names$.next(names);
    await Promise.resolve();
    say(known, { type: 'cohorts', cohorts: left });
    handle.remove();
    say(known);
    expect(tell.mock.calls).toEqual([[{ result: false }], [{ result: true }], [{ result: false }]]);
  });

  it('tells a trigger nothing that was removed before the names came', async () => {
    const names$ = new Subject<IdsByName>();
    const { method, say } = named(names$);
    const tell = jest.fn();
    const handle = method('trigger', 'Markets readers', 'result', tell) as { readonly remove: () => void };
    say({ type: 'cohorts', cohorts: left });
    handle.remove();
    names$.next(names);
    await Promise.resolve();
    say(known);
    expect(tell).not.toHaveBeenCalled();
  });

  it('explains the cohort', async () => {
    const { method, calls } = named();
    calls.explain$.subscribe(({ id, done }) => done(`why ${id}`));
    await expect(method('explain', 'Markets readers')).resolves.toBe('why 20101');
  });

  it.each(['Market readers', 'constructor of'])('%p is unknown: in no such cohort, and reported', async (name) => {
    const { method, reported } = named();
    await expect(method('segment', name)).resolves.toBe(false);
    expect(reported()).toEqual([
      'Function permutive.segment caused an error: segment/0: expected the name of one cohort',
    ]);
  });

  it('is in no cohort where the names could not be read', async () => {
    const { method, reported } = named(EMPTY);
    await expect(method('segment', 'Markets readers')).resolves.toBe(false);
    expect(reported()).toEqual([]);
  });

  it('waits with a trigger for consent', async () => {
    const { method, say } = named();
    const tell = jest.fn();
    say({ type: 'consent', consent: 'withdrawn' });
    method('trigger', 'Markets readers', 'result', tell);
    say({ type: 'consent', consent: 'given' }, { type: 'visit', context });
    await Promise.resolve();
    say(known);
    expect(tell.mock.calls).toEqual([[{ result: true }]]);
  });

  it('tells a trigger nothing of a visitor who has withdrawn consent', async () => {
    const names$ = new Subject<IdsByName>();
    const { method, say } = named(names$);
    const tell = jest.fn();
    method('trigger', 'Markets readers', 'result', tell);
    say({ type: 'cohorts', cohorts: left }, { type: 'consent', consent: 'withdrawn' });
    names$.next(names);
    await Promise.resolve();
    expect(tell).not.toHaveBeenCalled();
  });

  it('asks for nothing without consent', async () => {
    let asked = 0;
    const { method, say } = named(defer(() => of((asked++, names))));
    say({ type: 'consent', consent: 'withdrawn' });
    await expect(method('segment', 'Markets readers')).resolves.toBe(false);
    expect(asked).toBe(0);
  });
});

describe('ready', () => {
  const initialised: Signal = { type: 'stage', stage: 'initialised' };
  const realtime: Signal = { type: 'stage', stage: 'realtime' };

  it('calls at its stage, each once', async () => {
    const { method, say } = world();
    const told: string[] = [];
    const waiting = [
      method('ready', () => told.push('initialised')),
      method('ready', () => told.push('realtime'), 'realtime'),
    ];
    expect(told).toEqual([]);
    say(initialised);
    expect(told).toEqual(['initialised']);
    say(realtime, realtime);
    expect(told).toEqual(['initialised', 'realtime']);
    await expect(Promise.all(waiting)).resolves.toEqual([undefined, undefined]);
  });

  it('calls whoever comes late', async () => {
    const { method, say } = world();
    const tell = jest.fn();
    say(initialised, realtime);
    await method('ready', tell);
    await method('ready', tell, 'realtime');
    expect(tell).toHaveBeenCalledTimes(2);
  });

  it('calls the others though one throws', () => {
    const { method, say, reported } = world();
    const tell = jest.fn();
    method('ready', throwing);
    method('ready', tell);
    say(initialised);
    expect(tell).toHaveBeenCalledTimes(1);
    expect(reported()).toEqual(['Function permutive.ready caused an error: of the page']);
  });

  it('is announced on the page and to listeners', () => {
    const { method, say, dispatched } = world();
    const heard: string[] = [];
    method('on', /^permutive:/, ({ name }: Event) => heard.push(name));
    say(initialised, realtime);
    expect(heard).toEqual(['permutive:ready', 'permutive:realtime']);
    expect(dispatched).toEqual(['permutive:ready', 'permutive:realtime']);
  });
});

describe('track', () => {
  it.each(['Pageview', 'a', '_', 'A1_b', '7'])('takes the name %p', (name) => {
    const { method, tracked } = world();
    method('track', name, { a: 1 });
    expect(tracked.map(({ draft }) => draft)).toEqual([{ name, properties: { a: 1 } }]);
  });

  it.each(['', 'a b', 'a-b', 'é', 'a\n', 'a.b', 7, null, undefined, {}])('does not take the name %p', async (name) => {
    const { method, tracked } = world();
    const [success, error] = [jest.fn(), jest.fn()];
    await expect(method('track', name, {}, { success, error })).resolves.toBeNull();
    expect(tracked).toEqual([]);
    expect(success).not.toHaveBeenCalled();
    expect(error.mock.calls).toEqual([[['Invalid event name']]]);
  });

  it.each([undefined, null, 'text', 7, ['a'], () => 1])('has no properties where it is given %p', (properties) => {
    const { method, tracked } = world();
    method('track', 'A', properties);
    expect(tracked[0]?.draft).toEqual({ name: 'A', properties: {} });
  });

  it('promises the event that was accepted, and tells once it was delivered', async () => {
    const { method, tracked, say } = world();
    const [success, error] = [jest.fn(), jest.fn()];
    const promise = method('track', 'A', {}, { success, error });
    const event = eventOf('a');
    tracked[0]?.accepted(event);
    await expect(promise).resolves.toBe(event);
    expect(success).not.toHaveBeenCalled();
    say({ type: 'delivery', id: 'a' }, { type: 'delivery', id: 'a' });
    expect([success.mock.calls, error.mock.calls]).toEqual([[[event]], []]);
  });

  it('tells that it was not delivered', () => {
    const { method, tracked, say } = world();
    const [success, error] = [jest.fn(), jest.fn()];
    method('track', 'A', {}, { success, error });
    tracked[0]?.accepted(eventOf('a'));
    say({ type: 'delivery', id: 'other', error: 'no' }, { type: 'delivery', id: 'a', error: 'Failed to track A' });
    expect([success.mock.calls, error.mock.calls]).toEqual([[], [[['Failed to track A']]]]);
  });

  it('promises null where it is not taken', async () => {
    const { method, tracked } = world();
    const promise = method('track', 'A');
    tracked[0]?.accepted(null);
    await expect(promise).resolves.toBeNull();
  });

  it.each([
    [
      'a getter that throws',
      {
        get success() {
          return throwing();
        },
      },
    ],
    ['no object', 'options'],
    ['nothing', null],
  ])('takes options that are %s', (_, options) => {
    const { method, tracked } = world();
    expect(() => method('track', 'A', {}, options)).not.toThrow();
    expect(tracked).toHaveLength(1);
  });
});

describe('addon', () => {
  it('starts an addon, and puts it on the object', () => {
    const { api, calls, method } = world();
    const started: unknown[] = [];
    calls.addon('web').subscribe((options) => started.push(options));
    method('addon', 'web', { page: {} });
    const instance = api.addons['web'];
    method('addon', 'web', 'again');
    expect(started).toEqual([{ page: {} }, 'again']);
    expect(instance).toBeDefined();
    expect(api.addons['web']).toBe(instance);
    expect(Object.keys(api.addons)).toEqual(['web']);
  });

  it.each(['video', '', 'constructor', '__proto__', 7, null, undefined])(
    'reports one that does not exist: %p',
    (name) => {
      const { api, method, report } = world();
      method('addon', name);
      expect(report.mock.calls.map(([message]) => message)).toEqual(['Does not exist']);
      expect(Object.keys(api.addons)).toEqual([]);
    },
  );
});

describe('user, context, consent and reset', () => {
  it('says who the visitor is', async () => {
    const { api, method, say } = world();
    const tell = jest.fn();
    expect(api.context()).toEqual({});
    say(visit);
    await expect(method('user', tell)).resolves.toBe(visitorId);
    expect(tell.mock.calls).toEqual([[visitorId]]);
    expect(api.context()).toEqual(context());
  });

  it('passes consent on as it is', () => {
    const { calls, method } = world();
    const heard: unknown[] = [];
    calls.consent$.subscribe((consent) => heard.push(consent));
    method('consent', { opt_in: true });
    method('consent', 'yes');
    expect(heard).toEqual([{ opt_in: true }, 'yes']);
  });

  it('promises a reset that is done', async () => {
    const { calls, method } = world();
    calls.reset$.subscribe((done) => done());
    await expect(method('reset')).resolves.toBeUndefined();
  });

  it('forgets everything when consent is revoked, and says so', async () => {
    const { api, method, say, tracked, dispatched } = world();
    const [heard, delivered] = [jest.fn(), jest.fn()];
    say({ type: 'consent', consent: 'given' }, visit, known, { type: 'event', event: eventOf('a') });
    method('track', 'A', {}, { success: delivered });
    tracked[0]?.accepted(eventOf('b'));
    say({ type: 'consent', consent: 'withdrawn' }, { type: 'delivery', id: 'b' });
    (method('on', 'Pageview', heard) as { replay: () => void }).replay();
    await expect(method('user')).resolves.toBeNull();
    await expect(method('segments')).resolves.toEqual([]);
    expect([api.context(), heard.mock.calls, delivered.mock.calls]).toEqual([{}, [], []]);
    expect(dispatched).toEqual(['consent-revoked']);
  });
});

describe('the observables', () => {
  it('tell of cohorts, transitions and events, each subscriber for itself', () => {
    const { api, say } = world();
    const heard: unknown[] = [];
    const { cohorts$, transitions$, events$ } = api.streams;
    const listening = [cohorts$, transitions$, events$].map((each$) => each$.subscribe((value) => heard.push(value)));
    const event = eventOf('a');
    say(known, { type: 'transition', transition: { id: '7', entry: true, time: 1 } }, { type: 'event', event });
    expect(heard).toEqual([[20_101, 10_000_001, 'abc'], { id: '7', entry: true, time: 1 }, event]);
    for (const each of listening) each.unsubscribe();
    say({ type: 'event', event });
    expect(heard).toHaveLength(3);
  });
});

describe('startup', () => {
  const found = { realtime: true } as Startup;
  const started = (startup: Startup | null): Signal => ({ type: 'service', output: { type: 'started', startup } });
  /** What the calls have been answered so far. */
  const asking = () => {
    const { api, say } = world();
    const answers: unknown[] = [];
    const ask = (): void =>
      void (api.methods['startup']?.() as Promise<unknown>).then((answer) => answers.push(answer));
    const answered = async (): Promise<readonly unknown[]> => {
      await new Promise(setImmediate);
      return answers;
    };
    return { say, ask, answered };
  };

  it('resolves when start-up has ended, and gives late calls the same', async () => {
    const { say, ask, answered } = asking();
    ask();
    say(visit);
    await expect(answered()).resolves.toEqual([]);
    say(started(found));
    ask();
    await expect(answered()).resolves.toEqual([found, found]);
  });

  it('begins anew with another visit', async () => {
    const { say, ask, answered } = asking();
    say(visit, started(found), visit);
    ask();
    await expect(answered()).resolves.toEqual([]);
    say(started({ ...found, realtime: false }));
    await expect(answered()).resolves.toEqual([{ realtime: false }]);
  });

  it('resolves null without consent, and when consent goes first', async () => {
    const { say, ask, answered } = asking();
    say(visit);
    ask();
    say({ type: 'consent', consent: 'withdrawn' });
    ask();
    await expect(answered()).resolves.toEqual([null, null]);
    say({ type: 'consent', consent: 'given' }, visit, started(found));
    ask();
    await expect(answered()).resolves.toEqual([null, null, found]);
  });
});
