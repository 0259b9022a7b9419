import { defer } from 'rxjs';
import { poll, PollError } from '../../src/operators/poll';
import { marbles } from '../support/marbles';

/** Has something at the attempt of that number. */
const thereAt = (attempt: number): jest.Mock<string | undefined> => {
  let attempts = 0;
  return jest.fn(() => ((attempts += 1) < attempt ? undefined : 'v'));
};
const never = (): undefined => undefined;

describe('poll', () => {
  it('asks at once, then at intervals, until there is something', marbles(({ expectObservable }) => {
    expectObservable(poll(thereAt(1), { everyMs: 2, times: 3 })).toBe('(v|)');
    expectObservable(poll(thereAt(2), { everyMs: 2, times: 3 })).toBe('--(v|)');
    expectObservable(poll(thereAt(3), { everyMs: 2, times: 3 })).toBe('----(v|)');
  }));

  it('gives up after the last attempt', marbles(({ expectObservable, flush }) => {
    const read = jest.fn(never);
    expectObservable(poll(read, { everyMs: 2, times: 3 })).toBe('----#', undefined, new PollError('Nothing after 3 attempts'));
    flush();
    expect(read).toHaveBeenCalledTimes(3);
  }));

  it('asks once where once is all', marbles(({ expectObservable }) => {
    expectObservable(poll(thereAt(1), { everyMs: 2, times: 1 })).toBe('(v|)');
    expectObservable(poll(thereAt(2), { everyMs: 2, times: 1 })).toBe('#', undefined, new PollError('Nothing after 1 attempts'));
  }));

  it('takes anything but undefined for an answer', marbles(({ expectObservable }) => {
    expectObservable(poll(() => null)).toBe('(v|)', { v: null });
    expectObservable(poll(() => 0)).toBe('(v|)', { v: 0 });
    expectObservable(poll(() => '')).toBe('(v|)', { v: '' });
  }));

  it('asks nothing before it is subscribed, and anew for each subscriber', marbles(({ expectObservable, flush }) => {
    const read = jest.fn(() => 'v');
    const answer$ = poll(read);
    expect(read).not.toHaveBeenCalled();
    expectObservable(answer$).toBe('      (v|)');
    expectObservable(answer$, '--^').toBe('--(v|)');
    flush();
    expect(read).toHaveBeenCalledTimes(2);
  }));

  it('stops asking when unsubscribed', marbles(({ expectObservable, flush }) => {
    const read = jest.fn(never);
    const unsub = '        ^----!';
    const expected = '     ------';
    expectObservable(poll(read, { everyMs: 2, times: 9 }), unsub).toBe(expected);
    flush();
    expect(read).toHaveBeenCalledTimes(3);
  }));

  it('asks every 50 ms, 20 times, by default', marbles(({ expectObservable, flush }) => {
    const read = jest.fn(never);
    expectObservable(poll(read)).toBe('950ms #', undefined, new PollError('Nothing after 20 attempts'));
    expectObservable(poll(thereAt(20))).toBe('950ms (v|)');
    flush();
    expect(read).toHaveBeenCalledTimes(20);
  }));

  it('waits for a tag 200 times 10 ms', marbles(({ expectObservable, flush }) => {
    const read = jest.fn(never);
    expectObservable(defer(() => poll(read, { everyMs: 10, times: 200 }))).toBe('1990ms #', undefined, new PollError('Nothing after 200 attempts'));
    flush();
    expect(read).toHaveBeenCalledTimes(200);
  }));
});
