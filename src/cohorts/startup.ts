import {
  delay,
  filter,
  forkJoin,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  race,
  scan,
  startWith,
  switchMap,
  take,
  takeUntil,
  timer,
  toArray,
  withLatestFrom,
} from 'rxjs';

import { contentUrls } from '../contracts/contentUrl';
import { codeOf, isTransition } from '../model/cohort';
import { codesFor, type Cohorts, noCohorts } from '../model/cohorts';
import type { Data, DataName, PageDataName } from '../model/engineCommands';
import type { Event, Tracked } from '../model/event';
import type { PageProject } from '../model/project';
import type { ServiceOutput } from '../model/serviceOutput';
import type { Startup } from '../model/startup';
import { shareState } from '../operators/shareState';
import { publishQuietMs } from './debounceTransitions';
import { onceRealtime } from './realtimeCohorts';
import { secureSignalStart } from './secureSignal';
import type { ServiceDeps, ServiceStreams } from './service';

/** Start-up ends after this many times the setting `requestTimeout`, whatever its steps wait for. */
const longestRequests = 3;

/**
 * Emits once, when the steps of start-up have ended: the cohorts of queries are this page's own, what queries look up
 * is there, and the services whose requests `isIdle$` tells have been answered or have failed. `output$`: what services
 * give; hot.
 */
export const startupEnd = (
  isIdle$: Observable<boolean>,
  output$: Observable<ServiceOutput>,
  { cohorts$, lookup, addressOf, stop$ }: ServiceStreams,
  { project, setting }: Pick<ServiceDeps, 'project' | 'setting'>,
): Observable<unknown> =>
  merge(
    forkJoin([
      onceRealtime(cohorts$).pipe(take(1)),
      provided(output$, project),
      ...lookups(project, lookup, contentUrls({ addressOf }, { project, setting })()),
    ]).pipe(
      switchMap(() => isIdle$),
      // A task later, because the answer of one step may lead to the request of the next.
      switchMap((isIdle) => (isIdle ? timer(0) : NEVER)),
    ),
    timer(longestRequests * setting('requestTimeout')),
  ).pipe(take(1), shareState(stop$));

/**
 * Emits once services have given all that the queries of the project look up of them. Services ask late, once they know
 * the visitor's identities, so until then there may be no request under way.
 */
const provided = (output$: Observable<ServiceOutput>, { lookups: names = [] }: PageProject): Observable<unknown> => {
  const wanted = names.filter((name) => !isOfPage(name));
  return output$.pipe(
    scan(withOutput, noOutput),
    startWith(noOutput),
    filter(({ externalData }) => wanted.every((name) => Object.hasOwn(externalData, name))),
    take(1),
  );
};

/** Data of the page, which no service gives. */
const isOfPage = (name: DataName): name is PageDataName => name === 'geo' || name === 'classification';

/** What the queries of the project look up of the page, each in one value. Services give the rest. */
const lookups = (
  { lookups: names = [] }: PageProject,
  lookup: ServiceStreams['lookup'],
  url: string,
): readonly Observable<Data>[] => names.filter(isOfPage).map((name) => lookup(name, url).pipe(take(1)));

/** What services have given so far. */
interface Given {
  readonly externalData: Data;
  /** Names of events that services have made. */
  readonly names: readonly string[];
  /** Undefined until the service has answered. */
  readonly secureSignal: string | null | undefined;
}

const noOutput: Given = { externalData: {}, names: [], secureSignal: undefined };

const withOutput = (given: Given, output: ServiceOutput): Given => {
  if (output.type === 'data') return { ...given, externalData: { ...given.externalData, ...output.patch } };
  if (output.type === 'draft') return { ...given, names: [...new Set([...given.names, output.draft.name])] };
  if (output.type === 'secureSignal') return { ...given, secureSignal: output.signal };
  return given;
};

/**
 * What the start-up of the visit has found, once: when its steps have ended (`ended$`), and what they have changed is
 * published. `output$`: what services give; hot.
 */
export const startup = (
  ended$: Observable<unknown>,
  output$: Observable<ServiceOutput>,
  streams: ServiceStreams,
  deps: ServiceDeps,
): Observable<ServiceOutput> => {
  const given$ = output$.pipe(scan(withOutput, noOutput), startWith(noOutput), shareState(streams.stop$));
  const isSignalled$ = given$.pipe(filter(({ secureSignal }) => secureSignal !== undefined));
  // A page that has not started the secure signal does not wait for it.
  const isWanted$ = merge(secureSignalStart(deps).pipe(map(() => true)), of(false)).pipe(take(1));
  return ended$.pipe(
    delay(publishQuietMs),
    switchMap(() => isWanted$),
    switchMap((isWanted) => (isWanted ? race(isSignalled$, timer(deps.setting('requestTimeout'))) : of(undefined))),
    withLatestFrom(given$),
    switchMap(([, given]) => startupRecord(given, streams, deps)),
    take(1),
    map((record): ServiceOutput => ({ type: 'started', startup: record })),
  );
};

/** Puts the record together from the states of this moment. */
const startupRecord = (given: Given, streams: ServiceStreams, deps: ServiceDeps): Observable<Startup> =>
  forkJoin({
    memberships: soFar(streams.cohorts$),
    tracked: soFar(streams.latest$),
    transitions: soFar(streams.transitionsSinceInit$),
    initialised: soFar(streams.initialised$),
    lookedUp: soFar(merge(...lookups(deps.project, streams.lookup, contentUrls(streams, deps)()))),
  }).pipe(
    map(({ memberships, tracked, transitions, initialised, lookedUp }) => {
      const context = streams.context();
      const cohorts = memberships.at(-1) ?? noCohorts;
      return {
        activations: activationsOf(cohorts, deps.project),
        cohorts: cohorts.members.map(codeOf),
        context,
        ...eventsOf(tracked, given.names),
        externalData: Object.assign({}, ...lookedUp, given.externalData) as Data,
        geoIP: context.geoip ?? null,
        realtime: cohorts.isRealtime,
        stateMigratedThisInitialisation: initialised.some(({ migrated }) => migrated),
        transitionsSinceInit: transitions,
        secureSignal: given.secureSignal ?? null,
      };
    }),
  );

/** The values that a state with a history starts with. */
const soFar = <A>(state$: Observable<A>): Observable<readonly A[]> => state$.pipe(takeUntil(timer(0)), toArray());

const activationsOf = (cohorts: Cohorts, project: PageProject): Startup['activations'] =>
  Object.fromEntries(
    [...new Set([...Object.keys(cohorts.activations), ...Object.keys(project.platformCohorts)])]
      .map((platform) => [platform, codesFor(platform, cohorts, project)] as const)
      .filter(([, codes]) => codes.length > 0),
  );

/** Events of start-up and of page exit. `names`: those of events that services have made. */
const eventsOf = (
  tracked: readonly Tracked[],
  names: readonly string[],
): Pick<Startup, 'eventsToPublish' | 'eventsToPublishOnPageUnload'> => {
  const keptBack = tracked.filter(({ draft: { edgeOnly, beacon } }) => edgeOnly === true || beacon === true);
  const own = tracked.filter(({ event: { name } }) => isTransition(name) || names.includes(name));
  const eventOf = ({ event }: Tracked): Event => event;
  return {
    eventsToPublish: own.filter((one) => !keptBack.includes(one)).map(eventOf),
    eventsToPublishOnPageUnload: keptBack.map(eventOf),
  };
};
