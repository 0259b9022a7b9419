import { asapScheduler, map, type Observable, observeOn, of } from 'rxjs';

import type { AnyAddon } from '../../addons/addon';
import { publicCalls } from '../../api/publicCalls';
import { isRecord } from '../../model/codecs';
import type { Settings } from '../../model/config';
import type { Consent } from '../../model/consent';
import type { EventDraft } from '../../model/event';
import type { IdentifyCall } from '../../model/identity';
import type { Json } from '../../model/json';
import type { LogLine } from '../../model/logEntry';
import type { PageProject } from '../../model/project';
import type { Report } from '../../model/report';
import type { TextStorage, WriteFailure } from '../../platform/platform';
import type { DeferredParts, World } from '../../visit/world';
import { clockType } from '../log';
import type { ParsedLog } from '../parseLog';
import { draftsOf, type TcfData } from '../watchedParts';
import type { EngineParts } from './memoryEngine';
import type { Playback } from './playback';
import { replayEngine } from './replayEngine';
import { replaySend } from './replayHttp';

/** The project that a log is of, as the build reads it. */
export interface ReplayProject {
  readonly project: PageProject;
  /** Addons of the page script. */
  readonly addons: readonly AnyAddon[];
  readonly parts: DeferredParts;
  /** The engine, with the query definitions. */
  readonly engine: EngineParts;
}

export interface ReplayWorldDeps extends ReplayProject {
  readonly playback: Playback;
  /** Ms since the replay began. */
  readonly elapsed: () => number;
  /** Whether the log has an addon's drafts, because it has used what no log can hold. */
  readonly isPlayed: (addon: string) => boolean;
  readonly json: Json;
  readonly report: Report;
}

