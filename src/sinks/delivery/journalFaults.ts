import type { Report } from '../../model/report';

/** Reports the first fault of a journal, because further ones say the same. */
export const journalFaults = (report: Report) => {
  let isReported = false;
  return (cause: unknown): void => {
    if (!isReported) report('Events journal is not available', cause);
    isReported = true;
  };
};
