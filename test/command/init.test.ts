import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { consentRecipes, consentScript } from '../../command/init/consentRecipes';
import { runCommand } from '../../command/runCommand';
import { called, capturedIo, folderWith } from './support/called';

const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

describe('init', () => {
  it('writes a project, a page and a test into a new folder', async () => {
    const folder = folderWith();
    const { code, out } = await called(folder, 'init', 'site', '--yes', '--site', "Reader's <b>");
    expect(code).toBe(0);
    expect(out).toContain('Next: cd site, npm install');
    const site = join(folder, 'site');
    expect(readdirSync(site).sort()).toEqual([
      '.gitignore',
      'README.md',
      'index.html',
      'package.json',
      'project.test.js',
      'project.ts',
    ]);
    expect(read(site, 'project.ts').match(/^ +id: '\d+',$/gm)).toHaveLength(3);
    expect(read(site, 'project.ts')).toContain("organizationId: 'Reader\\'s <b>'");
    expect(read(site, 'index.html')).toContain("<h1>Reader's &lt;b></h1>");
    const [, id = ''] = /workspaceId: '(.*)'/.exec(read(site, 'project.ts')) ?? [];
    expect(read(site, 'index.html')).toContain(`src="dist/${id}-web.js"`);
  });

  it('gives each project ids of its own, and takes those of the call', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => {
        const folder = folderWith();
        await called(folder, 'init', '--yes');
        return /workspaceId: '(.*)'/.exec(read(folder, 'project.ts'))?.[1];
      }),
    );
    expect(ids[0]).not.toBe(ids[1]);
    const folder = folderWith();
    const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
    await called(folder, 'init', '--yes', '--id', id, '--ads', 'none');
    expect(read(folder, 'project.ts')).toContain(`workspaceId: '${id}'`);
    expect(read(folder, 'project.ts')).not.toContain('trigger');
  });

  it('writes how a consent platform tells of its answers, where the site has one', async () => {
    const folder = folderWith();
    await called(folder, 'init', '--yes', '--cmp', 'cookiebot');
    const script = read(folder, 'consent.html');
    expect(script).toBe(consentScript(consentRecipes['cookiebot']!));
    expect(script).toContain(' data-cookieconsent="ignore">');
    expect(read(folder, 'project.ts')).toContain('  config: { consentRequired: true },');
    expect(read(folder, 'README.md')).toContain('-head.html` and `consent.html` into the head');
    const page = read(folder, 'index.html');
    // After the tag, whose method the script calls.
    expect(page.indexOf('addEventListener(name, read)')).toBeGreaterThan(page.indexOf('-web.js'));
    expect(page).toContain('>Agree</button>');

    const without = folderWith();
    await called(without, 'init', '--yes');
    expect(existsSync(join(without, 'consent.html'))).toBe(false);
    for (const file of ['project.ts', 'README.md']) expect(read(without, file)).not.toMatch(/consent/i);
    expect(read(without, 'index.html')).not.toContain('Agree');
  });

  it('overwrites nothing', async () => {
    const folder = folderWith({ 'index.html': 'mine' });
    expect(await called(folder, 'init', '--yes')).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is already index.html') as string,
    });
    expect(readdirSync(folder)).toEqual(['index.html']);
  });

  it('adds to a package file, and changes nothing in it', async () => {
    const given = { name: 'mine', scripts: { build: 'make' }, dependencies: { 'permutive-web-sdk': 'file:x.tgz' } };
    const folder = folderWith({ 'package.json': JSON.stringify(given) });
    await called(folder, 'init', '--yes');
    const written = JSON.parse(read(folder, 'package.json')) as typeof given & {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    expect(written).toMatchObject(given);
    expect(written.scripts).toMatchObject({ check: 'permutive-web-sdk check' });
    expect(written.devDependencies['permutive-web-sdk']).toBeUndefined();
  });

  it('asks four things and the key, where there is somebody to ask', async () => {
    const folder = folderWith();
    const asked: string[] = [];
    const ask = (question: string): Promise<string> => {
      asked.push(question);
      if (question.startsWith('Consent platform')) return Promise.resolve('didomi');
      return Promise.resolve(question.startsWith('Ad server') ? ' appnexus ' : '');
    };
    expect(await runCommand(['init'], capturedIo(folder, ask))).toBe(0);
    expect(asked).toHaveLength(5);
    expect(asked.at(-1)).toContain(': tcf, onetrust, didomi, sourcepoint, cookiebot, usercentrics, none? [none]');
    expect(read(folder, 'consent.html')).toContain('didomiOnReady');
    expect(read(folder, 'project.ts')).toContain('appnexus_adserver: { trigger:');
  });

  it.each([
    [['--yes', '--id', 'mine'], '--id mine: expected a UUID'],
    [['--yes', '--ads', 'other'], '--ads other: expected google, appnexus, none'],
    [['--yes', '--cmp', 'toString'], '--cmp toString: expected tcf, onetrust'],
    [[], 'there is nobody to ask'],
  ])('refuses %j', async (args, message) => {
    const folder = folderWith();
    const { code, err } = await called(folder, 'init', ...args);
    expect([code, existsSync(join(folder, 'project.ts'))]).toEqual([2, false]);
    expect(err).toContain(message);
  });
});
