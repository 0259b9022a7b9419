import { dequal } from 'dequal/lite';
import {
  catchError,
  combineLatest,
  concat,
  defer,
  EMPTY,
  endWith,
  exhaustMap,
  filter,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  repeat,
  startWith,
  Subject,
  Subscription,
  switchMap,
  take,
  takeUntil,
  takeWhile,
  tap,
} from 'rxjs';

import { publicCalls } from '../api/publicCalls';
import { isRecord, readOr } from '../codecs/codecs';
import { unclobbered } from '../hardening/unclobbered';
import { sdkVersion } from '../model/clientContext';
import { isRefusal } from '../model/consent';
import { DefinedCohorts } from '../model/definedCohorts';
import { sessionKeys } from '../model/storageKeys';
import { isolate } from '../operators/isolate';
import { bundleData } from '../platform/bundleData';
import { elapsedSince } from '../platform/elapsed';
import { storedTexts } from '../platform/storedTexts';
import { withoutConsent } from '../visit/erasure';
import type { World } from '../visit/world';
import { doctor } from './doctor/doctor';
import { watchedWorld } from './doors/worldDoors';
import type { InspectedPage } from './inspectedPage';
import { type Log, openLog } from './log';
import { recorderOf } from './recorder';
import type { PageEngineModule } from './replay/memoryEngine';
import { replayInTab } from './replay/replayInTab';
import { readSimulation, simulatedWorld, simulationText, writeSimulation } from './simulation';
import { lateTaps, visitTaps } from './taps';
import { openBadge, openInspector } from './ui/openInspector';
import type { InspectorProps } from './ui/panelProps';

/** The public methods of the inspector, and the world of a page that is watched from its start. */
export type Inspector = ReturnType<typeof inspectorOf>;

const openInspectors = new WeakMap<World, Inspector>();

/** The inspector of a page: one for each world, made at the first call. */
export const inspector = (page: InspectedPage): Inspector => {
  const known = openInspectors.get(page.world) ?? inspectorOf(page);
  openInspectors.set(page.world, known);
  return known;
};

/**
 * Makes the inspector. The inspector sends nothing, stores only what a tab pretends and whether the tab has the
 * inspector open, and changes nothing that the SDK does.
 */
const inspectorOf = (page: InspectedPage) => {
  const { world, visit$ } = page;
  const { json } = world;
  let log: Log | undefined;
  const following = new Subscription();
  const begin = (complete: boolean): Log =>
    openLog({
      json,
      elapsed: elapsedSince(),
      now: running.now,
      salt: world.random(),
      header: { sdk: sdkVersion, project: world.project.workspaceId, clock: running.now(), complete },
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
  // What runs already pretends nothing.
  const simulation = page.isRunning() ? {} : readSimulation(world);
  const stored = (userId: string) =>
    storedTexts(world.project.workspaceId, { userId, userAgent: world.page.userAgent(), report: world.report });
  const running = simulatedWorld(world, simulation, { loadEngine, stored, erase: () => eraseReally(world) });

  // What was recorded is of the visitor who refuses.
  follow(atRefusal(world, () => log?.empty()));

  const inspect$ = new Subject<void>();
  const opened$ = defer(() =>
    staysOpen(showInspector({ page: { ...page, world: running }, simulation, log: record() }, world), world),
  );
  const badge = simulationText(simulation);
  // A tab that pretends shows so while the inspector is closed, too.
  const shown$ =
    badge === undefined
      ? opened$
      : concat(opened$, openBadge(world.openLayer, badge).pipe(takeUntil(inspect$))).pipe(repeat());
  // The inspector is open once, however often it is asked for. An inspector that has failed can be opened again.
  follow(inspect$.pipe(exhaustMap(() => shown$.pipe(isolate('Inspector failed', world.report)))));
  return {
    /** Opens the inspector. */
    inspect: (): void => inspect$.next(),
    /** Begins a log, unless there is one. */
    record: (): void => void record(),
    /** The log as NDJSON; empty where none has begun. */
    recording: (): string => log?.text() ?? '',
    /** What is wrong on the page, the worst first. The page's own server is asked for its time. Never rejects. */
    doctor: () => doctor(page, true),
    /** Opens the inspector, begins a log of everything, and answers the world to run on. */
    watch: (): World => {
      // The page has not waited. The log of what runs already begins late.
      if (page.isRunning()) log = record();
      else {
        log = begin(true);
        follow(visits(log));
      }
      inspect$.next();
      return watchedWorld(running, { log, recorder: recorderOf(log, dequal), json, stored });
    },
  };
};

const atRefusal = ({ consent$ }: World, act: () => void): Observable<never> =>
  consent$.pipe(filter(isRefusal), tap(act), ignoreElements());

/** Erases as a refusal does. Calls of the page are answered by what is pretended. */
const eraseReally = (world: World): Observable<never> => withoutConsent({ ...world, calls: publicCalls() }, 'refused');

/** Loads the engine as pages have it whose policy refuses workers. */
const loadEngine = (): Promise<PageEngineModule> => import(/* webpackChunkName: "engine" */ '../engineHost/pageEngine');

/** Shows the inspector until it is closed. `real`: the world that no tab pretends. */
const showInspector = (props: Pick<InspectorProps, 'page' | 'simulation' | 'log'>, real: World): Observable<never> =>
  whenDrawable(real).pipe(
    switchMap(() =>
      openInspector(real.openLayer, {
        ...props,
        defined$: readDefinedCohorts(props.page),
        // The inspector sends nothing.
        doctor: () => doctor(props.page, false),
        replay: (text) => replayInTab(text, { world: real, loadEngine }),
        onRecordAgain: () => reload(real),
        onSimulate: (wanted) => {
          writeSimulation(wanted, real);
          reload(real);
        },
      }),
    ),
  );

/** What the build has written of the project's cohorts. Completes without a value where it cannot be read. */
const readDefinedCohorts = ({ fileOf, world: { json } }: InspectedPage): Observable<DefinedCohorts> =>
  defer(() => bundleData(fileOf('cohorts'))).pipe(
    map((text) => readOr(DefinedCohorts, json.parse(text), {}, () => undefined)),
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

/** While an inspector is shown, the tab's next pages open it too. Without consent, nothing is kept for them. */
const staysOpen = (shown$: Observable<never>, real: World): Observable<never> =>
  combineLatest([shown$.pipe(startWith(true), endWith(false)), real.consent$]).pipe(
    takeWhile(([isOpen]) => isOpen, true),
    tap(([isOpen, consent]) => {
      // What a tab pretends is to be seen on each of its pages.
      if (consent === 'given' && (isOpen || real.session.read(sessionKeys.simulation) === null)) keepOpen(isOpen, real);
    }),
    ignoreElements(),
  );

/** Says for the tab's next pages whether they open the inspector, and are watched from their start. */
const keepOpen = (isOpen: boolean, { session, json }: World): void => {
  const stored = json.parse(session.read(sessionKeys.overrides) ?? '{}');
  session.write(sessionKeys.overrides, json.stringify({ ...(isRecord(stored) ? stored : {}), inspector: isOpen }));
};

/** Loads the page again, in this tab watched from its start. */
const reload = (real: World): void => {
  keepOpen(true, real);
  (real.page.global('location') as Location | undefined)?.reload();
};
