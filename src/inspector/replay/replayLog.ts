import { dequal } from 'dequal/lite';
import { asyncScheduler, defer, EMPTY, merge, NEVER, noop, type Observable, of, takeUntil, timer } from 'rxjs';

import type { AnyAddon } from '../../addons/addon';
import type { Observer } from '../../api/observer';
import { publicCalls } from '../../api/publicCalls';
import { isRecord } from '../../codecs/codecs';
import type { Experiment } from '../../contracts/experiment';
import { fakePlatform } from '../../fakePlatform/fakePlatform';
import { inVirtualTime } from '../../fakePlatform/virtualClock';
import type { Json } from '../../hardening/json';
import type { Settings } from '../../model/config';
import type { PageProject } from '../../model/project';
import { runtime } from '../../runtime';
import type { DeferredParts, World } from '../../visit/world';
import { draftsOf } from '../doors/addonsDoor';
import { type ReplayDeps, replayedBy } from '../doors/door';
import { watchedWorld, worldDoors } from '../doors/worldDoors';
import { openLog } from '../log';
import type { LogEntry } from '../logEntry';
import { type ParsedLog, parseLog } from '../parseLog';
import { recorderOf } from '../recorder';
import { visitTaps } from '../taps';
import type { PageEngineModule } from './memoryEngine';
import { playbackOf } from './playback';

/** The project that a log is of, as the build reads it. */
export interface ReplayProject {
  readonly project: PageProject;
  readonly experiment: Experiment;
  /** Addons of the page script. */
  readonly addons: readonly AnyAddon[];
  readonly parts: DeferredParts;
  /** The engine, with the query definitions. */
  readonly engine: PageEngineModule;
}

/** The world of a log: it answers what the browser has answered, when it has answered it. */
const replayWorld = (
  { project, experiment, addons, parts, engine }: ReplayProject,
  json: Json,
  deps: Omit<ReplayDeps, 'engine' | 'world'>,
): World => {
  const world: World = {
    ...fakePlatform(),
    project,
    experiment,
    addons,
    deferredParts$: of(parts),
    consent$: NEVER,
    keepRefusal: noop,
    // The log has each setting that the page has read.
    setting: (() => undefined) as unknown as Settings,
    json,
    calls: publicCalls(),
    report: noop,
  };
  return replayedBy<World>(worldDoors, world, { ...deps, engine, world });
};

/**
 * Runs the SDK on a log: the runtime and the engine are the real ones, and the log answers for the browser. Cold; emits
 * the entries of a new log, and completes when the old one ends. In virtual time, it takes no longer than it computes.
 */
const replayed = (log: ParsedLog, project: ReplayProject, json: Json): Observable<LogEntry> =>
  defer(() => {
    const began = asyncScheduler.now();
    const elapsed = (): number => asyncScheduler.now() - began;
    const played = new Set(
      log.lines.flatMap(({ type, data }) =>
        type.startsWith(draftsOf('')) && isRecord(data) && data['quiet'] !== true ? [type] : [],
      ),
    );
    const clock = (): number => log.header.clock + elapsed();
    const playback = playbackOf(log.lines, (name) => played.has(name));
    const world = replayWorld(project, json, {
      log,
      playback,
      elapsed,
      isPlayed: (addon) => played.has(draftsOf(addon)),
    });
    const noted = openLog({ json, elapsed, now: clock, salt: 0, header: log.header });
    const watched = watchedWorld(world, {
      log: noted,
      recorder: recorderOf(noted, dequal),
      json,
      stored: () => EMPTY,
    });
    const observer: Observer = { whileConsent: () => EMPTY, whileVisit: (visit) => visitTaps(visit, noted) };
    const end = log.lines.at(-1)?.t ?? 0;
    return merge(noted.entry$, playback.run$, runtime(watched, [observer])).pipe(takeUntil(timer(end + 1)));
  });

/** Replays a log at once, and answers the entries of the new log. Throws where the text is no log. */
export const replayLog = (text: string, project: ReplayProject, json: Json): readonly LogEntry[] => {
  const log = parseLog(text, json);
  const entries: LogEntry[] = [];
  let failure: unknown;
  inVirtualTime(
    () =>
      void replayed(log, project, json).subscribe({
        next: (entry) => entries.push(entry),
        error: (cause: unknown) => (failure = cause),
      }),
  );
  if (failure !== undefined) throw failure as Error;
  return entries;
};
