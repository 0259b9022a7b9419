import { DecodeError } from '../codecs/codecs';
import type { Report } from '../model/report';

/**
 * Checks the arguments of public methods. A wrong one is reported by method, position and expected type, never by
 * value.
 */
export type PublicArguments = ReturnType<typeof publicArguments>;

/** Makes the checks. `report` hears each wrong argument. */
export const publicArguments = (report: Report) => {
  const failed = (method: string, cause: unknown): void =>
    report(`Function permutive.${method} caused an error`, cause);
  /** Reports that the argument at this position is not what was expected. */
  const wrong = (method: string, index: number, expected: string): void =>
    failed(method, new DecodeError([{ path: `${method}/${index}`, expected }]));
  return {
    /** The page's callback, wrapped so that it never throws; a no-op where the page gave none. */
    callback: (method: string, index: number, value: unknown): ((...values: readonly unknown[]) => void) => {
      if (typeof value !== 'function') {
        if (value !== undefined && value !== null) wrong(method, index, 'a function');
        return () => undefined;
      }
      return (...values) => {
        try {
          (value as (...values: readonly unknown[]) => unknown)(...values);
        } catch (error) {
          failed(method, error);
        }
      };
    },
    /**
     * A cohort's code as an id. A value that is neither a number nor a text is reported, and becomes an id that no
     * cohort has.
     */
    cohortId: (method: string, value: unknown): string => {
      if (typeof value === 'number' || typeof value === 'string') return String(value);
      wrong(method, 0, 'a cohort code');
      return '';
    },
    /** The argument, where it is one of `choices`. Any other argument is reported, and the first choice is answered. */
    choice: <Choice extends string>(
      method: string,
      index: number,
      value: unknown,
      choices: readonly [Choice, ...Choice[]],
    ): Choice => {
      const chosen = choices.find((choice) => choice === value);
      if (chosen === undefined) wrong(method, index, choices.map((choice) => `"${choice}"`).join(' or '));
      return chosen ?? choices[0];
    },
    wrong,
  };
};
