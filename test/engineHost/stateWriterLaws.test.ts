import * as fc from 'fast-check';

import type { PageEngine } from '../../src/engine/engineInterface';
import { noChunk, stateKey } from '../../src/engineHost/queriesChunk';
import { type StateWriter, stateWriter } from '../../src/engineHost/stateWriter';
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
