import * as fc from 'fast-check';

import {
  compareMemberships,
  toldMemberships,
  wants,
  withoutChange,
} from '../../../src/addons/activations/toldMemberships';
import type { Activation } from '../../../src/model/activation';
import { law } from '../../support/laws';

const activationOf = (id: string, sc: number, changes: Partial<Activation> = {}): Activation => ({
  id,
  short_id: id,
  sc,
  tt: 'EveryTime',
  ...changes,
});

describe('wants', () => {
  it.each([
    ['OnEntry', [true, false]],
    ['OnExit', [false, true]],
    ['EveryTime', [true, true]],
  ] as const)('%s: entries and exits, %p', (tt, wanted) => {
    const activation = activationOf('A', 7, { tt });
    expect([wants(activation, true), wants(activation, false)]).toEqual(wanted);
  });
});

describe('compareMemberships', () => {
  const ids = fc.uniqueArray(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor')), { maxLength: 6 });
  const activations = ids.chain((list) =>
    fc.tuple(...list.map((id) => fc.integer({ min: 1, max: 4 }).map((sc) => activationOf(id, sc)))),
  );
  const members = fc.subarray(['1', '2', '3', '4']);

  it(
    'tells an activation by turns of entries and exits, beginning with an entry',
    law(fc.tuple(activations, fc.array(members)), ([all, visits]) => {
      const told = new Map<string, boolean>();
      let state = {};
      for (const visit of visits) {
        const { changes, next } = compareMemberships(all, visit, state, {});
        for (const { activation, entered } of changes) {
          expect(entered).toBe(told.get(activation.id) !== true);
          told.set(activation.id, entered);
        }
        state = toldMemberships(JSON.parse(JSON.stringify(next)));
        for (const { id, sc } of all) expect(told.get(id) ?? false).toBe(visit.includes(String(sc)));
      }
    }),
  );

  it(
    'finds nothing where it has just been told',
    law(fc.tuple(activations, members), ([all, visit]) => {
      const { next } = compareMemberships(all, visit, {}, {});
      expect(compareMemberships(all, visit, next, {})).toEqual({ changes: [], next });
    }),
  );

  it(
    'finds again each change that is taken back, and no other',
    law(fc.tuple(activations, members, members), ([all, before, visit]) => {
      const { next: told } = compareMemberships(all, before, {}, {});
      const { changes, next } = compareMemberships(all, visit, told, {});
      for (const change of changes)
        expect(compareMemberships(all, visit, withoutChange(next, change), {}).changes).toEqual([change]);
    }),
  );

  it('compares an activation anew whose cohort the publisher has changed', () => {
    const { changes } = compareMemberships([activationOf('A', 8)], ['7', '8'], { A: '7' }, {});
    expect(changes).toEqual([{ activation: activationOf('A', 8), entered: true }]);
  });

  it('leaves what it does not look at: other activations, and those that do not apply here', () => {
    const elsewhere = activationOf('E', 7, {
      cc: { operator: 'OR', criteria: [{ key: 'domain', comparison: 'EQUALS', value: 'b.example' }] },
    });
    const told = { E: '7', gone: '9' };
    expect(compareMemberships([elsewhere], [], told, { domain: 'a.example' })).toEqual({ changes: [], next: told });
    expect(compareMemberships([elsewhere], [], told, { domain: 'b.example' }).next).toEqual({ gone: '9' });
  });
});
