import { startWatch } from '../../src/platform/startWatch';

const ms = 10_000;

describe('startWatch', () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  const said = (): unknown[] => warn.mock.calls.flat();

  beforeEach(() => {
    jest.useFakeTimers();
    warn.mockClear();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('says once what the start waits for, after 10 s', () => {
    startWatch('Loading chunk main');
    jest.advanceTimersByTime(ms - 1);
    expect(said()).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(said()).toEqual(['[permutive] Loading chunk main takes longer than 10 s']);
    jest.advanceTimersByTime(10 * ms);
    expect(said()).toHaveLength(1);
  });

  test('says the latest thing, and nothing where the start waits for nothing', () => {
    const waitFor = startWatch('first');
    const end = startWatch('other');
    waitFor('second');
    end(undefined);
    jest.advanceTimersByTime(ms);
    expect(said()).toEqual(['[permutive] second takes longer than 10 s']);
  });

  test('says nothing of what comes later', () => {
    const waitFor = startWatch('first');
    waitFor(undefined);
    jest.advanceTimersByTime(ms);
    waitFor('second');
    jest.advanceTimersByTime(10 * ms);
    expect(said()).toEqual([]);
  });
});
