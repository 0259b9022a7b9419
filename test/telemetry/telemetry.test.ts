import { asyncScheduler, ignoreElements, interval, of, take, tap, throwError, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

import { type FakeFacts, type FakePlatform, fakePlatform } from '../../src/fakePlatform/fakePlatform';
import { json } from '../../src/hardening/plainJson';
import { NetworkError } from '../../src/model/errors';
import { errorReports } from '../../src/telemetry/errorReports';
import { telemetry, type TelemetryChunks } from '../../src/telemetry/telemetry';
import { type TelemetryBus, telemetryBus } from '../../src/telemetry/telemetryBus';
import { noon } from '../support/events';
import { reportMock } from '../support/reports';
import { settingsOf } from '../support/settings';
import { type Signal, tellerOf } from '../support/visitSignals';

/** A promise that has an answer already: virtual time does not wait for real ones. */
const already = <A>(value: A): Promise<A> => of(value) as unknown as Promise<A>;

interface Setup extends FakeFacts {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly deps?: Partial<TelemetryChunks>;
}
interface Stage {
  readonly say: (...signals: readonly Signal[]) => void;
  readonly own: TelemetryBus;
  readonly platform: FakePlatform;
  readonly report: ReturnType<typeof reportMock>;
  /** What the chunk of metrics is told, as types. */
  readonly heard: string[];
  readonly loads: string[];
}

/** Plays what happens, at which ms, in virtual time. */
const play = (setup: Setup, ...script: readonly (readonly [ms: number, act: (stage: Stage) => void])[]): Stage => {
  let played: Stage | undefined;
  new TestScheduler(() => undefined).run(({ flush }) => {
    const platform = fakePlatform({ now: () => noon + asyncScheduler.now(), ...setup });
    const stage: Stage = {
      say: (...signals) => teller.say(...signals),
      own: telemetryBus(),
      platform,
      report: reportMock(),
      heard: [],
      loads: [],
    };
    played = stage;
    const tools = { ...platform, json, setting: settingsOf(setup.config), report: stage.report };
    const observer = telemetry(stage.own, tools, {
      loadErrorReports: () => {
        stage.loads.push('errors');
        return already({ errorReports });
      },
      loadVitals: () => {
        stage.loads.push('vitals');
        return already({
          pageMetrics: (heard$) =>
            heard$.pipe(
              tap(({ type }) => stage.heard.push(type)),
              ignoreElements(),
            ),
        });
      },
      ...setup.deps,
    });
    const teller = tellerOf(observer);
    for (const [ms, act] of script) timer(ms).subscribe(() => act(stage));
    timer(600_000).subscribe(teller.stop);
    flush();
  });
  return played!;
};

const context = () => ({
  user_id: 'user',
  session_id: 's',
  view_id: 'v',
  client: { type: 'web', user_agent: '', url: '', domain: '', title: '', referrer: '', path: '/', view_id: 'view' },
});
const say =
  (...signals: readonly Signal[]) =>
  (stage: Stage): void =>
    stage.say(...signals);
const given = say({ type: 'consent', consent: 'given' }, { type: 'visit', context });
const refused = say({ type: 'consent', consent: 'withdrawn' });
const realtime = say({ type: 'stage', stage: 'realtime' });
const failing =
  (message: string, cause?: unknown) =>
  ({ own }: Stage): void =>
    own.report(message, cause);
/** So many errors, each unlike the others. */
const storm =
  (errors: number, everyMs: number) =>
  (stage: Stage): void => {
    interval(everyMs)
      .pipe(take(errors))
      .subscribe((i) => failing(`error ${i}`)(stage));
  };
const reported = ({ platform }: Stage): string[] =>
  platform.requests
    .filter(({ url }) => url.includes('/errors'))
    .flatMap(({ body }) =>
      (JSON.parse(body ?? '[]') as { error_message: string }[]).map(({ error_message }) => error_message),
    );

describe('errors', () => {
  it('of the start are told once there is consent', () => {
    expect(reported(play({}, [0, failing('early')], [1, given]))).toEqual(['early']);
  });

  it.each([
    'Unable to find google tag script',
    'Unable to find appnexus tag script',
    'Failed fetching binary models, reverting to JSON.',
    'Missing element for a click listener',
  ])('load nothing and are not told where they are for the console alone: %s', (message) => {
    const logged = play({}, [0, failing(message)], [1, given], [2, failing(message)]);
    expect(logged.loads).toEqual([]);
    const mixed = play({}, [0, failing(message)], [1, given], [2, failing('another')], [3, failing(message)]);
    expect(mixed.loads).toEqual(['errors']);
    expect(reported(mixed)).toEqual(['another']);
  });

  it('of a time without consent are never told', () => {
    const stage = play(
      {},
      [0, failing('before')],
      [1, refused],
      [2, failing('refused')],
      [3, given],
      [4, failing('given')],
      [20_000, refused],
      [20_001, failing('revoked')],
      [20_002, given],
    );
    expect(reported(stage)).toEqual(['given']);
  });

  it('that wait are dropped when consent goes', () => {
    const stage = play({}, [0, given], [1, failing('a')], [5000, refused]);
    expect([reported(stage), stage.platform.listening()]).toEqual([[], []]);
  });

  it('stay here where sendClientErrors is off, and the chunk is not loaded', () => {
    const stage = play({ config: { sendClientErrors: false } }, [0, given], [1, failing('a')]);
    expect([reported(stage), stage.loads]).toEqual([[], []]);
  });

  it('of the network are counted, not told', () => {
    const stage = play({}, [0, given], [1, failing('a', new NetworkError('failed'))], [2, realtime]);
    expect([reported(stage), stage.heard]).toEqual([[], ['metrics', 'stage']]);
  });

  it('name the user of the visit', () => {
    const stage = play({}, [0, given], [1, failing('Query Language: a')]);
    expect(JSON.parse(stage.platform.requests[0]?.body ?? '')).toMatchObject([{ user_id: 'user' }]);
  });

  it('make no loop: 10,000 of them, and a server that fails, are 15 requests, and no report', () => {
    let requests = 0;
    const send: FakeFacts['send'] = ({ url }) => {
      if (url.includes('/errors')) requests += 1;
      return of({ status: 500, body: 'no' });
    };
    const stage = play({ send }, [0, given], [1, storm(10_000, 55)]);
    expect(requests).toBe(15);
    expect([new Set(reported(stage)).size, stage.report.mock.calls, stage.loads]).toEqual([15, [], ['errors']]);
  });

  it('make no loop with a network that fails either', () => {
    const stage = play({ send: () => throwError(() => new NetworkError('failed')) }, [0, given], [1, storm(1000, 1)]);
    expect([stage.platform.requests.length, stage.report.mock.calls]).toEqual([15, []]);
  });

  it('are forgotten where the chunk cannot be loaded', () => {
    const stage = play(
      { deps: { loadErrorReports: () => throwError(() => new Error('blocked')) as never } },
      [0, given],
      [1, failing('a')],
      [2, failing('b')],
    );
    expect([reported(stage), stage.report.mock.calls]).toEqual([[], []]);
  });
});

describe('metrics', () => {
  const measured = say({ type: 'metrics', metrics: [] });
  const initialised = say({ type: 'stage', stage: 'initialised' });

  it('begin once the visit is initialised, and miss nothing of before', () => {
    const before = play({}, [0, given], [1, measured]);
    expect(before.loads).toEqual([]);
    const stage = play({}, [0, given], [1, measured], [2, initialised]);
    expect([stage.loads, stage.heard]).toEqual([['vitals'], ['metrics', 'stage']]);
    const all = play({}, [0, given], [1, measured], [2, initialised], [3, realtime], [4, measured]);
    expect([all.loads, all.heard]).toEqual([['vitals'], ['metrics', 'stage', 'stage', 'metrics']]);
  });

  it('begin where the page is left before that', () => {
    const stage = play({}, [0, given], [1, measured], [2, ({ platform }) => platform.fire('window', 'pagehide')]);
    expect([stage.loads, stage.heard]).toEqual([['vitals'], ['metrics']]);
  });

  it('of visitors outside the sample are not taken: nothing is loaded', () => {
    const stage = play({ config: { metricsSamplingPercentage: 0 } }, [0, given], [1, realtime]);
    expect(stage.loads).toEqual([]);
    expect(stage.platform.local.all()).toEqual({ 'permutive-data-misc': '{"metricsEnabled":false}' });
  });

  it('need consent', () => {
    const stage = play({}, [0, refused], [1, say({ type: 'visit', context })], [2, realtime]);
    expect([stage.loads, stage.platform.local.all()]).toEqual([[], {}]);
  });

  it('end with the first failure, for all visits of the page', () => {
    const stage = play(
      { deps: { loadVitals: () => already({ pageMetrics: () => throwError(() => new Error('status 500')) }) } },
      [0, given],
      [1, realtime],
    );
    const loads: number[] = [];
    const again = play(
      {
        deps: {
          loadVitals: () => {
            loads.push(1);
            return already({ pageMetrics: () => throwError(() => new Error('status 500')) });
          },
        },
      },
      [0, given],
      [1, realtime],
      [2, say({ type: 'visit', context })],
      [3, realtime],
      [4, refused],
      [5, given],
      [6, realtime],
    );
    expect([stage.report.mock.calls, again.report.mock.calls, loads]).toEqual([[], [], [1]]);
  });

  it('are sampled anew after a reset', () => {
    const stage = play(
      {},
      [0, given],
      [1, realtime],
      [2, ({ platform }) => platform.local.remove('permutive-data-misc')],
      [3, say({ type: 'visit', context })],
    );
    expect([stage.loads, stage.platform.local.all()]).toEqual([
      ['vitals'],
      { 'permutive-data-misc': '{"metricsEnabled":true}' },
    ]);
  });

  it('say so where their chunk cannot be loaded', () => {
    const stage = play(
      { deps: { loadVitals: () => throwError(() => new Error('blocked')) as never } },
      [0, given],
      [1, realtime],
    );
    expect(stage.report.mock.calls.map(([message]) => message)).toEqual(['Failed to load web vitals']);
  });

  it('leave no listener behind', () => {
    const stage = play(
      {
        deps: {
          loadVitals: () => already({ pageMetrics: (_heard$, _context, { flush$ }) => flush$.pipe(ignoreElements()) }),
        },
      },
      [0, given],
      [1, realtime],
      [2, refused],
    );
    expect(stage.platform.listening()).toEqual([]);
  });
});
