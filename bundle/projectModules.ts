import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { readsOf } from '../project/definedCohorts';
import type { BuildProject } from '../project/readProject';
import { addonList, type ListedAddon } from '../src/addons/addonList';
import type { Bundle } from '../src/engine/language/language';
import { readerOf } from '../src/engine/language/readerOf';
import { activationText } from '../src/model/activation';
import { type Settings, settingsFrom } from '../src/model/config';
import type { DataName } from '../src/model/engineCommands';
import type { PageProject, ServiceDefinition } from '../src/model/project';
import { pageviewFields } from '../src/model/project';
import { builtInPriorities } from '../src/privacy/identityTag';
import type { HeadSettings } from './headOf';
import { publishedBundle } from './publishedBundle';
import type { TemplateSettings } from './tagManager/tagTemplate';

/** Imports the addons, and exports them as a list. */
const moduleLines = (addons: readonly ListedAddon[], root: string): readonly string[] => [
  // Files outside may use the same name for their exports.
  ...addons.map(
    ({ file, exported }, i) => `import { ${exported} as addon${i} } from ${JSON.stringify(resolve(root, file))};`,
  ),
  `export const addons = [${addons.map((_, i) => `addon${i}`).join(', ')}];`,
];

/** Options and activations of the addons that are built in; the page does not load those of others. */
const forAddons = (
  { addons, activations }: Pick<PageProject, 'addons' | 'activations'>,
  names: readonly string[],
): Pick<PageProject, 'addons' | 'activations'> => {
  const built = <A>(table: Readonly<Record<string, A>>): Record<string, A> =>
    Object.fromEntries(Object.entries(table).filter(([name]) => names.includes(name)));
  return { addons: built(addons), activations: built(activations) };
};

/** What code of the page reads of the definition. The rest stays out, because every visitor would load it. */
const readByPage = ({
  workspaceId,
  apiKey,
  config,
  cohortCodes,
  platformCohorts,
  optimisedActivationsConfig,
  models,
  contentParameters,
}: BuildProject['page']): Omit<PageProject, 'addons' | 'activations'> => ({
  workspaceId,
  apiKey,
  config,
  cohortCodes,
  platformCohorts,
  optimisedActivationsConfig,
  hasModels: Object.keys(models).length > 0,
  ...(contentParameters && { contentParameters }),
});

/** What the cohort services and the visitor's identities read of the definition. */
const readByServices = ({
  tpdProviders,
  standardAudiences,
  amp,
  identityProviders,
  identityTags,
  addons,
}: BuildProject['page']): ServiceDefinition => ({
  tpdProviders,
  startsSecureSignal: addons['secure_signal']?.auto_init === true,
  ...(standardAudiences && { standardAudiences }),
  ...(amp === true && { amp }),
  ...(identityProviders && { identityProviders }),
  ...(identityTags.length > 0 && { identityTags: [...new Set([...Object.keys(builtInPriorities), ...identityTags])] }),
});

/** Local storage keys that activations write. A refusal of consent removes them, also on pages that load no addon. */
const storageKeysOf = (activations: PageProject['activations']): readonly string[] => [
  ...new Set(
    Object.values(activations).flatMap((list) =>
      list.flatMap((activation) => activationText(activation, 'storage_key') ?? []),
    ),
  ),
];

/**
 * What the queries may look up and the page provides. Of queries that are downloaded later nothing is known, so a
 * project with those provides everything. A lookalike model may score third-party segments.
 */
const lookupsOf = ({ queries, lift }: Bundle): readonly DataName[] => {
  const text = JSON.stringify(queries);
  const readers: Readonly<Record<DataName, readonly string[]>> = {
    geo: ['"lookup":"geo"'],
    classification: ['"lookup":"classification"'],
    user: ['"lookup":"user"'],
    thirdParty: ['"thirdParty":{', '"lookalike":{'],
    secondParty: ['"secondParty":{'],
  };
  return (Object.keys(readers) as DataName[]).filter(
    (name) => lift !== undefined || readers[name].some((reader) => text.includes(reader)),
  );
};

/** The cohorts whose queries score lookalike models. Of queries that are downloaded later nothing is known. */
const lookalikesOf = (definitions: BuildProject['definitions']): Pick<ServiceDefinition, 'lookalikes'> => {
  const lookalikes = definitions.filter((definition) => readsOf(definition).includes('lookalike')).map(({ id }) => id);
  return lookalikes.length > 0 ? { lookalikes } : {};
};

/**
 * The fields of a Pageview that the queries read, which a first Pageview then waits for. Queries that are downloaded
 * later read them once they are known.
 */
const fieldsOf = ({ queries }: Bundle): Pick<PageProject, 'pageviewFields'> => {
  const read = Object.entries(pageviewFields).filter(([name]) => readerOf([name])(queries));
  return read.length > 0 ? { pageviewFields: Object.fromEntries(read) } : {};
};

