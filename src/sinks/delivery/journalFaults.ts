import { type Report, reportOnce } from '../../model/report';

/** Reports the first fault of a journal, because further ones say the same. */
export const journalFaults = (report: Report) => {
  const reportFirst = reportOnce(report);
  return (cause: unknown): void => reportFirst('Events journal is not available', cause);
};
