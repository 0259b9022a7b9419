import { randomInt } from 'node:crypto';

/** Before all tests: draws the seed of a run that is not quick, and prints it once. LAW_SEED gives the seed back. */
export default (): void => {
  const { LAWS = 'quick', LAW_SEED } = process.env;
  if (LAWS === 'quick' || LAW_SEED !== undefined) return;
  process.env['LAW_SEED'] = String(randomInt(2 ** 31));
  console.log(`LAWS=${LAWS} LAW_SEED=${process.env['LAW_SEED']}`);
};
