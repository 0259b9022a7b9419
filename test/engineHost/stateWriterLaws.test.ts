import * as fc from 'fast-check';
import { lastValueFrom } from 'rxjs';

import type { PageEngine } from '../../src/engine/engineInterface';
import type { QueriesChunk } from '../../src/engine/state/chunk';
import { noChunk, stateKey } from '../../src/engineHost/queriesChunk';
import { maxPages } from '../../src/engineHost/savedPoints';
import { type StateWriter, stateWriter } from '../../src/engineHost/stateWriter';
import { definitions, event, start } from '../engine/support/run';
import { done } from '../support/database';
import { noon } from '../support/events';
import { hostDepsOf, newEngine } from '../support/hostDeps';
import { keyValueStore } from '../support/keyValueStore';

/** One tab with the user that it began with, and a clock that no two tabs share. */
interface Tab {
  readonly user: string;
  readonly writer: StateWriter;
  readonly engine: PageEngine;
}

/** A tab begins as the user of this moment, the user changes, a tab saves, or everything is erased by a reset. */
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('open' as const) }),
    fc.record({ do: fc.constant('change' as const) }),
    { weight: 4, arbitrary: fc.record({ do: fc.constant('save' as const), tab: fc.nat(5) }) },
    fc.record({ do: fc.constant('erase' as const) }),
  ),
  { minLength: 8, maxLength: 30 },
);

describe('The stored state, whatever the order in which tabs begin, save, and change their user', () => {
  it('is the newest user’s once a tab of theirs has saved, and what it saves is what is stored', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const store = keyValueStore();
        let [user, clock] = [1, noon];
        const tabs: Tab[] = [];
        // The newest user of whom something is stored.
        let newest = 0;
        for (const step of sequence) {
          if (step.do === 'change') user += 1;
          if (step.do === 'open') {
            const at = (clock += 1);
            const writer = stateWriter(
              { userId: String(user), page: `page ${at}` },
              {
                ...hostDepsOf([]),
                store,
                now: () => at,
                onTiming: () => undefined,
              },
            );
            writer.restore(noChunk);
            tabs.push({ user: String(user), writer, engine: newEngine(`source ${at}`) });
          }
          if (step.do === 'erase') {
            await done(store.write(stateKey, '{}'));
            newest = 0;
          }
          const tab = step.do === 'save' ? tabs[step.tab % Math.max(1, tabs.length)] : undefined;
          if (tab !== undefined) {
            await done(tab.writer.write(tab.engine));
            newest = Math.max(newest, Number(tab.user));
          }
          const stored = JSON.parse((await done(store.read(stateKey))) ?? '{}') as { group_id?: string };
          expect(Number(stored.group_id ?? 0)).toBe(newest);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('The counts of the tabs of one visitor, whatever the order of their saves', () => {
  const queries = definitions({ event: 'A', is: { gte: 1000 } });

  /** Tabs over one store that count one event each time; answers what the store has at last. */
  const countsOf = async (
    script: readonly (readonly [tab: number, act: 'count' | 'save' | 'fail' | 'reopen' | 'older'])[],
  ): Promise<{ readonly stored: number; readonly counted: number }> => {
    const store = keyValueStore();
    const read = async (): Promise<QueriesChunk | null> =>
      JSON.parse((await done(store.read(stateKey))) ?? 'null') as QueriesChunk | null;
    const open = async (): Promise<Omit<Tab, 'user'>> => {
      const deps = { ...hostDepsOf([]), store, onTiming: () => undefined };
      const writer = stateWriter({ userId: '1', page: `page ${(pages += 1)}` }, deps);
      return { writer, engine: start(queries, { state: await read() }) };
    };
    let [pages, counted] = [0, 0];
    const tabs = new Map<number, Omit<Tab, 'user'>>();
    // All begin before the first of them writes.
    for (const [i] of script) if (!tabs.has(i)) tabs.set(i, await open());
    for (const [i, act] of script) {
      const { writer, engine } = tabs.get(i)!;
      if (act === 'count') {
        counted += 1;
        engine.process([event('A', noon)], noon);
        continue;
      }
      store.refuse = () => (act === 'fail' ? new Error('refused') : undefined);
      await lastValueFrom(writer.write(engine), { defaultValue: null });
      if (act === 'reopen') tabs.set(i, await open());
      // An earlier version writes the same chunk without this note.
      if (act === 'older') await done(store.write(stateKey, JSON.stringify({ ...(await read()), writes: undefined })));
    }
    store.refuse = () => undefined;
    for (const { writer, engine } of tabs.values()) await lastValueFrom(writer.write(engine), { defaultValue: null });
    const cells = Object.values((await read())?.internal_query_states ?? {}) as unknown as [string, [number]][];
    return { stored: cells[0]?.[1][0] ?? 0, counted };
  };

  const scripts = (tabs: number, ...acts: ('count' | 'save' | 'fail' | 'reopen' | 'older')[]) =>
    fc.array(fc.tuple(fc.nat(tabs - 1), fc.constantFrom('count', 'count', 'save', ...acts)), { maxLength: 40 });

  it('are all stored once, where writes fail and another tab writes the same revision', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(4, 'fail'), async (script) => {
        const { stored, counted } = await countsOf(script);
        expect(stored).toBe(counted);
      }),
      { numRuns: 300 },
    );
  });

  it('are all stored once among more tabs than are noted, and beside tabs of an earlier version', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(maxPages + 4, 'reopen', 'older'), async (script) => {
        const { stored, counted } = await countsOf(script);
        expect(stored).toBe(counted);
      }),
      { numRuns: 300 },
    );
  });
});
