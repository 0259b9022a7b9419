// The commands of publishers, as the scripts of this repository call them: `npm run types`, `npm run replay`. Where the
// call names no project, it is the sample project. `--env NAME=VALUE` is taken for `--NAME VALUE`.
import { runCommand } from '../command/runCommand';
import { writeSampleProject } from '../demo/project/write';

const [name = '', ...given] = process.argv.slice(2);
const args = given.flatMap((arg, i) => {
  if (arg === '--env') return [];
  const [, option, value] = (given[i - 1] === '--env' && /^([^=]+)=(.*)$/.exec(arg)) || [];
  return option === undefined ? [arg] : [`--${option}`, value ?? ''];
});
const at = args.indexOf('--project');
const [, project = writeSampleProject()] = at < 0 ? [] : args.splice(at, 2);

process.exitCode = await runCommand([name, ...args, ...(name === 'replay' ? ['--project', project] : [project])], {
  cwd: process.cwd(),
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
});
