import { defer, delayWhen, EMPTY, ignoreElements, map, merge, mergeMap, type Observable, of, share, take } from 'rxjs';

import type { AddonDeps, AddonStreams, AnyAddon, CommonDeps } from '../addons/addon';
import { zonesOf } from '../api/zones';
import { type Fields, isRecord } from '../codecs/codecs';
import { ownEntry, ownFields } from '../hardening/ownFields';
import { plainData } from '../hardening/plainJson';
import type { EventDraft } from '../model/event';
import { isolate } from '../operators/isolate';
import { replayToLate } from '../operators/replayToLate';
import { addonDeps } from './addonDeps';
import { addonStreams } from './addonStreams';
import type { VisitParts } from './visitParts';
import type { World } from './world';

/** The parts of the world that starting an addon reads. */
interface AddonWorld extends Pick<World, 'addons' | 'calls' | 'report'> {
  readonly project: Pick<World['project'], 'addons' | 'activations'>;
}

/**
 * Runs the project's addons during a visit, and emits the drafts of the events that they want tracked. Addons of the
 * page script start at once, the others once the deferred chunk has loaded.
 */
export const runAddons = (visit: VisitParts, world: World, stop$: Observable<unknown>): Observable<EventDraft> =>
  defer(() => {
    const streams = addonStreams(visit, world, stop$);
    const common = addonDeps(world, visit.page);
    return merge(
      ...startAddons(world, streams, common),
      startDeferredAddons(world, streams, common),
      // An answer that the page hands over counts for `permutive.context`, also where no addon reads it.
      world.calls.addon('contextual').pipe(
        take(1),
        mergeMap(() => streams.contextual$),
        ignoreElements(),
      ),
    );
  });

/**
 * One stream of drafts for each addon. An addon with `auto_init` gets its options at once; others, and further starts,
 * get them with each `permutive.addon(name, options)`. An addon that throws is reported and ends; the page and the
 * other addons go on.
 */
const startAddons = (
  { addons, project, calls, report }: AddonWorld,
  streams: AddonStreams,
  common: CommonDeps,
): readonly Observable<EventDraft>[] => {
  const { methodsOutside } = zonesOf(common);
  return addons.map((addon: AnyAddon) => {
    // Only own keys: a name such as `constructor` must not find something else.
    const configured = ownEntry(project.addons, addon.name) ?? {};
    const autoInit = ownFields(configured).auto_init ?? addon.autoInit;
    // A page finds the instance of each started addon, whoever has started it.
    if (autoInit) calls.expose(addon.name, {});
    const onFault = (cause: unknown): void => report(`Addon ${addon.name} has invalid options`, cause);
    const options$ = merge(autoInit ? of({}) : EMPTY, calls.addon(addon.name)).pipe(
      map((given) => addon.options(withDefaults(configured, given, onFault), onFault) as unknown),
    );
    const activations = plainData(ownEntry(project.activations, addon.name) ?? []);
    const deps: AddonDeps = {
      ...common,
      configured,
      activations,
      expose: (methods) => calls.expose(addon.name, methodsOutside(methods)),
    };
    // defer: `run` itself may throw.
    return defer(() => addon.run(streams, options$, deps)).pipe(isolate(`Addon ${addon.name} stopped`, report));
  });
};

/** Options of a page that are read, the first of them. No addon has as many. */
const maxOptions = 100;

/**
 * The project's options, overridden by the page's. An option that throws when it is read is reported and left out.
 * Options that are not an object are passed on, for the addon to report.
 */
const withDefaults = (configured: object, given: unknown, onFault: (cause: unknown) => void): unknown => {
  if (!isRecord(given)) return given === undefined ? configured : given;
  const options: Record<string, unknown> = ownFields(configured as Fields);
  for (const name of Object.keys(given).slice(0, maxOptions))
    try {
      options[name] = given[name];
    } catch (cause) {
      onFault(cause);
    }
  return options;
};

/**
 * Starts the addons of the deferred chunk once it has loaded. Transitions that were published before that are kept and
 * given to them first.
 */
export const startDeferredAddons = (
  { deferredParts$, calls, report }: Pick<World, 'deferredParts$' | 'calls' | 'report'>,
  streams: AddonStreams,
  common: CommonDeps,
): Observable<EventDraft> =>
  deferredParts$.pipe(
    // The chunk releases the kept transitions and starts the addons. The addons are subscribed first in this `merge`,
    // so they miss none.
    replayToLate((parts$) => {
      const transition$ = streams.transition$.pipe(
        delayWhen(() => parts$),
        share(),
      );
      return merge(
        parts$.pipe(
          mergeMap(({ addons, activations, addonOptions, heedSharing }) =>
            heedSharing(
              startAddons,
              { calls, report, addons, project: { activations, addons: addonOptions } },
              { ...streams, transition$ },
              common,
            ),
          ),
        ),
        // Keeps transitions from the start of the visit, before any addon subscribes.
        transition$.pipe(ignoreElements()),
      );
    }),
  );
