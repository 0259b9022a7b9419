import { dequal } from 'dequal/lite';
import {
  catchError,
  defer,
  EMPTY,
  exhaustMap,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  Subject,
  Subscription,
  switchMap,
  take,
} from 'rxjs';

import { sdkVersion } from '../model/clientContext';
import { isRecord, readOr } from '../model/codecs';
import { type DefinedCohorts, DefinedCohortsCodec } from '../model/definedCohorts';
import type { Finding } from '../model/finding';
import { sessionKeys } from '../model/storageKeys';
import { unclobbered } from '../model/unclobbered';
import { isolate } from '../operators/isolate';
import { bundleData } from '../platform/bundleData';
import { elapsedSince } from '../platform/elapsed';
import { storedTexts } from '../platform/storedTexts';
import type { InspectedPage, World } from '../world';
import { doctor } from './doctor/doctor';
import { lateTaps } from './lateTaps';
import { type Log, openLog } from './log';
import { recorderOf } from './recorder';
import { readSimulation, simulatedWorld, writeSimulation } from './simulation';
import { openInspector } from './ui/openInspector';
import type { InspectorProps } from './ui/panelProps';
import { visitTaps } from './visitTaps';
import { watchedWorld } from './watchedWorld';

/** The public methods of the inspector, and the world of a page that is watched from its start. */
export interface Inspector {
  /** Opens the inspector. */
  readonly inspect: () => void;
  /** Begins a log, unless there is one. */
  readonly record: () => void;
  /** The log as NDJSON; empty where none has begun. */
  readonly recording: () => string;
  /** What is wrong on the page, the worst first. It asks the page's own server for its time. Never rejects. */
  readonly doctor: () => Promise<readonly Finding[]>;
  /** Begins a log of everything, and answers the world to run on. */
  readonly watch: () => World;
}

const opened = new WeakMap<World, Inspector>();

/** The inspector of a page: one for each world, made at the first call. */
export const inspector = (page: InspectedPage): Inspector => {
  const known = opened.get(page.world) ?? inspectorOf(page);
  opened.set(page.world, known);
  return known;
};

/** Makes the inspector. It sends nothing, stores only what a tab pretends, and changes nothing that the SDK does. */
const inspectorOf = (page: InspectedPage): Inspector => {
  const { world, visit$ } = page;
  const { json } = world;
  let log: Log | undefined;
  const following = new Subscription();
  const begin = (complete: boolean): Log =>
    openLog({
      json,
      elapsed: elapsedSince(),
      now: world.now,
      salt: world.random(),
      header: { sdk: sdkVersion, project: world.project.workspaceId, clock: world.now(), complete },
    });
  const visits = (noted: Log): Observable<never> =>
    visit$.pipe(
      switchMap((visit) => visitTaps(visit, noted)),
      ignoreElements(),
    );
  const follow = (heard$: Observable<never>): void =>
    following.add(heard$.subscribe({ error: (cause: unknown) => world.report('Inspector failed', cause) }));
  const record = (): Log => {
    if (log === undefined) {
      log = begin(false);
      // Calls before events, so that each entry comes after its cause.
      follow(merge(lateTaps(page, log), visits(log)));
    }
    return log;
  };
  const simulation = readSimulation(world);
  const running = simulatedWorld(world, simulation);

  const inspect$ = new Subject<void>();
  // It is open once, however often it is asked for. One that has failed can be opened again.
  follow(
    inspect$.pipe(
      exhaustMap(() =>
        shown({ page: { ...page, world: running }, simulation, log: record() }, world).pipe(
          isolate('Inspector failed', world.report),
        ),
      ),
    ),
  );
  return {
    inspect: () => inspect$.next(),
    record: () => void record(),
    recording: () => log?.text() ?? '',
    doctor: () => doctor(page, true),
    watch: () => {
      log = begin(true);
      follow(visits(log));
      const stored = (userId: string) =>
        storedTexts(world.project.workspaceId, {
          userId,
          userAgent: world.page.userAgent(),
          report: world.report,
        });
      inspect$.next();
      return watchedWorld(running, { log, recorder: recorderOf(log, dequal), json, stored });
    },
  };
};

/** Shows the inspector until it is closed. `real`: the world that no tab pretends. */
const shown = (props: Pick<InspectorProps, 'page' | 'simulation' | 'log'>, real: World): Observable<never> =>
  whenDrawable(real).pipe(
    switchMap(() =>
      openInspector({
        ...props,
        defined$: readDefinedCohorts(props.page),
        // The inspector sends nothing.
        doctor: () => doctor(props.page, false),
        onSimulate: (wanted) => {
          writeSimulation(wanted, real);
          reload(real);
        },
        openLayer: real.openLayer,
      }),
    ),
  );

/** What the build has written of the project's cohorts. Completes without a value where it cannot be read. */
const readDefinedCohorts = ({ fileOf, world: { json } }: InspectedPage): Observable<DefinedCohorts> =>
  defer(() => bundleData(fileOf('cohorts'))).pipe(
    map((text) => readOr(DefinedCohortsCodec, json.parse(text), {}, () => undefined)),
    // A publisher may have left the file out.
    catchError(() => EMPTY),
  );

/** Emits once the document has a place to draw into. */
const whenDrawable = ({ page, listen }: World): Observable<unknown> =>
  defer(() =>
    // While the document is parsed, it has no body at first.
    (unclobbered(page.global('document') as Document).body as HTMLElement | null) === null
      ? listen('document', 'DOMContentLoaded')
      : of(undefined),
  ).pipe(take(1));

/** Loads the page again, in this tab watched from its start. */
const reload = ({ page, session, json }: World): void => {
  const stored = json.parse(session.read(sessionKeys.overrides) ?? '{}');
  session.write(sessionKeys.overrides, json.stringify({ ...(isRecord(stored) ? stored : {}), inspector: true }));
  (page.global('location') as Location | undefined)?.reload();
};
