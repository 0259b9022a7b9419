import { asyncScheduler, defer, map, type Observable, of, timer } from 'rxjs';

import type { Definition } from '../../src/engine/language/language';
import { engineHost } from '../../src/engineHost/engineHost';
import type { LoadParts } from '../../src/engineHost/loadParts';
import { partsAtHand } from '../../src/engineHost/partsAtHand';
import type { EngineCommand } from '../../src/model/engineCommands';
import { drawing } from '../../test/support/drawing';
import { noon } from '../../test/support/events';
import { hostDepsOf, storedState } from '../../test/support/hostDeps';
import { keyValueStore } from '../../test/support/keyValueStore';

export const queries: readonly Definition[] = [
  { id: '1', q: { event: 'Pageview', is: { gte: 2 } } },
  { id: '2', q: { and: [{ event: 'Pageview' }, { thirdParty: { provider: 'acme', in: ['7', '8'] } }] } },
  { id: '3', q: { lookup: 'geo', where: { p: 'country', in: ['FR'] } } },
];
export const chunkKey = 'permutive-data-queries';

export interface World {
  readonly stored?: Readonly<Record<string, unknown>>;
  readonly answers?: Readonly<Record<string, (input: unknown) => unknown>>;
  readonly lift?: readonly string[];
  /** Draws a number below 1; never so low by default that a session is drawn for validation. */
  readonly random?: () => number;
  readonly definitions?: readonly Definition[];
  readonly now?: () => number;
  readonly yieldThread?: () => Observable<unknown>;
  /** Parts that come otherwise than at once. */
  readonly load?: Partial<LoadParts>;
}

/**
 * A host with its services, which are there at once, as they are on the page; a server that answers after 3 ms, or
 * never.
 */
export const world = ({
  stored = { [chunkKey]: storedState(queries) },
  answers = {},
  lift,
  random,
  definitions = queries,
  now = () => noon + asyncScheduler.now(),
  yieldThread = () => of(undefined),
  load = {},
}: World = {}) => {
  const store = keyValueStore(stored);
  const draw = drawing(1);
  const asked: string[] = [];
  const reports: string[] = [];
  const deps = hostDepsOf(definitions, {
    store: () => store,
    now,
    yieldThread,
    random: random ?? (() => draw() * 0.9 + 0.1),
    report: (message) => reports.push(message),
    ask: (what, input) =>
      defer(() => {
        asked.push(`${asyncScheduler.now()} ${what}`);
        const answer = answers[what];
        return timer(answer === undefined ? Infinity : 3).pipe(map(() => answer?.(input)));
      }),
    load: { ...partsAtHand, ...load },
  });
  const bundle = { ...deps.bundle, ...(lift !== undefined && { lift: { events: lift } }) };
  return {
    run: (message$: Observable<EngineCommand>) => engineHost(message$, { ...deps, bundle }),
    asked,
    reports,
    chunk: () => JSON.parse(store.texts.get(chunkKey)!) as Readonly<Record<string, unknown>>,
  };
};
