import type { World } from '../visit/world';
import { type WatchDeps, watchedBy } from './doors/door';
import { worldDoors } from './doors/worldDoors';

/** The same world, with everything noted that goes through its doors. */
export const watchedWorld = (world: World, deps: Omit<WatchDeps, 'world'>): World =>
  watchedBy<World>(worldDoors, world, { ...deps, world });
