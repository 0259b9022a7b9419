import * as fc from 'fast-check';
import { defer, map, mergeMap, of, throwError, toArray } from 'rxjs';

import type { PageEngine } from '../../src/engine/engineInterface';
import { canon } from '../../src/engine/language/canonical';
import { checksumOf } from '../../src/engine/language/checksums';
import type { Definition } from '../../src/engine/language/language';
import { lifting } from '../../src/engine/state/lift';
import { engineEvent } from '../../src/engineHost/cachedEvent';
import { noChunk, stateKey } from '../../src/engineHost/queriesChunk';
import { type StateWriter, stateWriter } from '../../src/engineHost/stateWriter';
import { untoldTransitions } from '../../src/engineHost/untold';
import type { EventStore } from '../../src/platform/platform';
import { done } from '../support/database';
import { eventOf, noon } from '../support/events';
import { hostDepsOf, newEngine } from '../support/hostDeps';
import { keyValueStore } from '../support/keyValueStore';
import { asyncLawOf } from '../support/laws';

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
  it(
    'is the newest user’s once a tab of theirs has saved, and what it saves is what is stored',
    asyncLawOf(300)(steps, async (sequence) => {
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
              isHolding: () => false,
              untold: untoldTransitions('page'),
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
  );
});

describe('What the server has counted, whatever the order in which tabs append it, count events and save', () => {
  const times = { is: { gte: 100 } };
  const queries: readonly Definition[] = [
    { id: '1', q: { event: 'Pageview', remote: true, ...times } },
    { id: '2', q: { event: 'Pageview', ...times } },
  ];
  const checksum = checksumOf(canon(queries[0] as Definition));
  const acts = fc.array(
    fc.record({
      tab: fc.nat(2),
      do: fc.constantFrom('lift', 'event', 'save', 'save', 'save'),
      /** Whether the store fails: before the write has taken place, or after it. */
      fails: fc.constantFrom('never', 'never', 'before', 'after'),
      /** Another tab that writes between the read and the write of a save. */
      between: fc.option(fc.nat(2)),
    }),
    { minLength: 3, maxLength: 25 },
  );

  it(
    'is neither lost nor doubled',
    asyncLawOf(1000)(acts, async (sequence) => {
      const memory = keyValueStore();
      let fails = 'never';
      let between: Tab | undefined;
      const store: EventStore = {
        ...memory,
        swap: (key, version, text) =>
          defer(() => {
            const other = between;
            between = undefined;
            return other === undefined ? of(undefined) : other.writer.write(other.engine);
          }).pipe(
            toArray(),
            mergeMap(() => {
              const failure = fails;
              fails = 'never';
              if (failure === 'before') return throwError(() => new Error('failed'));
              return memory.swap(key, version, text).pipe(
                map((isWritten) => {
                  if (failure === 'after') throw new Error('failed');
                  return isWritten;
                }),
              );
            }),
          ),
      };
      const tabs = [0, 1, 2].map((tab): Tab => {
        const deps = {
          ...hostDepsOf(queries),
          store,
          onTiming: () => undefined,
          isHolding: () => false,
          untold: untoldTransitions('page'),
        };
        const writer = stateWriter({ userId: 'user', page: `page ${tab}` }, deps);
        const engine = newEngine(`source ${tab}`, queries);
        engine.bootstrap();
        engine.replay([]);
        writer.restore(noChunk);
        return { user: 'user', writer, engine };
      });
      const happened = { lift: 0, event: 0 };
      const numbers = [0, 0, 0];
      for (const { tab, do: what, ...weather } of sequence) {
        const { writer, engine } = tabs[tab] as Tab;
        if (what === 'lift') {
          happened.lift += 1;
          Array.from(lifting(engine).appendLiftedSteps({ 1: [checksum, [1]] }, []));
          writer.markChanged();
        } else if (what === 'event') {
          happened.event += 1;
          const number = (numbers[tab] = (numbers[tab] ?? 0) + 1);
          const event = { ...eventOf(`${tab} ${number}`), page: `page ${tab}`, number };
          engine.process([engineEvent(event)], noon);
          writer.markEvaluated(event);
        } else {
          fails = weather.fails;
          between = weather.between === null || weather.between === tab ? undefined : tabs[weather.between];
          await done(writer.write(engine));
          [fails, between] = ['never', undefined];
        }
      }
      for (const { writer, engine } of [...tabs, ...tabs]) await done(writer.write(engine));
      const { internal_query_states: states } = JSON.parse(memory.texts.get(stateKey) ?? '') as {
        internal_query_states: Record<string, [string, [number]]>;
      };
      expect([states['1']?.[1][0] ?? 0, states['2']?.[1][0] ?? 0]).toEqual([happened.lift, happened.event]);
    }),
  );
});
