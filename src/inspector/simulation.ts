import { EMPTY, map, merge, type Observable, of, skip, switchMap, throwError } from 'rxjs';

import { AnyBoolean, AnyString, isRecord, list, object, readOr, shape, type TypeOf, value } from '../codecs/codecs';
import { memoryCookies } from '../fakePlatform/memoryCookies';
import { memoryJournal } from '../fakePlatform/memoryJournal';
import { storageOver } from '../fakePlatform/memoryStorage';
import { NoJson } from '../hardening/json';
import { type Consent, isRefusal } from '../model/consent';
import { NetworkError } from '../model/errors';
import { sessionKeys } from '../model/storageKeys';
import type { Http, HttpRequest } from '../platform/platform';
import { dayMs } from '../primitives/duration';
import type { World } from '../visit/world';
import { type CopyDeps, engineOnCopy } from './replay/memoryEngine';

/** The clock can be this far ahead, in days: ten years. */
export const maxDays = 3650;

/** What a tab pretends. An absent field pretends nothing. */
const Simulation = object(
  'a simulation',
  shape(
    {},
    {
      /** Cohorts that the visitor is said to be in, whatever the queries say. */
      in: list(AnyString),
      /** Cohorts that the visitor is said not to be in. */
      out: list(AnyString),
      /** No request gets an answer. */
      offline: AnyBoolean,
      /** Whether there is consent. */
      consent: AnyBoolean,
      /** How many days the clock of the SDK is ahead. */
      days: value<number>(
        `a number of days up to ${maxDays}`,
        (input) => Number.isInteger(input) && Number(input) >= 0 && Number(input) <= maxDays,
      ),
    },
  ),
);
export type Simulation = TypeOf<typeof Simulation>;

/** What the tab pretends, in words; undefined where it pretends nothing. */
export const simulationText = (simulation: Simulation): string | undefined => {
  const { in: forced = [], out = [], offline = false, consent, days = 0 } = simulation;
  const words = [
    ...(forced.length > 0 ? [`in ${forced.join(', ')}`] : []),
    ...(out.length > 0 ? [`not in ${out.join(', ')}`] : []),
    ...(consent === undefined ? [] : [consent ? 'consent given' : 'consent refused']),
    ...(offline ? ['offline'] : []),
    ...(days === 0 ? [] : [`clock + ${days} ${days === 1 ? 'day' : 'days'}`]),
  ];
  return words.length === 0 ? undefined : `Simulated in this tab: ${words.join('; ')}`;
};

export interface SimulatedWorldDeps extends CopyDeps {
  /** Erases what is really stored of the visitor. Never emits. */
  readonly erase: () => Observable<never>;
}

type SimulationDeps = Pick<World, 'session' | 'json'>;

/** What this tab pretends; nothing where it pretends nothing, or where what is stored cannot be read. */
export const readSimulation = ({ session, json }: SimulationDeps): Simulation => {
  const stored = json.parse(session.read(sessionKeys.simulation) ?? '{}');
  return readOr(Simulation, stored === NoJson ? {} : stored, {}, () => undefined);
};

/** Keeps what the tab pretends until it is closed. */
export const writeSimulation = (simulation: Simulation, { session, json }: SimulationDeps): void => {
  if (Object.keys(simulation).length === 0) session.remove(sessionKeys.simulation);
  else session.write(sessionKeys.simulation, json.stringify(simulation));
};

/**
 * The same world, as far as the tab does not pretend another one. What it pretends stays in this tab: the SDK and its
 * engine work on copies in memory of what is stored, each page on copies of its own. No event is sent, no other
 * request tells a server of the visitor, and no pixel is asked for. A real refusal erases what is really stored.
 *
 * The engine runs on the page, because a worker has a clock and a store of its own. The clock is ahead for the SDK
 * alone: durations pass as they do, and the page's own scripts and the browser, which ends the life of cookies, have
 * the real time.
 */
export const simulatedWorld = (world: World, simulation: Simulation, deps: SimulatedWorldDeps): World => {
  if (Object.keys(simulation).length === 0) return world;
  const { offline = false, consent, days = 0 } = simulation;
  const { json, yieldThread, report } = world;
  const now = (): number => world.now() + days * dayMs;
  return {
    ...world,
    now,
    local: storageOver(world.local),
    session: storageOver(world.session),
    cookies: memoryCookies({}, world.cookies.read),
    journal: memoryJournal(),
    eraseStore: () => EMPTY,
    http: heldBack(world.http, offline),
    loadPixel: () => of(true),
    ...(offline && { page: { ...world.page, online: () => false } }),
    isPretended: true,
    consent$: merge(
      consent === undefined ? world.consent$ : of<Consent>(consent ? 'given' : 'refused'),
      // The first answer is of before this page. A refusal since then is real, whatever the tab pretends.
      world.consent$.pipe(
        skip(1),
        switchMap((answer) => (isRefusal(answer) ? deps.erase() : EMPTY)),
      ),
    ),
    openEngine: () => {
      const { message$, send } = engineOnCopy(deps, { json, now, yieldThread, report });
      return { message$: message$.pipe(map((message) => withForced(message, simulation))), send };
    },
  };
};

/**
 * Paths of the requests that ask for something and tell nothing of the visitor: place, content of the page, queries and
 * models. All others are held back, because what the tab pretends must not be kept as the truth.
 */
const asking =
  /\/(?:geoip|watson|affinity|ctx\/[^/]+\/(?:state|segment)|cloud-lift\/[^/]+\/queries|[^/]+-(?:amp\.json|models\.(?:bin|json)))$/;
const isAsking = ({ url, credentials }: HttpRequest): boolean =>
  // With credentials, the server is asked about the visitor.
  credentials !== true && asking.test(url.split('?')[0] ?? '');

/** Requests that do more than ask, or all of them, get no answer. */
const heldBack = (http: Http, isOffline: boolean): Http => ({
  send: (request) =>
    isOffline || !isAsking(request) ? throwError(() => new NetworkError('failed')) : http.send(request),
  beacon: () => false,
});

/** A message of the engine with the cohorts that are pretended. */
const withForced = (message: unknown, { in: forced = [], out = [] }: Simulation): unknown => {
  if (!isRecord(message) || !isRecord(message['membership'])) return message;
  const { membership } = message;
  const members = (membership['members'] as readonly string[]).filter((id) => !out.includes(id));
  return { ...message, membership: { ...membership, members: [...new Set([...members, ...forced])] } };
};
