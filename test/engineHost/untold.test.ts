import * as fc from 'fast-check';

import { readUntold, type StoredUntold, untoldTransitions } from '../../src/engineHost/untold';
import type { Transition } from '../../src/model/engineCommands';
import { noon, transitionEvents } from '../support/events';
import { law } from '../support/laws';

const transition = (id: string, entry: boolean): Transition => ({ id, entry, time: noon });
const eventOf = (id: string, entry: boolean) => transitionEvents([transition(id, entry)], 'page')[0]!;
const textsOf = (transitions: readonly Transition[]): readonly string[] =>
  transitions.map(({ id, entry }) => (entry ? `+${id}` : `-${id}`)).sort();

describe('What is untold', () => {
  it('is stored by page, and what has another form is left out as it is read', () => {
    const untold = untoldTransitions('page');
    untold.add([transition('1', true), transition('2', false), transition('3', true)]);
    expect(untold.stored({})).toEqual({ page: [['1', '3'], ['2']] });
    const stored = { page: [['1'], []], a: 1, b: [['1']], c: [[1], []], d: [['1'], [], []], e: null };
    expect(readUntold(stored)).toEqual({ page: [['1'], []] });
    for (const other of [undefined, null, 1, 'text', []]) expect(readUntold(other)).toEqual({});
  });

  it('is taken over of pages that have ended, and of an earlier visit; the others keep theirs', () => {
    const stored: StoredUntold = { page: [['1'], []], ended: [['2'], ['3']], alive: [['4'], []] };
    const untold = untoldTransitions('page');
    untold.takeOver(stored, new Set(['ended']), noon);
    expect(textsOf(untold.list((id) => id !== '3'))).toEqual(['+1', '+2', '-3']);
    expect(untold.stored(stored)).toEqual({ alive: [['4'], []], page: [['1', '2'], ['3']] });
    for (const [id, entry] of [
      ['1', true],
      ['2', true],
      ['3', false],
    ] as const)
      expect(untold.tell(eventOf(id, entry), () => entry)).toBe(true);
    expect(untold.stored(stored)).toEqual({ alive: [['4'], []] });
  });

  it('is nothing of cohorts that no query defines, and of what is not so any more', () => {
    const untold = untoldTransitions('page');
    untold.takeOver({ page: [['1', '2', '3'], ['4']] }, new Set(), noon);
    const members: Readonly<Record<string, boolean>> = { 1: true, 2: false, 4: true };
    expect(textsOf(untold.list((id) => members[id]))).toEqual(['+1']);
    expect(untold.tell(eventOf('5', true), () => undefined)).toBe(false);
  });

  it(
    'is what the membership differs in from what was told, however late events come',
    law(
      fc.array(fc.record({ id: fc.nat(2), do: fc.constantFrom('change', 'change', 'tell') }), { maxLength: 40 }),
      (steps) => {
        const untold = untoldTransitions('page');
        const [members, told] = [new Set<string>(), new Set<string>()];
        // As the page publishes: at once or later, in their order.
        const published: Transition[] = [];
        const put = (ids: Set<string>, { id, entry }: Transition): unknown => (entry ? ids.add(id) : ids.delete(id));
        const isMember = (id: string): boolean => members.has(id);
        for (const step of steps) {
          if (step.do === 'change') {
            const change = transition(String(step.id), !members.has(String(step.id)));
            put(members, change);
            untold.add([change]);
            published.push(change);
          } else {
            const next = published.shift();
            if (next === undefined) continue;
            put(told, next);
            untold.tell(eventOf(next.id, next.entry), isMember);
          }
          const expected = ['0', '1', '2'].flatMap((id) =>
            members.has(id) === told.has(id) ? [] : [members.has(id) ? `+${id}` : `-${id}`],
          );
          expect(textsOf(untold.list(isMember))).toEqual(expected.sort());
        }
      },
    ),
  );
});
