// Sees that the programs are there which a run needs, and installs those that are missing: `chromium`, `firefox`,
// `webkit` and `nats-server`, each an argument. With NO_INSTALL=1 it installs nothing and fails where one is missing.
import { type ProgramName, programs } from '../command/programs/programs';
import { provide } from '../command/programs/provide';

const names = process.argv.slice(2);
const isProgram = (name: string): name is ProgramName => Object.hasOwn(programs, name);
try {
  const unknown = names.filter((name) => !isProgram(name));
  if (unknown.length > 0) throw new Error(`Expected ${Object.keys(programs).join(', ')}, got ${unknown.join(', ')}`);
  provide(...names.filter(isProgram));
} catch (cause) {
  console.error((cause as Error).message);
  process.exitCode = 1;
}