/** Addons that are built in beside those of the list, by name, whether the definition names them or not. */
type OutsideAddons = Readonly<Record<string, ListedAddon>>;

/** A project as its page has it: what comes with the page script, and what with the deferred chunk. */
export interface ProjectParts {
  readonly project: PageProject;
  /** Names of the addons of the page script, and of those of the deferred chunk. */
  readonly early: readonly string[];
  readonly deferred: readonly string[];
  /** What the deferred addons are given. */
  readonly later: Pick<PageProject, 'addons' | 'activations'>;
  /** What the cohort services and the visitor's identities read. */
  readonly definition: ServiceDefinition;
}

/** Divides a project into what each part of the bundle reads. */
export const partsOf = ({ page, bundle, definitions }: BuildProject, outside: OutsideAddons = {}): ProjectParts => {
  const known: OutsideAddons = { ...addonList, ...outside };
  const names = [...Object.keys(page.addons).filter((name) => Object.hasOwn(addonList, name)), ...Object.keys(outside)];
  const [early, deferred] = [
    names.filter((name) => known[name]?.startsAtOnce === true),
    names.filter((name) => known[name]?.startsAtOnce !== true),
  ];
  const project: PageProject = {
    ...readByPage(page),
    ...forAddons(page, early),
    lookups: lookupsOf(bundle),
    ...fieldsOf(bundle),
    storageKeys: storageKeysOf(forAddons(page, names).activations),
  };
  return {
    project,
    early,
    deferred,
    later: forAddons(page, deferred),
    definition: { ...readByServices(page), ...lookalikesOf(definitions) },
  };
};

/**
 * Ad tags that the companion can tell, by the addon that goes on from it: a file in src/companion, and its export. The
 * companion in the head of a page tells taxonomies too, to Google at each answer about consent, as it does with codes,
 * and to Prebid at each auction.
 */
const companionTags: Readonly<Record<string, string>> = { dfp: 'google', appnexus_adserver: 'appnexus' };
const companionTaxonomies: Readonly<Record<string, string>> = { google_pps: 'googleSignals' };
const companionFollowers: Readonly<Record<string, string>> = { prebid_data: 'auctionEntries' };

/** Settings as the definition has them, before a page changes any. */
const settingsOf = ({ config }: BuildProject['page']): Settings =>
  settingsFrom({ page: () => ({}), overrides: {}, project: config, report: () => undefined });

/** What the gate, the companion and the check of natives read of the definition. */
const smallSettings = (
  page: BuildProject['page'],
  storageKeys: PageProject['storageKeys'],
): Readonly<Record<string, unknown>> => {
  const setting = settingsOf(page);
  return {
    workspaceId: page.workspaceId,
    windowKey: setting('windowKey'),
    cdn: { cdnBaseUrl: page.config['cdnBaseUrl'], cdnProtocol: page.config['cdnProtocol'] },
    storageKeys,
    stateNamespace: setting('stateNamespace'),
    cookieName: setting('cookieName'),
    consentRequired: setting('consentRequired'),
    respectGpc: setting('respectGpc'),
    hasExperiment: page.controlGroup !== undefined,
  };
};

/** What the template for Google Tag Manager has of the definition. */
export const templateSettings = (page: BuildProject['page']): TemplateSettings => {
  const setting = settingsOf(page);
  const { apiKey, workspaceId } = page;
  const cdn = `${setting('cdnProtocol')}://${setting('cdnBaseUrl')}/`;
  return { apiKey, workspaceId, windowKey: setting('windowKey'), cdn };
};

/** What the head of a page has of the definition. `path`: where the CDN has the scripts of this version. */
export const headSettings = (page: BuildProject['page'], path: string): HeadSettings => {
  const { cdn, ...settings } = templateSettings(page);
  const script = `${cdn}${path}/${page.workspaceId}-web`;
  return { ...settings, address: `${script}.js`, main: `${script}.main.js` };
};

/**
 * Calls the companion for the ad tags whose addons start by themselves. Others are started by the page, later. The
 * companion in the head of a page also preloads the main part, tells taxonomies, and keeps calls.
 */
const companionLines = ({ addons }: BuildProject['page'], root: string, isInHead: boolean): readonly string[] => {
  const startsItself = (name: string): boolean => Object.hasOwn(addons, name) && addons[name]?.auto_init !== false;
  const modules = (table: Readonly<Record<string, string>>, isWanted = startsItself): readonly string[] =>
    Object.entries(table).flatMap(([name, module]) => (isWanted(name) ? [module] : []));
  const told = (name: string): boolean => isInHead && startsItself(name) && addons[name]?.['taxonomies'] !== undefined;
  const each = [...modules(companionTags), ...modules(companionTaxonomies, told)];
  const once = isInHead ? ['preloadMain', 'keepCalls', ...modules(companionFollowers, told)] : [];
  const moduleOf = (name: string): string => JSON.stringify(resolve(root, `src/companion/${name}.ts`));
  const calls = (names: readonly string[], given: string): string =>
    `(${given}) => {${names.map((name) => ` ${name}(${given});`).join('')} }`;
  return [
    `import { companion } from ${moduleOf('companion')};`,
    ...[...each, ...once].map((name) => `import { ${name} } from ${moduleOf(name)};`),
    `companion(${[calls(each, ''), ...(isInHead ? [calls(once, 'tag')] : [])].join(', ')});`,
  ];
};

