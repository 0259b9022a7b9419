import { map, type Observable, tap } from 'rxjs';

import type { Json } from '../../hardening/json';
import type { World } from '../../visit/world';
import type { Log } from '../log';
import type { ParsedLog } from '../parseLog';
import type { Recorder, Recording } from '../recorder';
import type { CopyDeps, PageEngineModule } from '../replay/memoryEngine';
import type { Playback } from '../replay/playback';

/** What a world is watched with. */
export interface WatchDeps extends Pick<CopyDeps, 'stored'> {
  readonly log: Log;
  readonly recorder: Recorder;
  readonly json: Json;
  /** The world that is not watched. */
  readonly world: World;
}

/** What a log is replayed with. */
export interface ReplayDeps {
  readonly log: ParsedLog;
  readonly playback: Playback;
  /** Ms since the replay began. */
  readonly elapsed: () => number;
  /** Whether the log has an addon's drafts, because it has used what no log can hold. */
  readonly isPlayed: (addon: string) => boolean;
  /** The engine, with the query definitions. */
  readonly engine: PageEngineModule;
  /** The stand-in for the world. */
  readonly world: World;
}

/** A member of the world: how a recording notes its use, and how a replay answers in its place. */
export interface Door<A> {
  /** The same member, with its use noted. */
  readonly watched: (real: A, deps: WatchDeps) => A;
  /** The member as the log answers. What is in no log is left to the stand-in, which has no browser. */
  readonly replayed: (standIn: A, deps: ReplayDeps) => A;
}

/** A door for each member: one that is forgotten is an error of the compiler. */
export type Doors<A> = { readonly [Name in keyof A]-?: Door<A[Name]> };

/** All members, with their use noted. */
export const watchedBy = <A extends object>(doors: Doors<A>, real: A, deps: WatchDeps): A =>
  eachBy(doors, real, (door, member) => door.watched(member, deps));

/** All members as the log answers. */
export const replayedBy = <A extends object>(doors: Doors<A>, standIn: A, deps: ReplayDeps): A =>
  eachBy(doors, standIn, (door, member) => door.replayed(member, deps));

const eachBy = <A extends object>(
  doors: Doors<A>,
  members: A,
  change: (door: Door<unknown>, member: unknown) => unknown,
): A => ({
  ...members,
  ...Object.fromEntries(
    (Object.entries(doors) as [keyof A & string, Door<unknown>][])
      .filter(([name]) => Object.hasOwn(members, name))
      .map(([name, door]) => [name, change(door, members[name])]),
  ),
});

const same = <A>(value: A): A => value;

/** Not noted: it takes nothing from the browser, or what it takes goes through other doors. */
export const plain = { watched: same, replayed: same };

/** Such a door for each of these members. */
export const plains = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, plain])) as Record<Name, typeof plain>;

/** Members of a member. */
export const group = <A extends object>(doors: Doors<A>): Door<A> => ({
  watched: (real, deps) => watchedBy(doors, real, deps),
  replayed: (standIn, deps) => replayedBy(doors, standIn, deps),
});

/** How the values of a stream are noted and replayed. */
export interface StreamOptions<A> extends Recording<A> {
  /** The value of what was noted. Default: what was noted is the value. */
  readonly ofData?: (data: unknown) => A;
  /** Texts of a value that are kept out of the log. */
  readonly secretsOf?: (value: A) => readonly string[];
}

/** A stream, whose values are noted under this name. */
export const stream = <A>(name: string, options: StreamOptions<A> = {}): Door<Observable<A>> => ({
  watched: (source$, { log, recorder }) => {
    const { secretsOf } = options;
    return recorder.hear(
      name,
      secretsOf === undefined ? source$ : source$.pipe(tap((value) => secretsOf(value).forEach(log.hide))),
      options,
    );
  },
  replayed: (_$, { playback }) => playback.hear(name).pipe(map(options.ofData ?? ((data) => data as A))),
});

interface RequestOptions<Args extends readonly unknown[], A> extends StreamOptions<A> {
  /** What the function is called with in a recording. Default: the same. */
  readonly argsOf?: (args: Args, world: World) => Args;
}

/** A function that answers with a stream, whose values are noted under a name of its arguments. */
export const request = <Args extends readonly unknown[], A>(
  nameOf: string | ((...args: Args) => string),
  { argsOf = same, ...options }: RequestOptions<Args, A> = {},
): Door<(...args: Args) => Observable<A>> => {
  const doorOf = (args: Args) => stream(typeof nameOf === 'string' ? nameOf : nameOf(...args), options);
  return {
    watched:
      (ask, deps) =>
      (...args) =>
        doorOf(args).watched(ask(...argsOf(args, deps.world)), deps),
    replayed:
      (ask, deps) =>
      (...args) =>
        doorOf(args).replayed(ask(...args), deps),
  };
};

/** A function that answers at once. The answer is noted under door and key where it has changed. */
export const read = <Args extends readonly unknown[], A>(
  door: string,
  ofData: (data: unknown) => A,
  keyOf: (...args: Args) => string = () => '',
): Door<(...args: Args) => A> => ({
  watched:
    (ask, { recorder }) =>
    (...args) =>
      recorder.read(door, keyOf(...args), ask(...args)),
  replayed:
    (_, { playback }) =>
    (...args) =>
      ofData(playback.read(door, keyOf(...args))),
});

/** A function that answers anew each time. Each answer is noted. */
export const draw = (door: string) => ({
  watched:
    <A>(next: () => A, { recorder }: WatchDeps) =>
    (): A =>
      recorder.draw(door, next()),
  replayed:
    <A>(next: () => A, { playback }: ReplayDeps) =>
    (): A =>
      (playback.draw(door) as A | undefined) ?? next(),
});

/** A function that does something, which is noted before it happens. Where it answers, `answer` notes that too. */
export const effect = <Args extends readonly unknown[], A>(
  type: string,
  dataOf: (...args: Args) => unknown,
  answer: Door<(...args: Args) => A> = plain,
): Door<(...args: Args) => A> => ({
  watched: (act, deps) => {
    const watched = answer.watched(act, deps);
    return (...args) => {
      deps.log.note({ lane: 'effects', type, data: dataOf(...args) });
      return watched(...args);
    };
  },
  replayed: answer.replayed,
});
