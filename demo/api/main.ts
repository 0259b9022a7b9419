import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isLeft } from 'fp-ts/Either';

import { decode } from '../../src/codecs/decode';
import { keepInStream } from '../eventStream/keepInStream';
import { writeSampleProject } from '../project/write';
import { describedApi } from './api';
import { ApiProject } from './apiProject';
import { createCollector } from './collector';
import { listen } from './listen';
import { onStop } from './onStop';
import { controlCalls, type Listed, overviewText } from './overview';
import { runProcesses } from './processes';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    /** The address to listen on; without it, those of this machine itself. */
    host: { type: 'string' },
    /** Names under which it answers besides its own. */
    name: { type: 'string', multiple: true, default: [] },
    /** Origins whose pages may read the answers; by default those of this machine. */
    origin: { type: 'string', multiple: true },
    data: { type: 'string' },
    project: { type: 'string' },
    nats: { type: 'string' },
    processes: { type: 'string', default: '1' },
  },
});

const { nats, host: toldHost = '127.0.0.1' } = values;
const processes = Number(values.processes);
if (!Number.isInteger(processes) || processes < 1) throw new Error('--processes: expected a number of processes');
if (nats === undefined && processes > 1)
  throw new Error('--processes: needs --nats, else each process has other events');
if (nats !== undefined && values.data !== undefined) throw new Error('--data: the events are in the stream of --nats');

const file = values.project ?? writeSampleProject();
const access = { hosts: [toldHost, ...values.name], origins: values.origin };

const readProject = (): ApiProject => {
  const project = decode(ApiProject)(JSON.parse(readFileSync(file, 'utf8')));
  if (isLeft(project)) throw new Error(`${file}: ${project.left.message}`);
  return project.right;
};

const announce = (port: number, calls: readonly Listed[]): void =>
  console.log(`Reference API on http://${toldHost}:${port}\n${overviewText(calls)}`);

/** Keeps everything in this process, or in a folder. */
const serveAlone = async (): Promise<void> => {
  const { app, calls } = describedApi({
    project: readProject(),
    hosts: access.hosts,
    ...(values.origin && { cors: { origins: values.origin } }),
    ...(values.data !== undefined && { dataDir: values.data }),
  });
  const { port } = await listen(app, Number(values.port), values.host);
  announce(port, [...calls, ...controlCalls]);
};

/** Keeps events in a stream, and nothing else. */
const serveStream = async (url: string): Promise<void> => {
  const stream = keepInStream(url, (text) => console.error(text));
  const { app, calls } = createCollector({ project: readProject(), access, ...stream });
  const { port, stop } = await listen(app, Number(values.port), values.host);
  onStop(async () => {
    await stop();
    await stream.close();
  });
  if (cluster.isPrimary) announce(port, calls);
};

if (nats === undefined) await serveAlone();
else if (processes === 1 || cluster.isWorker) await serveStream(nats);
else {
  // The file is written once, not by each process.
  const port = await runProcesses(processes, ['--project', file, ...process.argv.slice(2)]);
  console.log(`Reference API on http://${toldHost}:${port}, ${processes} processes`);
}
