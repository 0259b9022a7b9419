import { dequal } from 'dequal/lite';
import {
  asyncScheduler,
  concatMap,
  connect,
  defer,
  delay,
  EMPTY,
  map,
  merge,
  type Observable,
  of,
  ReplaySubject,
  Subject,
  timer,
} from 'rxjs';

import { localStorage as storedCodes } from '../../../src/addons/storedCodes/storedCodes';
import { web } from '../../../src/addons/web/web';
import { noExperiment } from '../../../src/contracts/experiment';
import { readTrusted } from '../../../src/engine/cohortEngine';
import type { Bundle, Definition } from '../../../src/engine/language/language';
import { askPage } from '../../../src/engineHost/ask';
import { engineHost } from '../../../src/engineHost/engineHost';
import { partsAtHand } from '../../../src/engineHost/partsAtHand';
import { takenAnswer } from '../../../src/fakePlatform/fakeHttp';
import { inVirtualTime } from '../../../src/fakePlatform/virtualClock';
import { json } from '../../../src/hardening/plainJson';
import { watchedWorld } from '../../../src/inspector/doors/worldDoors';
import { type Log, openLog } from '../../../src/inspector/log';
import { recorderOf } from '../../../src/inspector/recorder';
import type { ReplayProject } from '../../../src/inspector/replay/replayLog';
import { visitTaps } from '../../../src/inspector/taps';
import type { EngineCommand, EngineMessage } from '../../../src/model/engineCommands';
import { NetworkError } from '../../../src/model/errors';
import type { EngineLink, HttpAnswer } from '../../../src/platform/platform';
import { runtime } from '../../../src/runtime';
import { noon, visitorId } from '../../support/events';
import { hostDepsOf } from '../../support/hostDeps';
import { keyValueStore } from '../../support/keyValueStore';
import { lateParts, projectOf } from '../../support/project';
import { type TestWorld, worldOf } from '../../support/world';

/** How a server answers a request: as it should, with a status, not at all, or after a time. */
export interface Answer {
  readonly kind: 'taken' | 'refused' | 'failed';
  readonly ms: number;
}

/** Something that the visitor or the page does. */
export interface Act {
  readonly at: number;
  readonly act: (world: RecordedWorld) => void;
}

export interface RecordedWorld extends TestWorld {
  /** The visitor's clock is put forward or back. */
  readonly stepClock: (ms: number) => void;
  readonly setOnline: (isOnline: boolean) => void;
}

export interface RecordedVisit {
  readonly acts: readonly Act[];
  /** The answers to the requests, in turn. */
  readonly answers: readonly Answer[];
  /** How long a message of the engine takes to the page. */
  readonly engineMs: number;
}

const queries: readonly Definition[] = [
  { id: '1', q: { event: 'Pageview', within: { seconds: 3 } } },
  { id: '2', q: { event: 'Pageview', is: { gte: 2 } } },
  { id: '3', q: { event: 'Click' } },
];
const [activation] = [{ id: 'a', short_id: 1, sc: '2', tt: 'OnEntry', c: { storage_key: 'codes' } }];
const activations = { local_storage: [activation] } as unknown as NonNullable<ReplayProject['project']['activations']>;

/** The project of the recorded visits. */
export const recordedProject: ReplayProject = {
  project: projectOf({ addons: { web: {}, local_storage: {} }, activations }),
  experiment: noExperiment,
  addons: [web],
  parts: lateParts({ addons: [storedCodes], activations, addonOptions: { local_storage: {} } }),
  engine: { askPage, bundle: hostDepsOf(queries).bundle, engineHost, partsAtHand, read: readTrusted },
};

/** How long a recorded visit lasts. */
const visitMs = 15_000;

/** Plays a visit in virtual time, and answers its log. */
export const recordVisit = (
  { acts, answers, engineMs }: RecordedVisit,
  project: ReplayProject = recordedProject,
): Log => {
  let [step, asked, isOnline, draws, waits] = [0, 0, true, 0, 0];
  // No two things happen at one moment, because their order would then be that of the scheduler.
  const about = (ms: number): number => ms + ((waits += 1) % 1024) / 1024;
  const now = (): number => Math.floor(noon + asyncScheduler.now() + step);
  const answerTo = (request: Parameters<typeof takenAnswer>[0]): Observable<HttpAnswer> => {
    const { kind, ms } = answers[(asked += 1) % answers.length] ?? { kind: 'taken', ms: 20 };
    if (!isOnline || kind === 'failed')
      return timer(about(ms)).pipe(
        map(() => {
          throw new NetworkError('failed');
        }),
      );
    return of(kind === 'taken' ? takenAnswer(request) : { status: 500, body: '' }).pipe(delay(about(ms)));
  };
  const plain = worldOf({
    now,
    cookies: { 'permutive-id': visitorId },
    project: project.project,
    addons: project.addons,
    deferredParts$: defer(() => timer(about(40))).pipe(map(() => project.parts)),
    yieldThread: () => timer(about(1)),
    send: answerTo,
    page: { online: () => isOnline },
  });
  const world: RecordedWorld = {
    ...plain,
    random: () => (((draws += 1) * 23) % 64) / 64,
    openEngine: () => engineLink(project.engine.bundle, () => about(engineMs), now),
    stepClock: (ms) => void (step += ms),
    setOnline: (online) => {
      isOnline = online;
      plain.fire('window', online ? 'online' : 'offline');
    },
  };
  let log: Log | undefined;
  inVirtualTime(() => {
    const noted = openLog({
      json,
      elapsed: () => asyncScheduler.now(),
      now,
      salt: 0,
      header: { sdk: 'v0', project: project.project.workspaceId, clock: now(), complete: true },
    });
    log = noted;
    const recorder = recorderOf(noted, dequal);
    const watched = watchedWorld(world, { log: noted, recorder, json, stored: () => of({}) });
    for (const { at, act } of acts) timer(about(at)).subscribe(() => act(world));
    const running = runtime(watched, [
      { whileConsent: () => EMPTY, whileVisit: (visit) => visitTaps(visit, noted) },
    ]).subscribe();
    timer(visitMs).subscribe(() => running.unsubscribe());
  });
  return log!;
};

/** A real engine, whose messages take some time. */
const engineLink = (bundle: Bundle, latency: () => number, now: () => number): EngineLink => {
  const told$ = new ReplaySubject<EngineCommand>(Infinity);
  return {
    send: (command) => told$.next(command),
    message$: defer(() => {
      const asked$ = new Subject<EngineMessage>();
      return told$.pipe(
        connect((command$) =>
          merge(
            asked$,
            engineHost(
              command$,
              hostDepsOf([], {
                bundle,
                now,
                store: () => keyValueStore(),
                ask: askPage((question) => asked$.next(question), command$),
                load: partsAtHand,
              }),
            ),
          ),
        ),
        // concatMap: messages stay in order.
        concatMap((message) => timer(latency()).pipe(map(() => message))),
      );
    }),
  };
};
