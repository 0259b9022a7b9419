import { mergeMap, type Observable } from 'rxjs';

import { type Effect, tell } from './effects';
import type { Metrics } from './engineMetrics';
import { lookalikeModels } from './lookalikeModels';
import type { LoadedEngine } from './servedEngine';

/** Gives the engine the project's lookalike models, and tells the page where they have changed. */
export const runModels = (
  { start: { workspaceId }, loaded: { engine, effectsOf }, deps }: LoadedEngine,
  metrics: Metrics,
): Observable<Effect> =>
  lookalikeModels(workspaceId, { ...deps, metrics }).pipe(
    mergeMap(({ models, areOthers }) => [
      ...effectsOf(engine.updateData({ lookalike: models })),
      ...(areOthers ? [tell({ type: 'models' })] : []),
    ]),
  );
