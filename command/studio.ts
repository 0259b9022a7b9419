import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { startStudio } from '../studio/server/startStudio';
import { buildProject, hasTools } from './build';
import { command, WrongCall } from './command';
import { addonFiles, addonOption, readAddons } from './support/addonFiles';
import { definitionFile } from './support/definition';
import { uploadPlan } from './support/uploadPlan';

/** A file that an option names, from the working folder. */
const optionFile = (option: string, given: string | undefined, cwd: string): string | undefined => {
  if (given === undefined || existsSync(resolve(cwd, given))) return given && resolve(cwd, given);
  throw new WrongCall(`--${option}: there is no file ${given}`);
};

/** The addresses of a cluster’s servers, with commas between them, as NATS takes them. */
const natsServers = (given: string | undefined): string | undefined => {
  const isServer = (address: string): boolean =>
    /^(?:(?:nats|tls):\/\/)?[^\s/]+$/.test(address) && URL.canParse(`nats://${address.replace(/^\w+:\/\//, '')}`);
  if (given === undefined || given.split(',').every(isServer)) return given;
  throw new WrongCall(`--nats ${given}: expected nats://HOST:PORT`);
};

/** Opens Studio on the definition of a folder. */
export const studio = command(
  {
    usage: '[project] [--port PORT] [--data FILE] [--nats URL] [--published FILE] [--addon FILE|PACKAGE]…',
    summary:
      'Opens Studio in the browser: cohorts are made, sized, tested and published there, on the file of the definition. --data: visits of a recording or of one event a line, --nats: those of the collector’s stream. --published: the definition to compare with. Ctrl-C ends it.',
    options: {
      port: { type: 'string', default: '8095' },
      data: { type: 'string' },
      nats: { type: 'string' },
      published: { type: 'string' },
      addon: addonOption,
    },
    operands: [0, 1],
  },
  async ({ values, positionals }, io) => {
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new WrongCall(`--port ${values.port}: expected the number of a port`);
    const nats = natsServers(values.nats);
    const file = definitionFile(positionals[0], io);
    const [data, published] = (['data', 'published'] as const).map((name) => optionFile(name, values[name], io.cwd));
    if (values.addon.length > 0 && !hasTools(io)) return 2;
    const addons = await addonFiles(values.addon, io);
    const outside = addons.length > 0 ? Object.keys((await readAddons(addons)).listed) : [];
    const running = await startStudio({
      folder: io.cwd,
      file,
      port,
      data,
      nats,
      published,
      outside,
      build: (out) => {
        if (!hasTools(io)) throw new Error('A build needs packages that are not installed; the terminal names them.');
        return buildProject({ file, out, addons, names: 'all', onlyQueries: false }, io);
      },
      plan: (folder) => uploadPlan(folder, 'dist').uploads,
      report: io.err,
    });
    io.out(`Open ${running.address}`);
    await new Promise((done) => process.once('SIGINT', done).once('SIGTERM', done));
    await running.close();
    return 0;
  },
);
