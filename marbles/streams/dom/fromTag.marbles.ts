import { NEVER, timer } from 'rxjs';

import { appearances } from '../../../src/operators/creators/appearances';
import { tagFinder } from '../../../src/streams/dom/fromTag';
import { marble } from '../../support/marbles';

const tag = { cmd: { push: (command: () => void) => command() } };
const finder = (global: (name: string) => unknown) =>
  tagFinder({ appears: appearances(() => NEVER), page: { global } });
const tooEarly = (): never => {
  throw new Error('said too early');
};

describe('tagFinder', () => {
  marble('finds the first of the names that has a queue', ({ expectObservable }) => {
    const find = finder((name) => ({ first: {}, second: tag, third: { cmd: [] } })[name]);
    expectObservable(find(() => ['first', 'second', 'third'], 'cmd', 2000, tooEarly)).toBe('(t|)', { t: tag });
  });

  marble('asks for the names anew at each look', ({ expectObservable }) => {
    const names: string[] = [];
    timer(60).subscribe(() => names.push('tag'));
    const find = finder((name) => (name === 'tag' ? tag : undefined));
    expectObservable(find(() => names, 'cmd', 2000, tooEarly)).toBe('100ms (t|)', { t: tag });
  });

  marble('says once what is missing, and uses what comes later', ({ expectObservable, flush }) => {
    let isThere = false;
    timer(1500).subscribe(() => (isThere = true));
    const missing = jest.fn();
    expectObservable(finder(() => (isThere ? tag : undefined))(() => ['tag'], 'cmd', 1000, missing)).toBe('2s (t|)', {
      t: tag,
    });
    flush();
    expect(missing.mock.calls).toEqual([[new Error('Nothing within 1000 ms')]]);
  });

  marble('gives all who look for a tag the same error, which is reported once', ({ expectObservable, flush }) => {
    const find = finder(() => undefined);
    const causes = new Set<Error>();
    for (const name of ['tag', 'tag', 'other'])
      expectObservable(
        find(
          () => [name],
          'cmd',
          1000,
          (cause) => causes.add(cause),
        ),
      ).toBe('');
    flush();
    expect(causes.size).toBe(2);
  });
});
