import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';

import { isUuid } from '../src/primitives/uuid';
import { command, type ExitCode, type Io, WrongCall } from './command';
import { consentRecipes } from './init/consentRecipes';
import { type AdServer, adServers, newFiles, type NewProject } from './init/newFiles';
import { sdkPackage } from './support/sdk';

/** Where visitors are not asked for consent. */
const noPlatform = 'none';
const platforms: readonly string[] = [...Object.keys(consentRecipes), noPlatform];

/** What the call has said, else what the person at the terminal says, else what is usual. */
const answered = async (
  said: Readonly<Partial<Record<'site' | 'id' | 'key' | 'ads' | 'cmp', string>>>,
  folder: string,
  ask: Io['ask'],
): Promise<NewProject> => {
  const answer = async (given: string | undefined, question: string, usual: string): Promise<string> =>
    given ?? ((await ask?.(`${question} [${usual}] `))?.trim() || usual);
  const site = await answer(said.site, 'Name of the site?', basename(folder));
  const id = await answer(said.id, 'Id of the workspace?', randomUUID());
  const key = await answer(said.key, 'Key of its API?', randomUUID());
  const ads = await answer(said.ads, `Ad server: ${Object.keys(adServers).join(', ')}?`, 'google');
  const cmp = await answer(said.cmp, `Consent platform: ${platforms.join(', ')}?`, noPlatform);
  for (const [name, uuid] of Object.entries({ id, key }))
    if (![uuid].every(isUuid)) throw new WrongCall(`--${name} ${uuid}: expected a UUID`);
  const adServer = (Object.keys(adServers) as AdServer[]).find((name) => name === ads);
  if (adServer === undefined) throw new WrongCall(`--ads ${ads}: expected ${Object.keys(adServers).join(', ')}`);
  if (!platforms.includes(cmp)) throw new WrongCall(`--cmp ${cmp}: expected ${platforms.join(', ')}`);
  return { site, workspaceId: id, apiKey: key, adServer, consent: consentRecipes[cmp] };
};

interface PackageFile {
  readonly [field: string]: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const scripts = {
  check: 'permutive-web-sdk check',
  build: 'permutive-web-sdk build',
  dev: 'permutive-web-sdk dev',
  test: 'node --import tsx --test',
};

/** The package file with what a build needs. Fields that the file has already stay. */
const completed = (given: PackageFile): PackageFile => {
  const { version, tools = {} } = sdkPackage();
  const { scripts: itsScripts = {}, dependencies = {}, devDependencies = {} } = given;
  const needed = Object.entries({ 'permutive-web-sdk': version, ...tools }).filter(
    ([name]) => !Object.hasOwn(dependencies, name) && !Object.hasOwn(devDependencies, name),
  );
  // `npm init` writes a test that fails.
  const { test, ...others } = itsScripts;
  const isWritten = test !== undefined && !test.includes('no test specified');
  return {
    private: true,
    type: 'module',
    ...given,
    scripts: { ...scripts, ...others, ...(isWritten && { test }) },
    devDependencies: Object.fromEntries(
      [...Object.entries(devDependencies), ...needed].sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
};

const packageIn = (folder: string): PackageFile => {
  const file = resolve(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as PackageFile) : {};
};

/** Writes a project to begin with. */
export const init = command(
  {
    usage: `[folder] [--yes] [--site NAME] [--id UUID] [--key UUID] [--ads google|appnexus|none] [--cmp ${platforms.join('|')}]`,
    summary:
      'Writes a project with three cohorts, a page to try it and a test. --yes: asks nothing. --cmp: the consent platform of the site; nothing is stored or sent before the visitor agrees, and consent.html tells the SDK of it. It overwrites no file, and adds to package.json what a build needs.',
    options: {
      yes: { type: 'boolean', default: false },
      site: { type: 'string' },
      id: { type: 'string' },
      key: { type: 'string' },
      ads: { type: 'string' },
      cmp: { type: 'string' },
    },
    operands: [0, 1],
  },
  async ({ values: { yes, ...said }, positionals: [given = '.'] }, io): Promise<ExitCode> => {
    const folder = resolve(io.cwd, given);
    if (!yes && io.ask === undefined) throw new WrongCall('there is nobody to ask; call it with --yes');
    const files = newFiles(await answered(said, folder, yes ? undefined : io.ask));
    const taken = Object.keys(files).filter((file) => existsSync(resolve(folder, file)));
    if (taken.length > 0)
      throw new WrongCall(`nothing is written, because there is already ${taken.join(' and ')}; choose another folder`);
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(resolve(folder, file), text);
    writeFileSync(resolve(folder, 'package.json'), `${JSON.stringify(completed(packageIn(folder)), null, 2)}\n`);
    for (const file of ['package.json', ...Object.keys(files)]) io.out(file);
    io.out(`Next: ${given === '.' ? '' : `cd ${given}, `}npm install, npm run check, npm run dev`);
    return 0;
  },
);
