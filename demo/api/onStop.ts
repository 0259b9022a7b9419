/** Runs `stop` once, when the process is asked to end: by SIGTERM, or by Ctrl-C. The process ends when it has. */
export const onStop = (stop: () => Promise<void>): void => {
  let stopped: Promise<void> | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stopped ??= stop().then(() => process.exit());
    });
  }
};
