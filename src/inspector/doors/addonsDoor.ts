import { defer, type Observable, tap } from 'rxjs';

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
    addons.map((addon) =>
      isPlayed(addon.name)
        ? { ...addon, run: () => playback.hear(draftsOf(addon.name)) as Observable<EventDraft> }
        : addon,
    ),
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
          watchedStreams,
          options$.pipe(tap((options: unknown) => (usesPage ||= hasFunction(options)))),
          watchedDeps,
        ),
        { isInput: () => usesPage },
      );
    }),
});

/** Whether options hold functions of the page, which no log can hold. */
const hasFunction = (options: unknown): boolean =>
  typeof options === 'function' ||
  (typeof options === 'object' && options !== null && Object.values(options).some(hasFunction));
