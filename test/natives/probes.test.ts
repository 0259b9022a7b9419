import { brokenNative, probes } from '../../src/natives/probes/probes';
import { brokenPromise, lateProbes } from '../../src/natives/probes/promises';
import { breakages, breakNative } from '../support/brokenNatives';

/** Natives that no test breaks: those that make things, and a clock that is a millisecond fast, which harms nobody. */
const isLeft = (native: string, how: string): boolean =>
  ['Date', 'Promise'].includes(native) || (native === 'Date.now' && how === 'answers something else');

const natives = probes.flat().map(([native]) => native);
const pairs = (names: readonly string[]) =>
  names.flatMap((native) => breakages.flatMap((how) => (isLeft(native, how) ? [] : [[native, how] as const])));

describe('Probes of natives', () => {
  test('find nothing where all work', () => {
    expect(brokenNative()).toBeUndefined();
  });

  test.each(pairs(natives))('notice that %s %s', (native, how) => {
    const restore = breakNative(native, how);
    let found: string | undefined;
    try {
      found = brokenNative();
    } finally {
      restore();
    }
    expect(found).toBeDefined();
    expect(brokenNative()).toBeUndefined();
  });
});

describe('Probes of promises', () => {
  /** What is found, and at which look. `restore`: ends what is broken, because the test runner calls promises too. */
  const found = async (restore: () => void): Promise<string> => {
    let answer: string | undefined;
    let look = (): void => undefined;
    let looks = 0;
    try {
      brokenPromise(
        (step) => (look = step),
        (native) => (answer = native ?? 'none'),
      );
    } finally {
      restore();
    }
    while (answer === undefined) {
      for (let i = 0; i < 20; i += 1) await Promise.resolve();
      looks += 1;
      look();
    }
    return `${answer}, ${looks}`;
  };

  test('find at the first look that all work', async () => {
    expect(await found(() => undefined)).toBe('none, 1');
  });

  test.each(pairs(lateProbes.map(([native]) => native)))('notice that %s %s', async (native, how) => {
    expect(await found(breakNative(native, how))).toMatch(/^Promise\..*, 20$/);
  });
});
