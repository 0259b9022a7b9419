import { symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

import { startDev } from '../../command/dev';
import { loadProject } from '../../project/loadProject';
import { until } from '../support/waiting';
import { capturedIo, definition, folderWith } from './support/called';

/** The status of an answer to a request with these headers, which `fetch` would not let a page set. */
const statusFor = (origin: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
  new Promise((done, fail) => {
    request(origin, { headers }, (answer) => {
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

      expect(await statusFor(origin, { host: 'elsewhere.example' })).toBe(403);

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
  });

  it('serves no hidden file and none outside of its folder, however it is asked, and nothing to pages of other sites', async () => {
    const outside = folderWith({ 'secret.txt': 'secret', 'index.html': 'secret' });
    const folder = folderWith({
      'project.json': definition(),
      'visitors.json': 'visitors',
      'pages/index.html': 'inside',
      '.env': 'secret',
      '.git/config': 'secret',
      'node_modules/x.js': 'secret',
    });
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'link.txt'));
    symlinkSync(outside, join(folder, 'linked'));
    symlinkSync(join(folder, '.env'), join(folder, 'harmless.txt'));
    symlinkSync(join(folder, 'visitors.json'), join(folder, 'renamed.json'));
    const file = join(folder, 'project.json');
    const dev = (await startDev({ folder, file, port: 0, build: () => loadProject(file) }, capturedIo(folder)))!;
    try {
      const { origin } = new URL(dev.address);
      const paths = ['/.env', '/%2eenv', '/%2Eenv', '/.git/config', '/%2egit%2fconfig', '/node_modules/x.js'];
      paths.push('/node%5fmodules/x.js', '/link.txt', '/linked/', '/linked/secret.txt', '/harmless.txt', '/%', '/%00');
      for (const path of paths) expect(await (await fetch(origin + path)).text()).not.toContain('secret');
      expect(await (await fetch(`${origin}/renamed.json`)).text()).toBe('visitors');
      expect(await (await fetch(`${origin}/pages/`)).text()).toBe('inside');

      const visitors = `${origin}/visitors.json`;
      expect(await statusFor(visitors, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'script' })).toBe(403);
      expect(await statusFor(visitors, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' })).toBe(200);
      expect(await statusFor(visitors, { origin: 'https://elsewhere.example' })).toBe(403);
      expect(await statusFor(visitors, { origin: 'null' })).toBe(403);
      expect(await statusFor(visitors, { origin, 'sec-fetch-site': 'same-origin' })).toBe(200);
      const post = (headers: Readonly<Record<string, string>>) =>
        fetch(`${origin}/v2.0/batch/events`, { method: 'POST', body: '[]', headers });
      expect((await post({ origin: 'https://elsewhere.example' })).status).toBe(403);
      expect((await post({ origin })).status).not.toBe(403);
    } finally {
      await dev.close();
    }
  });

  it('does not start with a wrong definition', async () => {
    const folder = folderWith({ 'project.json': definition({ workspaceId: 'wrong' }) });
    const io = capturedIo(folder);
    const file = join(folder, 'project.json');
    expect(await startDev({ folder, file, port: 0, build: () => loadProject(file) }, io)).toBeUndefined();
    expect(io.said().err).toContain('workspaceId');
  });
});
