import fc from 'fast-check';

import { membersAfter } from '../../../project/visits/visits';
import { playerOf } from '../../../studio/server/sizing/player';
import { eventsOf, visitorsOf } from '../../../studio/server/visits/eventTable';
import { VisitStore } from '../../../studio/server/visits/visitStore';
import { history, queries } from '../../engine/support/language';

/** The table of the events of some visitors, in whatever order these were uploaded. */
export const tableOf = (
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
    fc.assert(
      fc.property(queries(), fc.array(history(12), { minLength: 1, maxLength: 5 }), (definitions, histories) => {
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
      }),
      { numRuns: 300 },
    );
    expect(members).toBeGreaterThan(100);
  });
});
