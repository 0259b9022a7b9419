import * as fc from 'fast-check';

const numRuns = Number(process.env['FC_RUNS'] ?? 300);

/** Runs a law on as many random cases as FC_RUNS says. */
export const law =
  <A>(arbitrary: fc.Arbitrary<A>, holds: (value: A) => void): (() => void) =>
  () =>
    fc.assert(fc.property(arbitrary, holds), { numRuns });
