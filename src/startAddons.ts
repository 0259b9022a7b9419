import { defer, delayWhen, EMPTY, ignoreElements, map, merge, mergeMap, type Observable, of, share } from 'rxjs';
import type { AddonDeps, AddonStreams, AnyAddon, CommonDeps } from './addons/addon';
import type { EventDraft } from './model/event';
import { isolate } from './operators/isolate';
import type { World } from './runtime';
import { held } from './streams/held';

type AddonWorld = Pick<World, 'addons' | 'project' | 'calls' | 'report'>;

/**
 * The addons of the project, running. An addon that starts by itself does so now; the others, and further starts, follow
 * `permutive.addon(name, options)`. One that throws costs the page that addon and nothing else.
 */
export const startAddons = ({ addons, project, calls, report }: AddonWorld, streams: AddonStreams, common: CommonDeps): readonly Observable<EventDraft>[] =>
  addons.map((addon: AnyAddon) => {
    const configured = (Object.hasOwn(project.addons, addon.name) ? project.addons[addon.name] : undefined) ?? {};
    const autoInit = configured.auto_init ?? addon.autoInit;
    const options$ = merge(autoInit ? of({}) : EMPTY, calls.addon(addon.name)).pipe(
      map((given) => addon.options(withDefaults(configured, given), (cause) => report(`Addon ${addon.name} has invalid options`, cause)) as unknown),
    );
    const activations = (Object.hasOwn(project.activations, addon.name) ? project.activations[addon.name] : undefined) ?? [];
    const deps: AddonDeps = { ...common, configured, activations, expose: (methods) => calls.expose(addon.name, methods) };
    return defer(() => addon.run(streams, options$, deps)).pipe(isolate(`Addon ${addon.name} stopped`, report));
  });

/** The project's options, overridden by the page's. What is no object goes on as it is, for the addon to judge. */
const withDefaults = (configured: object, given: unknown): unknown =>
  given === undefined ? configured : typeof given === 'object' && given !== null ? { ...configured, ...given } : given;

/** The same for the addons of the chunk, once it has come: what was published meanwhile, they are told then. */
export const startLateAddons = (world: AddonWorld & Pick<World, 'late$'>, streams: AddonStreams, common: CommonDeps): Observable<EventDraft> =>
  world.late$.pipe(
    // They listen before what was kept for them is let go.
    held((late$) => {
      const transition$ = streams.transition$.pipe(delayWhen(() => late$), share());
      return merge(
        late$.pipe(mergeMap(({ addons, activations }) => merge(...startAddons({ ...world, addons, project: { ...world.project, activations } }, { ...streams, transition$ }, common)))),
        transition$.pipe(ignoreElements()),
      );
    }),
  );