/** The world of a log: it answers what the browser has answered, when it has answered it. */
export const replayWorld = (log: ParsedLog, deps: ReplayWorldDeps): World => {
  const { playback, elapsed, parts, json, report, isPlayed } = deps;
  const { hear, read, draw } = playback;
  const clock = replayClock(log, playback, elapsed);
  const storages = {
    local: replayStorage('local', playback),
    session: replayStorage('session', playback),
  };
  const played = (addons: readonly AnyAddon[]): readonly AnyAddon[] =>
    addons.map((addon) => (isPlayed(addon.name) ? { ...addon, run: () => drafts(addon.name, playback) } : addon));
  let ids = 0;
  return {
    ...storages,
    project: deps.project,
    addons: played(deps.addons),
    deferredParts$: hear('deferred').pipe(map(() => replayParts({ ...parts, addons: played(parts.addons) }, hear))),
    consent$: hear('consent') as Observable<Consent>,
    keepRefusal: ignore,
    setting: ((name) => read('setting', name)) as Settings,
    json,
    calls: replayCalls(hear),
    report,
    http: {
      send: replaySend(log, hear, json),
      beacon: () => read('beacon', '') !== false,
    },
    cookies: { read: (name) => (read('cookie', name) as string | null) ?? undefined, write: ignore },
    page: replayPage(read),
    listen: (target, type) => hear(`${target} ${type}`),
    tabs: { message$: hear('tabs'), post: ignore },
    now: clock.read,
    yieldThread: () => hear('yield'),
    endOfTask: () => of(undefined).pipe(observeOn(asapScheduler)),
    random: () => (draw('random') as number | undefined) ?? 0,
    newId: () =>
      (draw('id') as string | undefined) ?? `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
    loadPixel: ignore,
    runScript: () => read('script', '') !== false,
    openEngine: enginesOf(log, deps, clock.now),
    openLayer: () => {
      throw new Error('A replay has no document');
    },
    journal: {
      keys: () => hear('journal keys') as Observable<readonly string[]>,
      read: (key) => hear(`journal read ${key}`),
      write: () => hear('journal write'),
      erase: () => hear('journal erase') as Observable<never>,
    },
    hold: () => hear('hold') as Observable<boolean>,
    eraseStore: () => hear('erase') as Observable<never>,
  };
};

const ignore = (): void => undefined;

type Hear = Playback['hear'];

/** The visitor's clock: as the page has read it, and as the engine reads it (`now`). */
const replayClock = ({ header, lines }: ParsedLog, { read }: Playback, elapsed: () => number) => {
  const drifts = lines.flatMap(({ t, type, data }) =>
    type === clockType && isRecord(data) ? [{ t, drift: Number(data['drift']) }] : [],
  );
  let [noted, at] = [header.clock, 0];
  const since = (): number => Math.floor(elapsed() - at);
  return {
    now: () => Math.floor(header.clock + elapsed() + (drifts.filter(({ t }) => t <= elapsed()).at(-1)?.drift ?? 0)),
    read: (): number => {
      const value = read('now', '');
      if (typeof value === 'number' && value !== noted) [noted, at] = [value, elapsed()];
      // Two reads of one millisecond are noted once. More time has passed only where the replay differs from the log.
      return since() < 2 ? noted : noted + since();
    },
  };
};

const replayStorage = (door: string, { read, wrote }: Playback): TextStorage => ({
  read: (key) => read(door, key) as string | null,
  write: (key, text) => {
    const failure = (read(`${door} failure`, key) as WriteFailure | null) ?? undefined;
    if (failure === undefined) wrote(door, key, text);
    return failure;
  },
  remove: (key) => wrote(door, key, null),
  keys: () => (read(`${door} keys`, '') as readonly string[] | null) ?? [],
});

const replayPage = (read: Playback['read']): World['page'] => {
  const text = (key: string) => (): string => {
    const value = read('page', key);
    return typeof value === 'string' ? value : '';
  };
  const flag = (key: string) => (): boolean => read('page', key) === true;
  return {
    url: text('url'),
    host: text('host'),
    path: text('path'),
    title: text('title'),
    referrer: text('referrer'),
    userAgent: text('userAgent'),
    isEmbedded: flag('isEmbedded'),
    hidden: flag('hidden'),
    online: flag('online'),
    scrollDepth: () => Number(read('page', 'scrollDepth') ?? 0),
    // No log can hold elements and objects of the page.
    adIn: () => undefined,
    global: () => undefined,
    dispatch: ignore,
    mark: ignore,
    post: ignore,
  };
};

/** The page's calls. Nobody waits for their answers. */
const replayCalls = (hear: Hear): World['calls'] => ({
  ...publicCalls(),
  track$: hear('track').pipe(map((draft) => ({ draft: draft as EventDraft, accepted: ignore }))),
  identify$: hear('identify').pipe(map((given) => ({ given: given as IdentifyCall['given'], done: ignore }))),
  reset$: hear('reset').pipe(map(() => ignore)),
  explain$: hear('explain').pipe(map((id) => ({ id: String(id), tell: ignore }))),
  addon: (name) => hear(`addon ${name}`),
});

const drafts = (addon: string, { hear }: Playback): Observable<EventDraft> =>
  hear(draftsOf(addon)) as Observable<EventDraft>;

/** The deferred chunk, with the streams of the page as they were noted. */
const replayParts = (parts: DeferredParts, hear: Hear): DeferredParts => ({
  ...parts,
  fromForms: () => hear('forms') as ReturnType<DeferredParts['fromForms']>,
  fromLinks: () => hear('links') as ReturnType<DeferredParts['fromLinks']>,
  fromFocusLoss: () => hear('focus loss'),
  fromNavigation: () => hear('navigation'),
  fromPageMessages: () =>
    hear('messages').pipe(map((message) => ({ ...(message as { data: unknown; origin: string }), source: null }))),
  fromTcf: () =>
    hear('tcf').pipe(
      map((data) => {
        const { vendors, purposes, ...tcf } = data as TcfData;
        return {
          ...tcf,
          vendorConsent: (id: number) => vendors.includes(id),
          purposeConsent: (id: number) => purposes.includes(id),
        };
      }),
    ),
  fromSharing: () => hear('sharing') as Observable<boolean>,
  lookUpIdentities: () => hear('identities') as ReturnType<DeferredParts['lookUpIdentities']>,
});

/** Opens the real engine, each time with what the store held at that time. */
const enginesOf = ({ lines }: ParsedLog, deps: ReplayWorldDeps, now: () => number): World['openEngine'] => {
  const stores = lines.filter(({ type }) => type === 'store').map(({ data }) => data as Record<string, string>);
  let started = 0;
  return () =>
    // An engine counts from its start: a visit may end before its engine has started.
    replayEngine(() => {
      const n = (started += 1);
      const sent = lines.filter(({ type, data }) => type === 'engine' && isRecord(data) && data['n'] === n);
      return {
        ...deps,
        now,
        stored: stores[n - 1] ?? {},
        recorded$: deps.playback.hear('engine'),
        expected: (type) => sent.filter((line) => typeOf(line) === type).length,
      };
    });
};

/** The type of a message of the engine that was noted. */
const typeOf = ({ data }: LogLine): unknown =>
  isRecord(data) && isRecord(data['value']) ? data['value']['type'] : undefined;
