import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

import { startDev } from '../../command/dev';
import { loadProject } from '../../project/loadProject';
import { capturedIo, definition, folderWith } from './support/called';

const until = async (holds: () => boolean): Promise<void> => {
  for (let i = 0; i < 200 && !holds(); i++) await new Promise((done) => setTimeout(done, 25));
  expect(holds()).toBe(true);
};

/** The status of an answer to a request that names another host. */
const statusFor = (origin: string, host: string): Promise<number | undefined> =>
  new Promise((done, fail) => {
    request(origin, { headers: { host } }, (answer) => {
      answer.resume();
      done(answer.statusCode);
    })
      .on('error', fail)
      .end();
  });

describe('dev', () => {
  it('serves the page, the bundle and the API, and builds again on a save', async () => {
    const folder = folderWith({
      'project.json': definition(),
      'index.html': '<h1>Mine</h1>',
      'dist/a-web.js': 'page()',
      '.env': 'secret',
      'node_modules/x.js': 'module',
    });
    const file = join(folder, 'project.json');
    const io = capturedIo(folder);
    const built: boolean[] = [];
    let moreHasChanged = false;
    const build = async (onlyQueries: boolean) => {
      const project = await loadProject(file);
      built.push(onlyQueries);
      if (onlyQueries && moreHasChanged) throw new Error('More than queries has changed');
      return project;
    };
    const dev = (await startDev({ folder, file, port: 0, build }, io))!;
    try {
      const { origin, search } = new URL(dev.address);
      expect(search).toBe('?__permutive.inspector=true');
      const textOf = async (path: string) => (await fetch(origin + path)).text();
      expect(await textOf('/')).toBe('<h1>Mine</h1>');
      expect(await textOf('/dist/a-web.js')).toBe('page()');
      expect((await fetch(`${origin}/dist/a-web.js`)).headers.get('cache-control')).toBe('no-cache');
      expect(await textOf('/.env')).not.toContain('secret');
      expect(await textOf('/node_modules/x.js')).not.toContain('module');
      const answer = await fetch(`${origin}/v2.0/batch/events`, { method: 'POST', body: '[]' });
      expect([200, 400]).toContain(answer.status);

      expect(await statusFor(origin, 'elsewhere.example')).toBe(403);

      writeFileSync(file, definition({ tpdProviders: [] }));
      await until(() => built.length === 2);
      moreHasChanged = true;
      writeFileSync(file, definition({ organizationId: 'other' }));
      await until(() => built.length === 4);
      expect(built).toEqual([false, true, true, false]);

      writeFileSync(file, definition({ workspaceId: 'wrong' }));
      await until(() => io.said().err.includes('workspaceId'));
      expect(await textOf('/')).toBe('<h1>Mine</h1>');
    } finally {
      await dev.close();
    }
  }, 30_000);

  it('does not start with a wrong definition', async () => {
    const folder = folderWith({ 'project.json': definition({ workspaceId: 'wrong' }) });
    const io = capturedIo(folder);
    const file = join(folder, 'project.json');
    expect(await startDev({ folder, file, port: 0, build: () => loadProject(file) }, io)).toBeUndefined();
    expect(io.said().err).toContain('workspaceId');
  });
});
