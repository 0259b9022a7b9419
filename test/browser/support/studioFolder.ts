import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { project } from '../../../demo/project/project';
import { type ProjectInput, taxonomyEntry } from '../../../project/define/define';
import { loadProject } from '../../../project/loadProject';
import type { Definition } from '../../../src/engine/language/language';
import { visitorOf } from '../../../studio/page/play/generatedVisitor';
import { startStudio } from '../../../studio/server/startStudio';

/** A publisher’s folder with Studio on it. */
export interface StudioFolder {
  readonly address: string;
  readonly file: string;
  readonly text: () => string;
  readonly write: (text: string) => void;
  readonly close: () => Promise<void>;
}

/** Studio's page, as the build has made it for the package. */
const pageOfPackage = (): string => resolve(__dirname, '../../../dist/studio/page');

/** Cohorts of the sample that are about visits alone. */
const ids = ['20101', '20102', '20109', '20301', '20402', '20403', '20417'];

/** A definition with these cohorts, as somebody would write it. */
const definitionOf = (queries: readonly Definition[], taxonomies: ProjectInput['taxonomies']): string => {
  const nothing = { activations: {}, addons: {}, cohortCodes: {}, platformCohorts: {}, optimisedActivationsConfig: {} };
  const empty = { ...nothing, models: {}, tpdProviders: [], identityTags: [], rules: {}, cohortNames: {} };
  const controlGroup = { percent: 20, salt: 'spring', cohorts: ['20402'] };
  return `${JSON.stringify({ ...project, ...empty, config: {}, controlGroup, queries, taxonomies }, null, 2)}\n`;
};
const cohorts: readonly Definition[] = project.queries
  .filter(({ id }) => ids.includes(id))
  // The activations of the sample need its addons.
  .map(({ id, name, tags, q }) => ({ id, name, tags, q }));

const told = { 20101: [taxonomyEntry(4, 'Interest > Business and Finance')] };

/** What was published before: one cohort was not there yet, another asked for less, and buyers were told nothing. */
const before: readonly Definition[] = cohorts.flatMap((cohort) =>
  cohort.id === '20417'
    ? []
    : cohort.id === '20402'
      ? [{ ...cohort, q: { event: 'Pageview', is: { gte: 6 }, within: { days: 7 } } }]
      : [cohort],
);

/** What 60 readers of the demo’s paper did, an event a line. */
const visits = (): string =>
  Array.from({ length: 60 }, (_, i) => i + 1)
    .flatMap((seed) =>
      visitorOf(seed, ['anything', 'Markets', 'Technology'][seed % 3] ?? 'anything').map((event) =>
        JSON.stringify({ ...event, user_id: `reader-${seed}` }),
      ),
    )
    .join('\n');

/**
 * Starts Studio on a folder of its own. A build of it writes one small file. `isPublished`: something was published.
 * `page`: the folder of Studio’s page.
 */
export const studioFolder = async (isPublished = false, page = pageOfPackage()): Promise<StudioFolder> => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-'));
  const [file, data] = [join(folder, 'project.json'), join(folder, 'visits.ndjson')];
  writeFileSync(file, isPublished ? definitionOf(before, {}) : definitionOf(cohorts, told));
  writeFileSync(data, visits());
  const running = await startStudio({
    page,
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
  if (isPublished) {
    const [origin, token = ''] = running.address.split('/#token=');
    const headers = { 'content-type': 'application/json', 'x-studio-token': token };
    await fetch(`${origin}/api/publish`, { method: 'POST', headers, body: JSON.stringify({ step: 'publish' }) });
    writeFileSync(file, definitionOf(cohorts, told));
  }
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
