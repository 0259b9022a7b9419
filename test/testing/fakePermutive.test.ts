import * as fc from 'fast-check';
import { of, timer } from 'rxjs';

import { addonList } from '../../src/addons/addonList';
import { takenAnswer } from '../../src/fakePlatform/fakeHttp';
import type { EngineMessage } from '../../src/model/engineCommands';
import type { Stage } from '../../src/model/pageContext';
import type { LoadedPermutive } from '../../src/page/loadedPermutive';
import type { HttpRequest } from '../../src/platform/platform';
import { addonNames } from '../../src/testing/fakePermutive';
import { fakePermutive } from '../../src/testing/testing';
import { start, stopAll } from '../support/bootedPage';
import { noon } from '../support/events';
import { asyncLawOf } from '../support/laws';
import { engineOf } from '../support/world';

/** The page's object, loaded or not: stubs answer nothing, and some methods and all properties come with the SDK. */
type PageObject = {
  readonly [Name in keyof LoadedPermutive]: LoadedPermutive[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Answer | undefined
    : LoadedPermutive[Name] | undefined;
};

/** A page of the SDK or of the fake, and what can happen to its visitor there. */
interface Subject {
  readonly permutive: Partial<PageObject>;
  /** The script loads, and the SDK gets that far, in this visit and in those that follow. */
  readonly reach: (stage: Stage) => void;
  /** The visitor is in these cohorts from now on. */
  readonly setCohorts: (ids: readonly string[]) => void;
  /** Lets a visit that the page has begun come as far as those before it. */
  readonly settle: () => void;
  readonly reports: () => readonly string[];
}

const activations = { dfp: ['7', '9'], appnexus_adserver: ['8'] };
const cohortCodes = { '9': 'nine' };
const methods = 'addon identify track trigger query segment segments ready on once user consent'.split(' ');
const stages: readonly Stage[] = ['initialised', 'realtime'];

const membershipOf = (members: readonly string[]) => ({
  members,
  activations: Object.fromEntries(
    Object.entries(activations).map(([platform, ids]) => [platform, members.filter((id) => ids.includes(id))]),
  ),
});

/** Calls a stub that the page has kept. It pushes to the queue, whatever is bound. */
const stub = (permutive: object, functionName: string, ...args: readonly unknown[]): void =>
  void (permutive as { readonly q: unknown[] }).q.push({ functionName, arguments: args });

/** The object as the snippet leaves it. */
const tagWith = (config: object): Record<string, unknown> => {
  const q: unknown[] = [];
  const stubs = methods.map((functionName) => [
    functionName,
    (...args: readonly unknown[]) => void q.push({ functionName, arguments: args }),
  ]);
  return { ...(Object.fromEntries(stubs) as object), q, config: { environment: 'production', ...config } };
};

/** The SDK itself, on a platform in memory. Its engines say what the test wants. */
const real = (config: object): Subject => {
  const tag = tagWith({ loggingEnabled: true, ...config });
  const page = { url: () => 'https://site.example/article', host: () => 'site.example', path: () => '/article' };
  let sdk: ReturnType<typeof start> | undefined;
  let [members, reached, engines]: [readonly string[], readonly Stage[], number] = [[], [], 0];
  const say = (message: EngineMessage): void => engineOf(sdk!.platform).say(message);
  const isVisited = (): boolean => sdk?.platform.engines.at(-1)?.isOpen() === true;
  const come = (stage: Stage): void => {
    if (stage === 'realtime') engineOf(sdk!.platform).reachBarrier();
    else say({ type: 'initialised', membership: membershipOf(members), migrated: false, transitions: [] });
  };
  const settle = (): void => {
    const opened = sdk?.platform.engines.length ?? 0;
    // Another visit is that of another visitor.
    if (opened > engines && engines > 0) members = [];
    if (opened > engines) for (const stage of reached) come(stage);
    engines = opened;
  };
  return {
    permutive: tag,
    reach: (stage) => {
      const before = reached;
      reached = stages.slice(0, Math.max(before.length, stages.indexOf(stage) + 1));
      if (sdk === undefined) {
        sdk = start([], { tag, page, send: answered, project: { cohortCodes, platformCohorts: {} } });
        settle();
      } else if (isVisited()) for (const each of reached.slice(before.length)) come(each);
    },
    setCohorts: (ids) => {
      const before = members;
      if (sdk === undefined || isVisited()) members = ids;
      if (!isVisited()) return;
      say({ type: 'changed', membership: membershipOf(ids) });
      const transitions = [
        ...ids.filter((id) => !before.includes(id)).map((id) => ({ id, entry: true, time: noon })),
        ...before.filter((id) => !ids.includes(id)).map((id) => ({ id, entry: false, time: noon })),
      ];
      say({ type: 'transitions', transitions });
    },
    settle,
    reports: () =>
      (sdk?.log.mock.calls ?? []).map(([message, cause]) =>
        cause instanceof Error ? `${message}: ${cause.message}` : message,
      ),
  };
};

/** The server takes all events, and knows nobody by another id. */
const answered = (request: HttpRequest) =>
  of(request.url.includes('/identify') ? { status: 200, body: request.body ?? '' } : takenAnswer(request));

const fake = (config: Readonly<Record<string, unknown>>): Subject => ({
  ...fakePermutive({ stage: 'loading', config, activations, cohortCodes, addons: [] }),
  settle: () => undefined,
});

type Note = (what: string, value?: unknown) => void;
type Step = (subject: Subject, note: Note) => unknown;

/** Runs the steps, and writes down what the page is told, with ids by their order. */
const logOf = async (subject: Subject, steps: readonly Step[]): Promise<readonly string[]> => {
  const log: string[] = [];
  const ids = new Map<string, number>();
  const note: Note = (what, value) => {
    const text = JSON.stringify([value]).slice(1, -1);
    // Ids and the rest of what events say of the browser differ; times of transitions are those of a clock.
    const plain = text
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => `id ${ids.get(id) ?? (ids.set(id, ids.size), ids.size - 1)}`)
      .replace(/"user_agent":"[^"]*"/g, '"user_agent":""');
    log.push(`${what} ${plain}`);
  };
  for (const [i, step] of steps.entries()) {
    log.push(`step ${i}`);
    step(subject, note);
    subject.settle();
    // The SDK debounces transitions, sends batches and waits for answers; the fake does not.
    await jest.advanceTimersByTimeAsync(5_000);
  }
  log.push(...subject.reports());
  return log;
};

