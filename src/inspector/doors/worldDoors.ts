import { map, switchMap } from 'rxjs';

import type { PublicCalls } from '../../api/publicCalls';
import type { Settings } from '../../model/config';
import { messageOf } from '../../model/errors';
import type { CookieJar, Journal, Listen, Page, TabChannel } from '../../platform/platform';
import { textOrEmpty } from '../../primitives/textOrEmpty';
import type { World } from '../../visit/world';
import { domSignal, signalLane } from '../signals';
import { addonsDoor } from './addonsDoor';
import { callsDoors } from './callsDoors';
import { clockDoor } from './clockDoor';
import {
  type Door,
  type Doors,
  draw,
  effect,
  group,
  plain,
  plains,
  read,
  replayedBy,
  request,
  stream,
  type WatchDeps,
  watchedBy,
} from './door';
import { engineDoor } from './engineDoor';
import { httpDoor } from './httpDoor';
import { partsDoors } from './partsDoors';
import { localDoor, storageDoor } from './storageDoor';

/** The log says only that a value came. */
const noValue = { dataOf: () => null };

const pageRead =
  <A>(ofData: (data: unknown) => A) =>
  (key: string) =>
    read<[], A>('page', ofData, () => key);
const pageText = pageRead(textOrEmpty);
const pageFlag = pageRead((data) => data === true);

/** The page. The elements and objects of the page are in no log. */
const pageDoors = {
  url: pageText('url'),
  host: pageText('host'),
  path: pageText('path'),
  title: pageText('title'),
  referrer: pageText('referrer'),
  userAgent: pageText('userAgent'),
  isEmbedded: pageFlag('isEmbedded'),
  hidden: pageFlag('hidden'),
  online: pageFlag('online'),
  privacyControl: pageFlag('privacyControl'),
  scrollDepth: pageRead(Number)('scrollDepth'),
  ...plains('adIn', 'global', 'mark', 'post'),
  dispatch: effect('dispatch', (...[name]: Parameters<Page['dispatch']>) => ({ name })),
} satisfies Doors<Page>;

const journalDoors = {
  keys: request('journal keys'),
  read: request((key) => `journal read ${key}`),
  write: request('journal write', noValue),
  erase: request('journal erase'),
} satisfies Doors<Journal>;

const tabDoors = {
  message$: stream('tabs'),
  post: effect('tabs', (message) => message),
} satisfies Doors<TabChannel>;

const cookieDoors = {
  read: read(
    'cookie',
    (data) => (data as string | null) ?? undefined,
    (name: string) => name,
  ),
  write: effect('cookie', (cookie) => ({ cookie })),
} satisfies Doors<CookieJar>;

/** DOM events, as far as the SDK reads them. One that several parts hear is a signal only once. */
const listenDoor: Door<Listen> = {
  watched: (listen, deps) => domEvents(new WeakSet()).watched(listen, deps),
  replayed: (listen, deps) => domEvents(new WeakSet()).replayed(listen, deps),
};
const domEvents = (seen: WeakSet<object>): Door<Listen> =>
  request<Parameters<Listen>, unknown>((target, type) => `${target} ${type}`, {
    lane: signalLane(seen),
    dataOf: domSignal,
  });

/** The deferred chunk: when it has come, and what it does. A replay has the chunk, and lets it come when it came. */
const partsDoor: Door<World['deferredParts$']> = {
  watched: (parts$, deps) =>
    deps.recorder
      .hear('deferred', parts$, noValue)
      .pipe(map((parts) => watchedBy<typeof parts>(partsDoors, parts, deps))),
  replayed: (parts$, deps) =>
    deps.playback.hear('deferred').pipe(
      switchMap(() => parts$),
      map((parts) => replayedBy<typeof parts>(partsDoors, parts, deps)),
    ),
};

const reportDoor: Door<World['report']> = {
  ...plain,
  watched:
    (report, { log }) =>
    (message, cause) => {
      log.note({ lane: 'errors', type: 'report', data: { message, cause: messageOf(cause) } });
      report(message, cause);
    },
};

/**
 * Each member of the world, with how a recording notes it and a replay answers for it: what the SDK takes from the
 * browser and the page, and what it does there. Nothing else changes in a recording, but that an engine starts after
 * its store was read for the log.
 */
export const worldDoors = {
  http: httpDoor,
  local: localDoor,
  session: storageDoor('session'),
  cookies: group<CookieJar>(cookieDoors),
  page: group<Page>(pageDoors),
  listen: listenDoor,
  // What is read of the page goes through `page`.
  appears: plain,
  tabs: group<TabChannel>(tabDoors),
  now: clockDoor,
  yieldThread: request('yield', noValue),
  random: draw('random'),
  newId: draw('id'),
  loadPixel: effect('pixel', (url) => ({ url }), request('pixel')),
  runScript: effect(
    'script',
    ({ length }) => ({ characters: length }),
    read('script', (data) => data !== false),
  ),
  openEngine: engineDoor,
  openLayer: effect('layer', (zIndex) => ({ zIndex })),
  journal: group<Journal>(journalDoors),
  hold: request('hold'),
  eraseStore: request('erase'),
  addons: addonsDoor,
  deferredParts$: partsDoor,
  consent$: stream('consent', { lane: 'consent' }),
  setting: read(
    'setting',
    (data) => data,
    (name: string) => name,
  ) as unknown as Door<Settings>,
  calls: group<PublicCalls>(callsDoors),
  report: reportDoor,
  ...plains('endOfTask', 'project', 'experiment', 'keepRefusal', 'json', 'isPretended'),
} satisfies Doors<World>;

/** The same world, with everything noted that goes through its doors. */
export const watchedWorld = (world: World, deps: Omit<WatchDeps, 'world'>): World =>
  watchedBy<World>(worldDoors, world, { ...deps, world });
