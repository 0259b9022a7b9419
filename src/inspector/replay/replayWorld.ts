import { NEVER, of } from 'rxjs';

import type { AnyAddon } from '../../addons/addon';
import { publicCalls } from '../../api/publicCalls';
import { fakePlatform } from '../../fakePlatform/fakePlatform';
import type { Json } from '../../hardening/json';
import type { Settings } from '../../model/config';
import type { PageProject } from '../../model/project';
import type { DeferredParts, World } from '../../visit/world';
import { type ReplayDeps, replayedBy } from '../doors/door';
import { worldDoors } from '../doors/worldDoors';
import type { PageEngineModule } from './memoryEngine';

/** The project that a log is of, as the build reads it. */
export interface ReplayProject {
  readonly project: PageProject;
  /** Addons of the page script. */
  readonly addons: readonly AnyAddon[];
  readonly parts: DeferredParts;
  /** The engine, with the query definitions. */
  readonly engine: PageEngineModule;
}

const ignore = (): void => undefined;

/** The world of a log: it answers what the browser has answered, when it has answered it. */
export const replayWorld = (
  { project, addons, parts, engine }: ReplayProject,
  json: Json,
  deps: Omit<ReplayDeps, 'engine' | 'world'>,
): World => {
  const world: World = {
    ...fakePlatform(),
    project,
    addons,
    deferredParts$: of(parts),
    consent$: NEVER,
    keepRefusal: ignore,
    // The log has each setting that the page has read.
    setting: (() => undefined) as unknown as Settings,
    json,
    calls: publicCalls(),
    report: ignore,
  };
  return replayedBy<World>(worldDoors, world, { ...deps, engine, world });
};