/** What a page may do, each with what it is told. */
const steps: Readonly<Record<string, Step>> = {
  initialise: ({ reach }) => reach('initialised'),
  realtime: ({ reach }) => reach('realtime'),
  enter7: ({ setCohorts }) => setCohorts(['7']),
  enter789: ({ setCohorts }) => setCohorts(['7', '8', '9']),
  leaveAll: ({ setCohorts }) => setCohorts([]),
  track: ({ permutive }, note) => {
    const options = { success: (e: object) => note('success', e), error: (e: unknown) => note('error', e) };
    void permutive.track?.('Read', { list: [1, NaN], bad: () => 1 }, options)?.then((event) => note('tracked', event));
  },
  trackWrong: ({ permutive }, note) => {
    const options = { error: (e: unknown) => note('error', e) };
    void permutive.track?.('no name!', 7 as never, options)?.then((event) => note('tracked', event));
  },
  identify: ({ permutive }, note) => void permutive.identify?.('reader')?.then((id) => note('identified', id)),
  identifyWrong: ({ permutive }, note) =>
    void permutive.identify?.({ id: 'x' } as never)?.then((id) => note('identified', id)),
  on: ({ permutive }, note) =>
    void permutive.on?.(/^(?!permutive:)/, ({ name, properties }) => note('on', [name, properties]))?.replay(),
  onReady: ({ permutive }, note) => void permutive.on?.(/^permutive:/, ({ name }) => note('on', name)),
  once: ({ permutive }, note) => void permutive.once?.('SegmentEntry', ({ properties }) => note('once', properties)),
  removed: ({ permutive }, note) => void permutive.on?.(/.*/, ({ name }) => note('never', name))?.remove(),
  trigger: ({ permutive }, note) => void permutive.trigger?.(7, 'result', (change) => note('trigger', change)),
  query: ({ permutive }, note) => permutive.query?.('8', 'result', (now) => note('query', now)),
  segment: ({ permutive }, note) => {
    void permutive.segment?.(7, (is) => note('segment', is))?.then((is) => note('segment then', is));
  },
  segments: ({ permutive }, note) => {
    for (const type of ['all', 'custom', 'standard', 'dfp', 'appnexus', 'contextual', 'nothing'])
      void permutive.segments?.((codes) => note(type, codes), type)?.then((codes) => note(`${type} then`, codes));
  },
  ready: ({ permutive }, note) => {
    void permutive.ready?.(() => note('ready'))?.then(() => note('ready then'));
    void permutive.ready?.(() => note('realtime'), 'realtime');
  },
  user: ({ permutive }, note) => void permutive.user?.((id) => note('user', id)),
  throwing: ({ permutive }) =>
    void permutive.segments?.(() => {
      throw new Error('of the page');
    }),
  explain: ({ permutive }, note) => void permutive.explain?.(1, (words) => note('explain', words)),
  addon: ({ permutive }) => permutive.addon?.('nothing'),
  context: ({ permutive }, note) => note('context', permutive.context),
  streams: ({ permutive }, note) => {
    permutive.cohorts$?.subscribe((codes) => note('cohorts$', codes));
    permutive.transitions$?.subscribe(({ id, entry }) => note('transitions$', [id, entry]));
    permutive.events$?.subscribe(({ name, properties }) => note('events$', [name, properties]));
  },
  refuse: ({ permutive }) => permutive.consent?.({ opt_in: false }),
  consent: ({ permutive }) => permutive.consent?.({ opt_in: true, token: 'proof' }),
  consentByStub: ({ permutive }) => stub(permutive, 'consent', { opt_in: true, token: 'proof' }),
  refuseByStub: ({ permutive }) => stub(permutive, 'consent', { opt_in: false }),
  trackByStub: ({ permutive }) => stub(permutive, 'track', 'Kept', {}),
  consentWrong: ({ permutive }) => permutive.consent?.('yes' as never),
  reset: ({ permutive }, note) => void permutive.reset?.()?.then(() => note('reset')),
  shape: ({ permutive }, note) => note('shape', [Object.keys(permutive).sort(), permutive.addons]),
};

