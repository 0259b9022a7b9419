import { firstValueFrom } from 'rxjs';

import { messageOf } from '../../model/errors';
import type { World } from '../../visit/world';
import type { LogHeader } from '../logEntry';
import { obstacleOf, parseLog } from '../parseLog';
import type { PageEngineModule } from './memoryEngine';
import { differences, outcomes, type ReplayOutcome } from './outcomes';
import { replayLog } from './replayLog';

/** What came of a replay, or why there was none. */
export type TabReplay =
  | {
      readonly type: 'replayed';
      readonly header: LogHeader;
      /** Transitions and uploaded events of the replay. */
      readonly outcomes: readonly ReplayOutcome[];
      /** What the log has and the replay has not, or the other way about, the first of them first. */
      readonly differences: readonly string[];
    }
  | { readonly type: 'refused'; readonly reason: string };

export interface ReplayInTabDeps {
  /** The world of the page, of which only the code and the project are used. */
  readonly world: Pick<World, 'project' | 'experiment' | 'addons' | 'deferredParts$' | 'json' | 'yieldThread'>;
  /** Loads the engine for the page. */
  readonly loadEngine: () => Promise<PageEngineModule>;
}

/**
 * Replays a log with the code of this page: the SDK, its addons and its engine. The log answers for the browser, so
 * that nothing real is read, stored, sent, or called. The replay runs in one task, which takes some seconds for a full
 * log. Never rejects.
 */
export const replayInTab = async (text: string, { world, loadEngine }: ReplayInTabDeps): Promise<TabReplay> => {
  const { project, experiment, addons, json } = world;
  try {
    const { header, lines } = parseLog(text, json);
    const reason = obstacleOf(header, project.workspaceId);
    if (reason !== undefined) return { type: 'refused', reason };
    const [engine, parts] = await Promise.all([loadEngine(), valueOf(world.deferredParts$)]);
    if (parts === undefined) return { type: 'refused', reason: 'A part of the SDK could not be loaded.' };
    // In a task of its own: what the SDK still has to do in this one must not get into virtual time.
    await valueOf(world.yieldThread());
    const replayed = outcomes(replayLog(text, { project, experiment, addons, parts, engine }, json));
    return { type: 'replayed', header, outcomes: replayed, differences: differences(outcomes(lines), replayed) };
  } catch (cause) {
    return { type: 'refused', reason: messageOf(cause) };
  }
};

const valueOf = <A>(source$: Parameters<typeof firstValueFrom<A>>[0]): Promise<A | undefined> =>
  firstValueFrom(source$, { defaultValue: undefined });
