// The command of the package: `npx permutive-web-sdk COMMAND …`. In this repository `npm run command -- COMMAND …`.
import { createInterface } from 'node:readline/promises';

import { runCommand } from './runCommand';

/** Asks the person at the terminal a question. */
const ask = async (question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
};

process.exitCode = await runCommand(process.argv.slice(2), {
  cwd: process.cwd(),
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  ask: process.stdin.isTTY ? ask : undefined,
});
