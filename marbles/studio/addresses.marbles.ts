import { addressedInTime } from '../../studio/page/state/addresses';
import { marble } from '../support/marbles';

describe('The address of what is tried', () => {
  marble('changes once in 150 ms at most, and ends at the last one', ({ hot, expectObservable }) => {
    const addresses$ = addressedInTime(hot('a 49ms b 49ms c 49ms d 300ms d e'));
    expectObservable(addresses$).toBe('      a 149ms              d 300ms - e');
  });
});
