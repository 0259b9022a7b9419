import { defer, map, type Observable, tap } from 'rxjs';

import type { AddonDeps, AddonStreams, AnyAddon } from '../addons/addon';
import type { Tcf } from '../model/tcf';
import type { DeferredParts, World } from '../visit/world';
import type { Log } from './log';
import type { Recorder } from './recorder';

export interface WatchPartsDeps {
  readonly log: Pick<Log, 'hide'>;
  readonly recorder: Recorder;
}

/** Name of the stream of an addon's drafts in a log. */
export const draftsOf = (addon: string): string => `drafts ${addon}`;

/** Vendors of the TCF list whose consent is noted. */
const maxVendor = 2000;
const maxPurpose = 11;

/**
 * The deferred chunk, whose streams of the page are noted as what they make of it: elements, frames and platforms of
 * the page are in no log. They read the page itself, so that it is not noted twice.
 */
export const watchedParts = (world: World, deps: WatchPartsDeps): Observable<DeferredParts> => {
  const { hear } = deps.recorder;
  return hear('deferred', world.deferredParts$, { dataOf: () => null }).pipe(
    map((parts) => ({
      ...parts,
      addons: parts.addons.map((addon) => watchedAddon(addon, deps)),
      fromForms: () => hear('forms', parts.fromForms(world.listen), { lane: 'signals' }),
      fromLinks: (_, redacted) => hear('links', parts.fromLinks(world.listen, redacted), { lane: 'signals' }),
      fromFocusLoss: () =>
        hear('focus loss', parts.fromFocusLoss(world.listen, world.page), { lane: 'signals', dataOf: () => null }),
      fromNavigation: () =>
        hear('navigation', parts.fromNavigation(world.listen), { lane: 'signals', dataOf: () => null }),
      fromPageMessages: () =>
        hear('messages', parts.fromPageMessages(world.listen), {
          dataOf: ({ data, origin }) => ({ data, origin }),
        }),
      fromTcf: () => hear('tcf', parts.fromTcf(world), { lane: 'consent', dataOf: tcfData }),
      fromSharing: () => hear('sharing', parts.fromSharing(world), { lane: 'consent' }),
      lookUpIdentities: (known, given) =>
        hear(
          'identities',
          parts
            .lookUpIdentities(known, { ...given, ...world })
            .pipe(tap((found) => found.forEach(([, id]) => deps.log.hide(id)))),
        ),
    })),
  );
};

/** Consent by TCF as JSON has it. */
export type TcfData = Omit<Tcf, 'vendorConsent' | 'purposeConsent'> & {
  readonly vendors: readonly number[];
  readonly purposes: readonly number[];
};

const tcfData = ({ vendorConsent, purposeConsent, ...tcf }: Tcf): TcfData => ({
  ...tcf,
  vendors: idsTo(maxVendor).filter(vendorConsent),
  purposes: idsTo(maxPurpose).filter(purposeConsent),
});

const idsTo = (highest: number): readonly number[] => Array.from({ length: highest }, (_, i) => i + 1);

/**
 * An addon whose drafts are noted. Once it has used what no log can hold, such as a partner's tag, its drafts are
 * inputs: a replay takes them from the log, in place of the addon.
 */
export const watchedAddon = (addon: AnyAddon, { recorder }: WatchPartsDeps): AnyAddon => ({
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
