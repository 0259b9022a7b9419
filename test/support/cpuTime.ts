/** The processor time of an action in ms, which does not grow where other programs load the machine. */
export const cpuMs = (action: () => unknown): number => {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