beforeEach(() => void jest.useFakeTimers({ now: noon }));
afterEach(() => {
  stopAll();
  jest.useRealTimers();
});

const compare = async (names: readonly string[], config: Readonly<Record<string, unknown>> = {}): Promise<void> => {
  const script = names.map((name) => steps[name]!);
  const expected = await logOf(real(config), script);
  stopAll();
  const timers = jest.getTimerCount();
  expect(await logOf(fake(config), script)).toEqual(expected);
  expect(jest.getTimerCount()).toBe(timers);
};

describe('The fake and the SDK, given the same calls,', () => {
  it.each([
    [
      'after the start',
      'initialise shape on onReady once removed trigger streams ready track enter7 segment segments query enter789 segments leaveAll realtime context user',
    ],
    [
      'before the start',
      'on onReady once trigger query segment segments ready user track identify initialise enter7 realtime enter789 leaveAll',
    ],
    ['with wrong arguments', 'initialise trackWrong identifyWrong throwing addon consentWrong track segments'],
    [
      'when consent goes and comes',
      'initialise enter7 on streams trigger refuse segments track identify user context explain reset consent initialise realtime segments user track',
    ],
    [
      'when the visitor is reset',
      'initialise enter7 realtime on streams ready user reset initialise segments user track',
    ],
  ])('tell the same: %s', async (_, names) => {
    await compare(names.split(' '));
  });

  it.each([
    ['given later', 'track ready on segments initialise user consent initialise realtime track user'],
    [
      'given by a stub that the page has kept',
      'track on consentByStub trackByStub initialise realtime trackByStub refuseByStub track consentByStub track',
    ],
    ['given before the start', 'track consent ready on segments initialise realtime track user'],
    ['refused before the start', 'track refuse ready on segments initialise track user consent initialise'],
  ])('tell the same where consent is required: %s', async (_, names) => {
    await compare(names.split(' '), { consentRequired: true });
  });

  // The engine of these tests answers no questions.
  const after = Object.keys(steps).filter((name) => !['initialise', 'realtime', 'explain'].includes(name));

  it(
    'tell the same in any order of calls',
    asyncLawOf(100)(fc.array(fc.constantFrom(...after), { maxLength: 12 }), async (names) => {
      await compare(['initialise', 'realtime', ...names]);
    }),
  );
});

