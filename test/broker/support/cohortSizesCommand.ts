import { until } from '../../browser/support/until';
import { command, type Running } from './running';

/** What the command prints of its users. */
export interface Sizes {
  readonly users: number;
  readonly cohorts: Readonly<Record<string, number>>;
}

interface Progress {
  readonly sequence: number;
  readonly behind: number;
}

/** The command that counts users by cohort. */
export interface CohortSizes extends Pick<Running, 'end'> {
  /** Its sizes, once it has counted all messages up to one with this sequence number at least. */
  readonly sizesAfter: (sequence: number) => Promise<Sizes>;
}

export const cohortSizesCommand = (url: string, folder: string): CohortSizes => {
  const { said, end } = command('demo/cohortSizes/main.ts', '--nats', url, '--data', folder);
  return {
    end,
    sizesAfter: (sequence) =>
      until(() => {
        const [, line = '{}'] = /.*^(\{.*\})\n/ms.exec(said()) ?? [];
        const { sequence: read = 0, behind, ...sizes } = JSON.parse(line) as Sizes & Partial<Progress>;
        return read >= sequence && behind === 0 ? sizes : undefined;
      }, `the sizes after message ${sequence}: ${said()}`),
  };
};
