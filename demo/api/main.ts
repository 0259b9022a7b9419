import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isLeft } from 'fp-ts/Either';

import { decode } from '../../src/model/decode';
import { writeSampleProject } from '../project/write';
import { describedApi } from './api';
import { ApiProject } from './apiProject';
import { listen } from './listen';
import { overviewText } from './overview';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    host: { type: 'string', default: '127.0.0.1' },
    data: { type: 'string' },
    project: { type: 'string' },
  },
});

const file = values.project ?? writeSampleProject();
const project = decode(ApiProject)(JSON.parse(readFileSync(file, 'utf8')));
if (isLeft(project)) throw new Error(`${file}: ${project.left.message}`);

const { app, calls } = describedApi({
  project: project.right,
  hosts: [values.host],
  ...(values.data !== undefined && { dataDir: values.data }),
});
const { port } = await listen(app, Number(values.port), values.host);
console.log(`Reference API on http://${values.host}:${port}\n${overviewText(calls)}`);
