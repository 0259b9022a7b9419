import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Configuration } from 'webpack';

import { publish, updateDefinitions } from '../bundle/published';
import { loadProject } from '../project/loadProject';
import type { BuildProject } from '../project/readProject';
import { command, type Io, WrongCall } from './command';
import { addonFiles, addonOption } from './support/addonFiles';
import { definitionFile, loaded, sayFindings } from './support/definition';
import { missingTools, sdkFolder, sdkPackage } from './support/sdk';

/** What a build makes, from what and where. */
export interface BuildOrder {
  /** The file of the definition. */
  readonly file: string;
  /** The folder of the result. */
  readonly out: string;
  readonly onlyQueries: boolean;
  readonly addons: readonly string[];
  /** Whether names of cohorts may be public. */
  readonly names: 'all' | 'none';
}

/** What the configuration of the SDK's build is called with (webpack.config.js). */
interface Environment {
  readonly out: string;
  readonly cache: string;
  readonly only: 'queries' | undefined;
  readonly names: 'all' | 'none';
  readonly addons: readonly string[];
  readonly warn: (line: string) => void;
  readonly load: (outside: readonly string[]) => Promise<BuildProject>;
}

type Configure = (environment: Environment) => Promise<Configuration | Configuration[]>;

/** Says which packages a build needs and does not find. Answers whether it finds all. */
export const hasTools = ({ err }: Pick<Io, 'err'>): boolean => {
  const { missing, others } = missingTools(sdkPackage());
  for (const other of others) err(`warning ${other}; the files of the build may differ`);
  if (missing.length === 0) return true;
  err(`A build needs packages that are not installed. Install them by:\nnpm install --save-dev ${missing.join(' ')}`);
  return false;
};

/** Rejects with what webpack says against the sources. */
const compile = async (configuration: Configuration | Configuration[]): Promise<void> => {
  const { default: webpack } = await import('webpack');
  await new Promise<void>((done, fail) => {
    const compiler = webpack([configuration].flat());
    compiler.run((error, stats) => {
      if (error) fail(error);
      else if (stats?.hasErrors()) fail(new Error(stats.toString('errors-only')));
      else compiler.close((failure) => (failure ? fail(failure) : done()));
    });
  });
};

/** Builds a project into a folder. Rejects with `ProjectError` where its definition is wrong. */
export const buildProject = async (
  { file, out, onlyQueries, addons, names }: BuildOrder,
  io: Io,
): Promise<BuildProject> => {
  let project: BuildProject | undefined;
  const configuration = pathToFileURL(resolve(sdkFolder, 'webpack.config.js')).href;
  const { default: configure } = (await import(configuration)) as { readonly default: Configure };
  const load = async (outside: readonly string[]): Promise<BuildProject> =>
    (project = await loadProject(file, outside));
  await compile(
    await configure({
      out,
      names,
      addons,
      load,
      only: onlyQueries ? 'queries' : undefined,
      cache: resolve(io.cwd, 'node_modules/.cache/permutive-web-sdk'),
      // The caller says them with the other findings.
      warn: () => undefined,
    }),
  );
  if (onlyQueries) updateDefinitions(out);
  publish(out, sdkPackage().version);
  return project!;
};

/** Builds the files that a publisher's pages load. */
export const build = command(
  {
    usage: '[project] [--out DIR] [--only queries] [--addon FILE|PACKAGE]… [--names none]',
    summary:
      'Builds what pages load into DIR, by default dist. --only queries: the definitions alone, in seconds. --addon: an addon’s file, or an installed package that exports one.',
    options: {
      out: { type: 'string', default: 'dist' },
      only: { type: 'string' },
      addon: addonOption,
      names: { type: 'string', default: 'all' },
    },
    operands: [0, 1],
  },
  async ({ values: { out, only, addon, names }, positionals }, io) => {
    if (only !== undefined && only !== 'queries') throw new WrongCall(`--only ${only}: expected queries`);
    if (names !== 'all' && names !== 'none') throw new WrongCall(`--names ${names}: expected all or none`);
    const file = definitionFile(positionals[0], io);
    if (!hasTools(io)) return 2;
    const order: BuildOrder = {
      file,
      names,
      out: resolve(io.cwd, out),
      onlyQueries: only === 'queries',
      addons: await addonFiles(addon, io),
    };
    const { project, findings } = await loaded(() => buildProject(order, io));
    sayFindings(findings, io);
    if (project === undefined) return 1;
    io.out(`${out}: ${project.page.workspaceId}, ${project.definitions.length} cohorts`);
    return 0;
  },
);
