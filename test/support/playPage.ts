import { asyncScheduler, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

import { runtime } from '../../src/runtime';
import { noon } from './events';
import { type TestWorld, type WorldFacts, worldOf } from './world';

/** What happens on a page at which ms. */
export type PageScript = readonly (readonly [ms: number, act: (world: TestWorld) => void])[];

/** Makes a player of pages: each is played in virtual time from noon on, and stopped at `endMs`. */
export const pagePlayer =
  (endMs: number) =>
  (facts: WorldFacts, ...script: PageScript): TestWorld => {
    const world = worldOf({ now: () => noon + asyncScheduler.now(), ...facts });
    new TestScheduler(() => undefined).run(({ flush }) => {
      const running = runtime(world, []).subscribe({
        error: (error: unknown) => world.report('The runtime failed', error),
      });
      for (const [ms, act] of script) timer(ms).subscribe(() => act(world));
      timer(endMs).subscribe(() => running.unsubscribe());
      flush();
    });
    return world;
  };