/** Exports the experiment of a project. The code for it is built in where there is one. */
const experimentLines = ({ controlGroup }: BuildProject['page'], root: string): readonly string[] => {
  const file = JSON.stringify(resolve(root, 'src/contracts/experiment.ts'));
  return controlGroup === undefined
    ? [`export { noExperiment as experiment } from ${file};`]
    : [
        `import { experimentOf } from ${file};`,
        `export const experiment = experimentOf(${JSON.stringify(controlGroup)});`,
      ];
};

/** Where the modules of a project are, and their texts by file name. */
interface ProjectModules {
  readonly folder: string;
  readonly texts: Readonly<
    Record<
      'page.js' | 'deferred.js' | 'queries.js' | 'worker.queries.js' | 'settings.js' | 'companion.js' | 'head.js',
      string
    >
  >;
}

/**
 * The modules that the bundle imports as `@project/page`, `…/deferred`, `…/queries` and `…/settings`, and those that
 * the companion begins with, by itself and in the head of a page.
 */
const modulesOf = (built: BuildProject, root: string, outside: OutsideAddons, cache: string): ProjectModules => {
  const { page, bundle } = built;
  const { project, early, deferred, later, definition } = partsOf(built, outside);
  const published = JSON.stringify(publishedBundle(bundle));
  const linesOf = (names: readonly string[]): readonly string[] =>
    moduleLines(
      names.flatMap((name) => outside[name] ?? addonList[name] ?? []),
      root,
    );
  return {
    folder: resolve(cache, page.workspaceId),
    texts: {
      'page.js': [
        ...linesOf(early),
        `export const project = ${JSON.stringify(project)};`,
        ...experimentLines(page, root),
        `export const deferredAddons = ${JSON.stringify(deferred)};`,
      ].join('\n'),
      'deferred.js': [
        `export * from ${JSON.stringify(resolve(root, 'src/visit/deferredParts.ts'))};`,
        ...linesOf(deferred),
        `export const activations = ${JSON.stringify(later.activations)};`,
        `export const addonOptions = ${JSON.stringify(later.addons)};`,
        `export const definition = ${JSON.stringify(definition)};`,
      ].join('\n'),
      'settings.js': Object.entries(smallSettings(page, project.storageKeys))
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n'),
      'companion.js': companionLines(page, root, false).join('\n'),
      'head.js': companionLines(page, root, true).join('\n'),
      // As JSON text: browsers parse JSON of this size faster than code.
      'queries.js': `export const bundle = JSON.parse(${JSON.stringify(published)});`,
      // The worker's file is a script, and what is in it from the first brace on is JSON.
      'worker.queries.js': `self.permutiveQueries={"bundle":${published}}`,
    },
  };
};

/**
 * Writes the modules of a project into a folder of `cache`. Returns that folder. `root`: the folder of the SDK's
 * sources. The package file beside the modules is like theirs: webpack drops what is unused only where it allows that.
 */
export const writeProjectModules = (
  project: BuildProject,
  root: string,
  outside: OutsideAddons = {},
  cache = resolve(root, 'build'),
): string => {
  const { folder, texts } = modulesOf(project, root, outside, cache);
  mkdirSync(folder, { recursive: true });
  writeFileSync(resolve(folder, 'package.json'), JSON.stringify({ type: 'module', sideEffects: false }));
  for (const [file, text] of Object.entries(texts)) writeFileSync(resolve(folder, file), text);
  return folder;
};

/**
 * Writes the query definitions alone. Returns the folder. Throws where the other modules are not those of the last
 * build: the page script then needs a build too.
 */
export const writeQueries = (
  project: BuildProject,
  root: string,
  outside: OutsideAddons = {},
  cache = resolve(root, 'build'),
): string => {
  const { folder, texts } = modulesOf(project, root, outside, cache);
  const { 'queries.js': ofPage, 'worker.queries.js': ofWorker, ...others } = texts;
  for (const [file, text] of Object.entries(others)) {
    const path = resolve(folder, file);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text)
      throw new Error(`More than queries has changed since the last build (${path}): build all`);
  }
  writeFileSync(resolve(folder, 'queries.js'), ofPage);
  writeFileSync(resolve(folder, 'worker.queries.js'), ofWorker);
  return folder;
};
