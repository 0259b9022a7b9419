import * as fc from 'fast-check';

/**
 * The share of its cases that a law tries: of LAWS=quick where nothing is said, of LAWS=nightly, or of LAWS=long, for a
 * look after a change of what a law is about.
 */
const shares: Readonly<Record<string, number>> = { quick: 0.1, nightly: 1, long: 30 };
const share = shares[process.env['LAWS'] ?? 'quick'];
if (share === undefined) throw new Error(`LAWS is one of ${Object.keys(shares).join(', ')}`);

/** All cases are drawn from this seed. Quick runs have the same one; `lawSeed.ts` draws that of others. */
export const lawSeed = Number(process.env['LAW_SEED'] ?? 20_400);

/** How many cases are tried where the nightly run tries so many. `quick`: of a law whose cases take long. */
export const casesOf = (nightly: number, quick?: number): number =>
  share === shares['quick'] && quick !== undefined ? quick : Math.ceil(nightly * share);

type Holds<Values extends readonly unknown[], Result> = (...values: Values) => Result;
type Arbitraries<Values extends [unknown, ...unknown[]]> = { [I in keyof Values]: fc.Arbitrary<Values[I]> };
type Law<Values extends [unknown, ...unknown[]], Result> = [
  ...arbitraries: Arbitraries<Values>,
  holds: Holds<Values, Result>,
];
const partsOf = <Values extends [unknown, ...unknown[]], Result>(law: Law<Values, Result>) => ({
  holds: law.at(-1) as Holds<Values, Result>,
  values: fc.tuple(...(law.slice(0, -1) as Arbitraries<Values>)) as unknown as fc.Arbitrary<Values>,
});

/** A function as its file has it: the compiler has written the name of a module before that of an import. */
export const codeOf = (of: Holds<never, unknown>): string =>
  String(of)
    .replace(/\(0, (_\w+\.\w+)\)/g, '$1')
    .replace(/\b_fastcheck\./g, 'fc.')
    .replace(/\b_\w+\.(?=\w)/g, '');

/** What can be pasted where such values break a law of that name. */
type Paste = (name: string, values: readonly unknown[], holds: Holds<never, unknown>) => string;
const asTest: Paste = (name, values, holds) =>
  `it(${name}, () => (${codeOf(holds)})(${values.map((value) => fc.stringify(value)).join(', ')}));`;

export interface LawOptions {
  readonly quick?: number;
  readonly paste?: Paste;
}
const parametersOf = (nightly: number, holds: Holds<never, unknown>, { quick, paste = asTest }: LawOptions) => ({
  numRuns: casesOf(nightly, quick),
  seed: lawSeed,
  reporter: <Values extends readonly unknown[]>(run: fc.RunDetails<[Values]>): void => {
    if (!run.failed) return;
    if (run.counterexample === null) throw new Error(fc.defaultReportMessage(run));
    const name = JSON.stringify(`${expect.getState().currentTestName ?? 'the law'}, as it was broken`);
    throw new Error(
      `The law is broken, after ${run.numRuns} cases of LAW_SEED=${run.seed}. The smallest that breaks it, to be pasted:` +
        `\n\n${paste(name, run.counterexample[0], holds)}\n`,
      { cause: run.errorInstance },
    );
  },
});

/** Makes tests that try a law, the last argument, on random cases: on so many in the nightly run. */
export const lawOf =
  (nightly: number, options: LawOptions = {}) =>
  <Values extends [unknown, ...unknown[]]>(...law: Law<Values, unknown>): (() => void) => {
    const { holds, values } = partsOf(law);
    const property = fc.property(values, (each) => holds(...each) as boolean | undefined);
    return () => fc.assert(property, parametersOf(nightly, holds, options));
  };
export const law = lawOf(300);

export const asyncLawOf =
  (nightly: number, options: LawOptions = {}) =>
  <Values extends [unknown, ...unknown[]]>(...law: Law<Values, Promise<void>>): (() => Promise<void>) => {
    const { holds, values } = partsOf(law);
    const property = fc.asyncProperty(values, (each) => holds(...each));
    return () => fc.assert(property, parametersOf(nightly, holds, options));
  };
