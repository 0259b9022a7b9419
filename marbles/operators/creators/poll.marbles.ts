import { defer } from 'rxjs';

import { poll, PollError } from '../../../src/operators/creators/poll';
import { marble } from '../../support/marbles';

/** Has something at the attempt of that number. */
const thereAt = (attempt: number): jest.Mock<string | undefined> => {
  let attempts = 0;
  return jest.fn(() => ((attempts += 1) < attempt ? undefined : 'v'));
};
const never = (): undefined => undefined;

describe('poll', () => {
  marble('asks at once, then at intervals, until there is something', ({ expectObservable }) => {
    expectObservable(poll(thereAt(1), { everyMs: 2, times: 3 })).toBe('(v|)');
    expectObservable(poll(thereAt(2), { everyMs: 2, times: 3 })).toBe('--(v|)');
    expectObservable(poll(thereAt(3), { everyMs: 2, times: 3 })).toBe('----(v|)');
  });

  marble('gives up after the last attempt', ({ expectObservable, flush }) => {
    const read = jest.fn(never);
    expectObservable(poll(read, { everyMs: 2, times: 3 })).toBe(
      '----#',
      undefined,
      new PollError('Nothing after 3 attempts'),
    );
    flush();
    expect(read).toHaveBeenCalledTimes(3);
  });

  marble('asks once where once is all', ({ expectObservable }) => {
    expectObservable(poll(thereAt(1), { everyMs: 2, times: 1 })).toBe('(v|)');
    expectObservable(poll(thereAt(2), { everyMs: 2, times: 1 })).toBe(
      '#',
      undefined,
      new PollError('Nothing after 1 attempts'),
    );
  });

  marble('takes anything but undefined for an answer', ({ expectObservable }) => {
    expectObservable(poll(() => null)).toBe('(v|)', { v: null });
    expectObservable(poll(() => 0)).toBe('(v|)', { v: 0 });
    expectObservable(poll(() => '')).toBe('(v|)', { v: '' });
  });

  marble('asks nothing before it is subscribed, and anew for each subscriber', ({ expectObservable, flush }) => {
    const read = jest.fn(() => 'v');
    const answer$ = poll(read);
    expect(read).not.toHaveBeenCalled();
    expectObservable(answer$).toBe('      (v|)');
    expectObservable(answer$, '--^').toBe('--(v|)');
    flush();
    expect(read).toHaveBeenCalledTimes(2);
  });

  marble('stops asking when unsubscribed', ({ expectObservable, flush }) => {
    const read = jest.fn(never);
    const unsub = '        ^----!';
    const expected = '     ------';
    expectObservable(poll(read, { everyMs: 2, times: 9 }), unsub).toBe(expected);
    flush();
    expect(read).toHaveBeenCalledTimes(3);
  });

  marble('asks every 50 ms, 20 times, by default', ({ expectObservable, flush }) => {
    const read = jest.fn(never);
    expectObservable(poll(read)).toBe('950ms #', undefined, new PollError('Nothing after 20 attempts'));
    expectObservable(poll(thereAt(20))).toBe('950ms (v|)');
    flush();
    expect(read).toHaveBeenCalledTimes(20);
  });

  marble('waits for a tag 200 times 10 ms', ({ expectObservable, flush }) => {
    const read = jest.fn(never);
    expectObservable(defer(() => poll(read, { everyMs: 10, times: 200 }))).toBe(
      '1990ms #',
      undefined,
      new PollError('Nothing after 200 attempts'),
    );
    flush();
    expect(read).toHaveBeenCalledTimes(200);
  });
});
