import fc from 'fast-check';

import { membersAfter } from '../../../project/visits/visits';
import { dayMs } from '../../../src/primitives/duration';
import { playerOf } from '../../../studio/server/sizing/player';
import { eventsOf, visitorsOf } from '../../../studio/server/visits/eventTable';
import { VisitStore } from '../../../studio/server/visits/visitStore';
import { history, queries } from '../../engine/support/language';
import { casesOf, lawOf } from '../../support/laws';

const start = 1_700_000_000_000;

/** The table of the events of some visitors, in whatever order these were uploaded. */
const tableOf = (
  visitors: readonly Parameters<VisitStore['add']>[0]['visitor'][],
  events: readonly (readonly object[])[],
) => {
  const store = new VisitStore();
  for (const [i, visitor] of visitors.entries())
    for (const event of events[i]! as readonly { readonly name: string; readonly time: number }[])
      store.add({ visitor, name: event.name, time: event.time, text: Buffer.from(JSON.stringify(event)) });
  return store.table();
};

describe('an engine that plays one visitor after another', () => {
  it('finds what an engine of each visitor finds', () => {
    let members = 0;
    lawOf(150)(queries(), fc.array(history(12), { minLength: 1, maxLength: 5 }), (definitions, histories) => {
      const ids = histories.map((_, i) => `v${i}`);
      const table = tableOf(ids, histories);
      const bundle = { v: 1 as const, id: 'b', seed: 0, queries: definitions };
      const player = playerOf(bundle);
      for (let visitor = 0; visitor < visitorsOf(table); visitor++) {
        player.play(table, visitor);
        const found = definitions.filter(({ id }) => player.isMember(id)).map(({ id }) => id);
        members += found.length;
        expect(found).toEqual(membersAfter(eventsOf(table, visitor), bundle, table.to));
      }
    })();
    expect(members).toBeGreaterThan(casesOf(150) / 2);
  });

  it(
    'finds the same where it looks at each day, and each day on which a visitor was seen in the cohort',
    lawOf(40)(
      queries({ transitions: false, lookups: false }),
      fc.array(history(12), { minLength: 1, maxLength: 4 }),
      (definitions, histories) => {
        // Events of some ms become events of some days.
        const slow = histories.map((events) =>
          events.map((event) => ({ ...event, time: Math.floor((event.time - start) * 20_000_000) + start })),
        );
        const bundle = { v: 1 as const, id: 'b', seed: 0, queries: definitions };
        const table = tableOf(
          slow.map((_, i) => `v${i}`),
          slow,
        );
        const player = playerOf(bundle);
        for (let visitor = 0; visitor < visitorsOf(table); visitor++) {
          const events = eventsOf(table, visitor);
          const expected = membersAfter(events, bundle, table.to);
          for (const { id } of definitions) {
            const days = new Set<number>();
            player.play(table, visitor, { id, onMember: (day) => days.add(day) });
            expect(player.isMember(id)).toBe(expected.includes(id));
            for (const [i, { time }] of events.entries())
              if (membersAfter(events.slice(0, i + 1), bundle).includes(id) && events[i + 1]?.time !== time)
                expect(days).toContain(Math.floor(time / dayMs));
            if (player.isMember(id)) expect(days).toContain(Math.floor(table.to / dayMs));
          }
        }
      },
    ),
  );
});
