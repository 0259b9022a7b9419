import * as fc from 'fast-check';

const numRuns = Number(process.env['FC_RUNS'] ?? 1000);

/** Runs a law on as many random cases as FC_RUNS says. */
export const holdsFor = <Values extends unknown[]>(...args: [...{ [I in keyof Values]: fc.Arbitrary<Values[I]> }, (...values: Values) => void]): (() => void) => {
  const law = args[args.length - 1] as (...values: Values) => void;
  const arbitraries = args.slice(0, -1) as { [I in keyof Values]: fc.Arbitrary<Values[I]> };
  return () => fc.assert(fc.property(...arbitraries, (...values) => law(...(values as Values))), { numRuns });
};
