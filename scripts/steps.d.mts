export interface Step {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Processor seconds that the step may take before the run says that it has outgrown them. */
  readonly share?: number;
  /** Where the step is a test run: the file for its counts. */
  readonly report?: string;
  /** Where the step is a run in a browser: its project of Jest. */
  readonly project?: string;
  /** The program that the step uses beside Node, by its name in `scripts/needs.ts`. */
  readonly program?: string;
  /** How often a test that has failed may run again, alone, before it has failed. */
  readonly repeats?: number;
  /** Variables that the step finds in its environment, beside those of the run. */
  readonly env?: Readonly<Record<string, string>>;
  /** Steps that need this one to have passed. */
  readonly next?: readonly Step[];
}

export interface Plan {
  /** Lanes run side by side, the steps of a lane one after the other. */
  readonly lanes: readonly (readonly Step[])[];
  /** Steps after the lanes, one after the other, none of them where the step `build` has failed. */
  readonly browsers: readonly Step[];
}

export const plans: Readonly<Record<'check' | 'test' | 'all', Plan>>;

export function stepsOf(plan: Plan): readonly Step[];
