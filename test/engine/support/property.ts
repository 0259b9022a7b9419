import * as fc from 'fast-check';

// Each run draws other cases, so many runs of few find what one run of many does. For a long look: FC_RUNS=10000.
const { FC_RUNS: runs = '300', FC_SEED: seed } = process.env;
const parameters = { numRuns: Number(runs), ...(seed === undefined ? {} : { seed: Number(seed) }) };

type Arbitraries<Values extends [unknown, ...unknown[]]> = { [I in keyof Values]: fc.Arbitrary<Values[I]> };

/** Runs a law, the last argument, on as many random cases as FC_RUNS says. */
export const holdsFor =
  <Values extends [unknown, ...unknown[]]>(
    ...args: [...arbitraries: Arbitraries<Values>, law: (...values: Values) => void]
  ): (() => void) =>
  () => {
    const law = args.at(-1) as (...values: Values) => void;
    const cases = fc.tuple(...(args.slice(0, -1) as Arbitraries<Values>)) as unknown as fc.Arbitrary<Values>;
    fc.assert(
      fc.property(cases, (values) => law(...values)),
      parameters,
    );
  };
