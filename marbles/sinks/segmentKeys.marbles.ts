import type { Cohorts } from '../../src/model/cohorts';
import { json } from '../../src/model/plainJson';
import { segmentKeys } from '../../src/sinks/segmentKeys';
import { memoryStorage } from '../../test/support/memoryStorage';
import { marble } from '../support/marbles';

const cohortsOf = (isRealtime: boolean, ...members: string[]): Cohorts => ({ members, activations: {}, isRealtime });
/** l: the last page's; o: this page's own; n: none any more. */
const states = { l: cohortsOf(false, '1'), o: cohortsOf(true, '20101', '10000017', 'abc'), n: cohortsOf(true) };

describe('segmentKeys', () => {
  marble('keeps the numbers of this page’s own cohorts', ({ hot, expectObservable, flush }) => {
    const local = memoryStorage();
    expectObservable(segmentKeys(hot('lo', states), { local, json })).toBe('-');
    flush();
    expect(local.all()).toEqual({ _psegs: '[20101,10000017]' });
  });

  marble('leaves alone what the last page stored', ({ hot, expectObservable, flush }) => {
    const local = memoryStorage({ _psegs: '[2]' });
    expectObservable(segmentKeys(hot('l', states), { local, json })).toBe('-');
    flush();
    expect(local.all()).toEqual({ _psegs: '[2]' });
  });

  marble('follows each change, to none as well', ({ cold, expectObservable, flush }) => {
    const local = memoryStorage();
    expectObservable(segmentKeys(cold('o-n|', states), { local, json })).toBe('---|');
    flush();
    expect(local.all()).toEqual({ _psegs: '[]' });
  });
});
