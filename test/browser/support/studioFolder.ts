import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { visitorOf } from '../../../demo/playground/visitor';
import { project } from '../../../demo/project/project';
import { loadProject } from '../../../project/loadProject';
import { startStudio } from '../../../studio/server/startStudio';

/** A publisher’s folder with Studio on it. */
export interface StudioFolder {
  readonly address: string;
  readonly file: string;
  readonly text: () => string;
  readonly write: (text: string) => void;
  readonly close: () => Promise<void>;
}

/** Cohorts of the sample that are about visits alone. */
const ids = ['20101', '20102', '20109', '20301', '20402', '20403', '20417'];

/** The definition of the folder: some cohorts of the sample, as somebody would write them. */
const definition = (): string =>
  `${JSON.stringify({ ...project, queries: project.queries.filter(({ id }) => ids.includes(id)), rules: {}, addons: {} }, null, 2)}\n`;

/** What 60 readers of the demo’s paper did, an event a line. */
const visits = (): string =>
  Array.from({ length: 60 }, (_, i) => i + 1)
    .flatMap((seed) =>
      visitorOf(seed, ['anything', 'Markets', 'Technology'][seed % 3] ?? 'anything').map((event) =>
        JSON.stringify({ ...event, user_id: `reader-${seed}` }),
      ),
    )
    .join('\n');

/** Starts Studio on a folder of its own. A build of it writes one small file. */
export const studioFolder = async (): Promise<StudioFolder> => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-'));
  const [file, data] = [join(folder, 'project.json'), join(folder, 'visits.ndjson')];
  writeFileSync(file, definition());
  writeFileSync(data, visits());
  const running = await startStudio({
    folder,
    file,
    data,
    port: 0,
    build: async (out) => {
      mkdirSync(out, { recursive: true });
      writeFileSync(join(out, 'ledger-web.js'), readFileSync(file));
      return loadProject(file);
    },
    plan: () => [
      { file: 'ledger-web.js', contentType: 'text/javascript', cacheControl: 'public, max-age=300' },
      { file: 'ledger-companion.js', contentType: 'text/javascript', cacheControl: 'public, max-age=300' },
    ],
  });
  return {
    address: running.address,
    file,
    text: () => readFileSync(file, 'utf8'),
    write: (text) => writeFileSync(file, text),
    close: async () => {
      await running.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