describe('fakePermutive', () => {
  it('knows the names that it is given', async () => {
    const { permutive, enter } = fakePermutive({
      cohorts: [20101],
      cohortNames: { 'Markets readers': 20101, 'Copper buyers': 20102 },
    });
    await expect(permutive.segment('Markets readers')).resolves.toBe(true);
    const told: boolean[] = [];
    permutive.trigger('Copper buyers', 'result', ({ result }) => told.push(result));
    await Promise.resolve();
    enter(20102);
    expect(told).toEqual([true]);
  });

  it('begins with a visitor whose cohorts are known, and nothing called', async () => {
    const { permutive, calls, events, reports } = fakePermutive({ cohorts: [7, 'abc'], activations: { dfp: [7] } });
    const ready = jest.fn();
    void permutive.ready(ready, 'realtime');
    expect([calls().length, events(), reports(), ready.mock.calls.length]).toEqual([1, [], [], 1]);
    await expect(permutive.segments()).resolves.toEqual([7, 'abc']);
    await expect(permutive.segments(undefined, 'dfp')).resolves.toEqual([7]);
    await expect(permutive.startup()).resolves.toMatchObject({ cohorts: [7, 'abc'], activations: { dfp: ['7'] } });
  });

  it('enters and leaves cohorts, each change once', () => {
    const { permutive, enter, leave, events } = fakePermutive({ cohorts: [7] });
    const changes: unknown[] = [];
    permutive.trigger(8, 'result', ({ result }) => changes.push(result));
    enter(8, '7');
    enter('8');
    leave(8, 9);
    expect(changes).toEqual([true, false]);
    expect(events().map(({ name, properties }) => [name, properties['segment_number']])).toEqual([
      ['SegmentEntry', 8],
      ['SegmentExit', 8],
    ]);
  });

  it('notes the calls of a page, before the script has loaded and after', () => {
    const { permutive, calls, callsOf, reach } = fakePermutive({ stage: 'loading' });
    void permutive.track('Early', { a: 1 });
    permutive.addon('web', { page: {} });
    expect(calls()).toEqual([
      { method: 'track', arguments: ['Early', { a: 1 }] },
      { method: 'addon', arguments: ['web', { page: {} }] },
    ]);
    reach('initialised');
    void permutive.track('Late');
    expect(callsOf('track')).toEqual([['Early', { a: 1 }], ['Late']]);
    expect(calls().map(({ method }) => method)).toEqual(['addon', 'track', 'track']);
    expect(permutive.addons).toEqual({ web: { name: 'web' } });
  });

  it('lets a test refuse events, and say what explain answers', async () => {
    const { permutive } = fakePermutive({
      refusal: ({ name }) => (name === 'Bad' ? 'Failed to track Bad' : undefined),
      explanations: { '7': 'Because.' },
    });
    const [success, error] = [jest.fn(), jest.fn()];
    void permutive.track('Bad', {}, { success, error });
    await jest.advanceTimersByTimeAsync(1);
    expect([success.mock.calls, error.mock.calls]).toEqual([[], [[['Failed to track Bad']]]]);
    await expect(Promise.all([permutive.explain(7), permutive.explain(8)])).resolves.toEqual(['Because.', null]);
  });

  it('announces stages where it is told to, and starts no timer', () => {
    const target = new EventTarget();
    const heard: string[] = [];
    for (const name of ['permutive:ready', 'permutive:realtime', 'consent-revoked'])
      target.addEventListener(name, ({ type }) => heard.push(type));
    const { permutive, reach } = fakePermutive({ target, stage: 'initialised' });
    expect(heard).toEqual(['permutive:ready']);
    reach('realtime');
    permutive.consent({ opt_in: false });
    expect([heard, jest.getTimerCount()]).toEqual([['permutive:ready', 'permutive:realtime', 'consent-revoked'], 0]);
  });

  it('leaves timers of the page to the page', async () => {
    const { permutive, enter } = fakePermutive();
    const told: string[] = [];
    const later = (what: string) => () => void timer(10_000).subscribe(() => told.push(what));
    permutive.trigger(7, 'result', later('trigger'));
    permutive.transitions$.subscribe(later('transition'));
    void permutive.track('Read', {}, { success: later('success') });
    enter(7, 8, 9);
    await jest.advanceTimersByTimeAsync(9_999);
    for (const code of [1, 2, 3]) enter(code);
    expect(told).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(told.sort()).toEqual(['success', 'transition', 'transition', 'transition', 'trigger']);
  });

  it('accepts the addons that the SDK has', () => {
    const given = ['contextual', 'second_party', 'secure_signal'];
    expect(addonNames).toEqual([...Object.keys(addonList), ...given]);
  });
});
