import {
  defer,
  delayWhen,
  EMPTY,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  share,
} from 'rxjs';

import type { AddonDeps, AddonStreams, AnyAddon, CommonDeps } from '../addons/addon';
import type { EventDraft } from '../model/event';
import type { PageContext } from '../model/pageContext';
import { isolate } from '../operators/isolate';
import { replayToLate } from '../operators/replayToLate';
import { shareState } from '../operators/shareState';
import type { World } from '../world';
import { addonDeps } from './addonDeps';
import { addonStreams, type VisitForAddons } from './addonStreams';

type AddonWorld = Pick<World, 'addons' | 'project' | 'calls' | 'report'>;

/** Runs the project's addons during a visit. Emits the events that they want tracked. */
export const runAddons = (
  visit: Omit<VisitForAddons, 'pageview$'> & { readonly context: () => PageContext },
  world: World,
  stop$: Observable<unknown>,
): Observable<EventDraft> =>
  defer(() => {
    const pageview$ = visit.event$.pipe(
      filter(({ name }) => name === 'Pageview'),
      shareState(stop$),
    );
    const streams = addonStreams({ ...visit, pageview$ }, world, stop$);
    const common = addonDeps(world, visit.context);
    return merge(
      // Subscribed from the start, because the service that reads it may load later.
      pageview$.pipe(ignoreElements()),
      ...startAddons(world, streams, common),
      startDeferredAddons(world, streams, common),
    );
  });

/**
 * The addons of the project, running. An addon that starts by itself does so now; the others, and further starts,
 * follow `permutive.addon(name, options)`. One that throws costs the page that addon and nothing else.
 */
const startAddons = (
  { addons, project, calls, report }: AddonWorld,
  streams: AddonStreams,
  common: CommonDeps,
): readonly Observable<EventDraft>[] =>
  addons.map((addon: AnyAddon) => {
    const configured = (Object.hasOwn(project.addons, addon.name) ? project.addons[addon.name] : undefined) ?? {};
    const autoInit = configured.auto_init ?? addon.autoInit;
    const options$ = merge(autoInit ? of({}) : EMPTY, calls.addon(addon.name)).pipe(
      map(
        (given) =>
          addon.options(withDefaults(configured, given), (cause) =>
            report(`Addon ${addon.name} has invalid options`, cause),
          ) as unknown,
      ),
    );
    const activations =
      (Object.hasOwn(project.activations, addon.name) ? project.activations[addon.name] : undefined) ?? [];
    const deps: AddonDeps = {
      ...common,
      configured,
      activations,
      expose: (methods) => calls.expose(addon.name, methods),
    };
    return defer(() => addon.run(streams, options$, deps)).pipe(isolate(`Addon ${addon.name} stopped`, report));
  });

/** The project's options, overridden by the page's. Options that are no object are passed on for the addon to check. */
const withDefaults = (configured: object, given: unknown): unknown =>
  given === undefined ? configured : typeof given === 'object' && given !== null ? { ...configured, ...given } : given;

/**
 * Starts the addons of the deferred chunk once it has loaded. Transitions that were published meanwhile are replayed to
 * them.
 */
export const startDeferredAddons = (
  world: AddonWorld & Pick<World, 'deferredParts$'>,
  streams: AddonStreams,
  common: CommonDeps,
): Observable<EventDraft> =>
  world.deferredParts$.pipe(
    // The addons subscribe before the kept transitions are released.
    replayToLate((deferredParts$) => {
      const transition$ = streams.transition$.pipe(
        delayWhen(() => deferredParts$),
        share(),
      );
      return merge(
        deferredParts$.pipe(
          mergeMap(({ addons, activations }) =>
            merge(
              ...startAddons(
                { ...world, addons, project: { ...world.project, activations } },
                { ...streams, transition$ },
                common,
              ),
            ),
          ),
        ),
        transition$.pipe(ignoreElements()),
      );
    }),
  );
