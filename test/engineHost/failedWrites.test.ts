import { lastValueFrom } from 'rxjs';

import type { QueriesChunk } from '../../src/engine/state/chunk';
import { noChunk, stateKey } from '../../src/engineHost/queriesChunk';
import { maxPages } from '../../src/engineHost/savedPoints';
import { stateWriter } from '../../src/engineHost/stateWriter';
import { definitions, event, start } from '../engine/support/run';
import { done } from '../support/database';
import { noon } from '../support/events';
import { hostDepsOf } from '../support/hostDeps';
import { keyValueStore } from '../support/keyValueStore';

describe('A write that fails', () => {
  /** A tab counts an event and fails to store it; so many others count one each and store it; then the tab stores. */
  const storedAfter = async (others: number): Promise<number> => {
    const store = keyValueStore();
    const read = async (): Promise<QueriesChunk | null> =>
      JSON.parse((await done(store.read(stateKey))) ?? 'null') as QueriesChunk | null;
    const queries = definitions({ event: 'A', is: { gte: 1000 } });
    const open = (page: string) => {
      const deps = { ...hostDepsOf([]), store, onTiming: () => undefined };
      const writer = stateWriter({ userId: '1', page }, deps);
      writer.restore(noChunk);
      return { writer, engine: start(queries, { state: null }) };
    };
    const tabs = Array.from({ length: others + 1 }, (_, i) => open(`page ${i}`));
    for (const [i, { writer, engine }] of tabs.entries()) {
      engine.process([event('A', noon)], noon);
      store.refuse = () => (i === 0 ? new Error('refused') : undefined);
      await lastValueFrom(writer.write(engine), { defaultValue: null });
    }
    store.refuse = () => undefined;
    const [first] = tabs;
    await lastValueFrom(first!.writer.write(first!.engine), { defaultValue: null });
    const cells = Object.values((await read())?.internal_query_states ?? {}) as unknown as [string, [number]][];
    return cells[0]?.[1][0] ?? 0;
  };

  it.each([0, 1, maxPages, maxPages + 1, 3 * maxPages])(
    'loses no count where %i other pages write before the next one',
    async (others) => {
      expect(await storedAfter(others)).toBe(others + 1);
    },
  );
});
