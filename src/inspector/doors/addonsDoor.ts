import { defer, Observable, tap } from 'rxjs';

import type { AddonDeps, AddonStreams, AnyAddon } from '../../addons/addon';
import type { EventDraft } from '../../model/event';
import type { Recorder } from '../recorder';
import type { Door } from './door';

/** Name of the stream of an addon's drafts in a log. */
export const draftsOf = (addon: string): string => `drafts ${addon}`;

/** Addons. A replay takes the drafts of those from the log that have used what no log can hold. */
export const addonsDoor: Door<readonly AnyAddon[]> = {
  watched: (addons, { recorder }) => addons.map((addon) => watchedAddon(addon, recorder)),
  replayed: (addons, { isPlayed, playback }) =>
    addons.map((addon) => ({
      ...addon,
      run: (streams, options$, deps) =>
        isPlayed(addon.name)
          ? (playback.hear(draftsOf(addon.name)) as Observable<EventDraft>)
          : addon.run(...countedFor(addon, playback, streams, options$, deps)),
    })),
};

type RunArgs = Parameters<AnyAddon['run']>;

/** Streams that the visit itself has subscribed, or whose first subscriber subscribes for all. */
const sharedStreams: readonly (keyof AddonStreams)[] = [
  'event$',
  'pageExit$',
  'transition$',
  'transitionsSinceInit$',
  'evaluatedTransition$',
  'cohorts$',
  'identities$',
  'tcf$',
  'sharing$',
  'view$',
];

/** All addons share one stream of contextual codes, and which of them subscribes it first may differ in a replay. */
const callerOf = (stream: keyof AddonStreams, addon: string): string => {
  if (stream === 'contextual$') return stream;
  return sharedStreams.includes(stream) ? '' : addon;
};

/**
 * What an addon runs with, whose subscriptions are counted for this addon by itself: a replay that plays its drafts
 * makes none of them.
 */
const countedFor = (
  { name }: AnyAddon,
  { within }: Pick<Recorder, 'within'>,
  ...[streams, options$, deps]: RunArgs
): RunArgs => {
  const by = <A>(caller: string, source$: Observable<A>): Observable<A> =>
    // eslint-disable-next-line no-restricted-syntax -- an operator: its source is subscribed for the caller
    new Observable((subscriber) => within(caller, () => source$.subscribe(subscriber)));
  const counted = (Object.entries(streams) as [keyof AddonStreams, AddonStreams[keyof AddonStreams]][]).map(
    ([key, member]) => [
      key,
      typeof member === 'function'
        ? (...args: readonly never[]) =>
            by(name, (member as (...args: readonly never[]) => Observable<unknown>)(...args))
        : by<unknown>(callerOf(key, name), member),
    ],
  );
  return [
    Object.fromEntries(counted) as AddonStreams,
    options$,
    { ...deps, yieldThread: () => by(name, deps.yieldThread()) },
  ];
};

/** An addon whose drafts are noted. Once it has used what no log can hold, such as a partner's tag, they are inputs. */
const watchedAddon = (addon: AnyAddon, recorder: Recorder): AnyAddon => ({
  ...addon,
  run: (streams, options$, deps) =>
    defer(() => {
      let usesPage = false;
      const noteUse = (): void => void (usesPage = true);
      const use =
        <Args extends readonly unknown[], A>(door: (...args: Args) => A) =>
        (...args: Args): A => {
          noteUse();
          return door(...args);
        };
      const watchedStreams: AddonStreams = {
        ...streams,
        fromTag: (...args) => streams.fromTag<never>(...args).pipe(tap(noteUse)),
        message$: streams.message$.pipe(tap(noteUse)),
      };
      const watchedDeps: AddonDeps = {
        ...deps,
        openLayer: use(deps.openLayer),
        adIn: use(deps.adIn),
        global: use(deps.global),
      };
      return recorder.hear(
        draftsOf(addon.name),
        addon.run(
          ...countedFor(
            addon,
            recorder,
            watchedStreams,
            options$.pipe(tap((options: unknown) => (usesPage ||= hasFunction(options)))),
            watchedDeps,
          ),
        ),
        { isInput: () => usesPage },
      );
    }),
});

/** Whether options hold functions of the page, which no log can hold. */
const hasFunction = (options: unknown): boolean =>
  typeof options === 'function' ||
  (typeof options === 'object' && options !== null && Object.values(options).some(hasFunction));
