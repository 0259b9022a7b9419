import { type RunHelpers, TestScheduler } from 'rxjs/testing';

/** Runs one marble test in virtual time: one frame is one millisecond, and nothing really waits. */
export function marbles(test: (helpers: RunHelpers) => void): () => void {
  return () => {
    new TestScheduler((actual, expected) => {
      expect(actual).toStrictEqual(expected);
    }).run(test);
  };
}
