import { defer, map, of, throwError } from 'rxjs';

import { AnyBoolean, AnyString, isRecord, list, object, readOr, shape } from '../model/codecs';
import { NetworkError } from '../model/errors';
import { NoJson } from '../model/json';
import { sessionKeys } from '../model/storageKeys';
import { perform } from '../operators/creators/perform';
import type { Http, Journal, TextStorage } from '../platform/platform';
import type { World } from '../world';

/** What a tab pretends. An absent field pretends nothing. */
export interface Simulation {
  /** Cohorts that the visitor is said to be in, whatever the queries say. */
  readonly in?: readonly string[];
  /** Cohorts that the visitor is said not to be in. */
  readonly out?: readonly string[];
  /** No request gets an answer. */
  readonly offline?: boolean;
  /** Whether there is consent. */
  readonly consent?: boolean;
}

const SimulationCodec = object<Simulation>(
  'a simulation',
  shape({}, { in: list(AnyString), out: list(AnyString), offline: AnyBoolean, consent: AnyBoolean }),
);

type SimulationDeps = Pick<World, 'session' | 'json'>;

/** What this tab pretends; nothing where it pretends nothing, or where what is stored cannot be read. */
export const readSimulation = ({ session, json }: SimulationDeps): Simulation => {
  const stored = json.parse(session.read(sessionKeys.simulation) ?? '{}');
  return readOr(SimulationCodec, stored === NoJson ? {} : stored, {}, () => undefined);
};

/** Keeps what the tab pretends until it is closed. */
export const writeSimulation = (simulation: Simulation, { session, json }: SimulationDeps): void => {
  if (Object.keys(simulation).length === 0) session.remove(sessionKeys.simulation);
  else session.write(sessionKeys.simulation, json.stringify(simulation));
};

/**
 * The same world, as far as the tab does not pretend another one. What it pretends stays in this tab: what the SDK
 * writes to local storage and to its journal meanwhile is kept in memory, and its events are not sent.
 */
export const simulatedWorld = (world: World, simulation: Simulation): World => {
  if (Object.keys(simulation).length === 0) return world;
  const { offline = false, consent } = simulation;
  return {
    ...world,
    local: inMemory(world.local),
    journal: memoryJournal(),
    http: heldBack(world.http, offline),
    ...(offline && { page: { ...world.page, online: () => false } }),
    ...(consent !== undefined && { consent$: of(consent) }),
    openEngine: () => {
      const { message$, send } = world.openEngine();
      return { message$: message$.pipe(map((message) => withForced(message, simulation))), send };
    },
  };
};

/** Requests that carry events, or all of them, get no answer. */
const heldBack = (http: Http, isOffline: boolean): Http => ({
  send: (request) =>
    isOffline || request.url.includes('/batch/events')
      ? throwError(() => new NetworkError('failed'))
      : http.send(request),
  beacon: () => false,
});

/** Reads through to the storage, and writes over it in memory. */
const inMemory = (storage: TextStorage): TextStorage => {
  const written = new Map<string, string | null>();
  const read = (key: string): string | null => {
    const text = written.get(key);
    return text === undefined ? storage.read(key) : text;
  };
  return {
    read,
    write: (key, text) => {
      written.set(key, text);
      return undefined;
    },
    remove: (key) => void written.set(key, null),
    keys: () => [...new Set([...storage.keys(), ...written.keys()])].filter((key) => read(key) !== null),
  };
};

const memoryJournal = (): Journal => {
  const texts = new Map<string, string>();
  return {
    keys: () => defer(() => of([...texts.keys()])),
    read: (key) => defer(() => of(texts.get(key))),
    write: (changes) =>
      defer(() => {
        for (const [key, text] of changes) {
          if (text === null) texts.delete(key);
          else texts.set(key, text);
        }
        return of(undefined);
      }),
    erase: () => perform(() => texts.clear()),
  };
};

/** A message of the engine with the cohorts that are pretended. */
const withForced = (message: unknown, { in: forced = [], out = [] }: Simulation): unknown => {
  if (!isRecord(message) || !isRecord(message['membership'])) return message;
  const { membership } = message;
  const members = (membership['members'] as readonly string[]).filter((id) => !out.includes(id));
  return { ...message, membership: { ...membership, members: [...new Set([...members, ...forced])] } };
};
