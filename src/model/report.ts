/** Reports an error: a message of the error catalogue (spec C§8, S§8) and its cause. */
export type Report = (message: string, cause?: unknown) => void;

/** A report that passes on the first error alone, for what fails again and again, where there is nothing new to say. */
export const reportOnce = (report: Report): Report => {
  let isReported = false;
  return (message, cause) => {
    if (!isReported) report(message, cause);
    isReported = true;
  };
};
