import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';

import { checkSize } from '../src/engine/cells/cellOrder';
import { canon } from '../src/engine/language/canonical';
import { checksumOf } from '../src/engine/language/checksums';
import type { Bundle, Definition } from '../src/engine/language/language';
import { DefinitionCodec } from '../src/engine/language/languageCodec';
import { open } from '../src/engine/language/taggedCodecs';
import { textOf } from '../src/model/activation';
import { AnyRecord, AnyString, DecodeError, type Fault, list, object, readAs, shape } from '../src/model/codecs';
import { configTable } from '../src/model/config';
import { decode } from '../src/model/decode';
import type { DataName } from '../src/model/engineCommands';
import { pageviewFields } from '../src/model/pageviewFields';
import { type PageProject, ProjectDefinition, type ServiceDefinition } from '../src/model/project';
import { publicUrl } from '../src/model/publicUrl';
import { isReservedKey } from '../src/model/storageKeys';
import { type ExpandedTable, expandTable } from '../tools/rules';
import { addonList, type ListedAddon } from './addonList';
import { GivenProvider, identityForm } from './identityForms';
import { unknownNames } from './unknownNames';

/** A project definition as the build needs it: the page's part, and the queries for the worker. */
export interface BuildProject {
  readonly page: ProjectDefinition & Pick<ServiceDefinition, 'identityProviders'>;
  readonly bundle: Bundle;
  /** The queries as they are written, rules among them. */
  readonly definitions: readonly Definition[];
}

/** Names every wrong path of a project definition, each with the type that was expected there. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError';

  constructor(file: string, faults: readonly Fault[]) {
    super(
      `${file} is no project definition:\n${faults.map(({ path, expected }) => `  ${path || '(root)'}: expected ${expected}`).join('\n')}`,
    );
  }
}

/** Queries, rules in their short form (engine.md §14), and the events whose counts the server keeps (engine.md §13). */
const ProjectQueries = open<{
  readonly queries: readonly Definition[];
  readonly rules?: Readonly<Record<string, unknown>>;
  readonly lift?: NonNullable<Bundle['lift']>;
}>(
  'a project',
  shape(
    { queries: list(DefinitionCodec, 0, Infinity) },
    { rules: AnyRecord, lift: object('lift', shape({ events: list(AnyString, 1) })) },
  ),
);
const ProjectConfig = object(
  'a project',
  shape({
    config: object(
      'a config',
      shape({}, Object.fromEntries(Object.entries(configTable).map(([name, { codec }]) => [name, codec]))),
    ),
  }),
);

const ProjectIdentities = t.type({
  addons: t.partial({ identity_manager: t.partial({ providers: t.record(t.string, GivenProvider) }) }),
});

/** Values of activations that the addon would refuse on every page, each with what it expects. */
const activationChecks: readonly {
  readonly addon: string;
  readonly field: string;
  readonly expected: string;
  readonly holds: (value: string, page: ProjectDefinition) => boolean;
}[] = [
  {
    addon: 'local_storage',
    field: 'storage_key',
    expected: 'a key that the SDK does not use',
    holds: (key, { config }) => !isReservedKey(key) && key !== config['stateNamespace'],
  },
  {
    addon: 'tracking_pixel',
    field: 'pixel_url',
    expected: 'an https address of a public host',
    holds: (url) => publicUrl(url) !== undefined,
  },
];

const activationFaults = (page: ProjectDefinition): readonly Fault[] =>
  activationChecks.flatMap(({ addon, field, expected, holds }) =>
    (page.activations[addon] ?? []).flatMap((activation, i) => {
      const value = textOf(activation, field);
      return value === undefined || holds(value, page)
        ? []
        : [{ path: `activations/${addon}/${i}/c/${field}`, expected }];
    }),
  );

/** Options of addons that are addresses. A placeholder such as `{{segment}}` may stand in them. */
const addressOptions: Readonly<Record<string, readonly string[]>> = {
  pubmatic: ['cookie_set_url', 'segment_url'],
  tradedesk: ['pixel_url'],
  eyeota: ['pixel_url'],
  lotame: ['pixel_url'],
  ddp: ['pixel_url'],
  neustar_fabrick: ['pixel_url'],
};

const addressFaults = ({ addons }: ProjectDefinition): readonly Fault[] =>
  Object.entries(addressOptions).flatMap(([addon, fields]) =>
    fields.flatMap((field) => {
      const given = addons[addon]?.[field];
      return given === undefined || (typeof given === 'string' && publicUrl(given.replace(/\{\{\w+\}\}/g, 'x')))
        ? []
        : [{ path: `addons/${addon}/${field}`, expected: 'an https address of a public host' }];
    }),
  );

/** Queries that the engine would refuse on every page because they are too large. */
const sizeFaults = (queries: readonly Definition[]): readonly Fault[] =>
  queries.flatMap((definition, i) => {
    try {
      checkSize(canon(definition));
      return [];
    } catch (error) {
      return [{ path: `queries/${i}`, expected: `a query that can be evaluated (${(error as Error).message})` }];
    }
  });

/**
 * Reads and checks a project definition. Throws `ProjectError` with all its faults. `outside`: names of addons that are
 * built in beside those of the list.
 */
export const readProject = (file: string, outside: readonly string[] = []): BuildProject => {
  const parsed = parse(file);
  const page = decode(ProjectDefinition)(parsed);
  const queries = readAs(ProjectQueries, parsed);
  const identities = decode(ProjectIdentities)(parsed);
  const config = readAs(ProjectConfig, parsed);
  const rules = queries instanceof DecodeError ? noRules : expandTable(queries.rules ?? {});
  const definitions = queries instanceof DecodeError ? [] : [...queries.queries, ...rules.definitions];
  const faults = [
    ...[page, identities].flatMap((part) => (isLeft(part) ? part.left.faults : [])),
    ...[config, queries].flatMap((part) => (part instanceof DecodeError ? part.faults : [])),
    ...rules.errors.flatMap(({ id, error }) =>
      error.faults.map(({ path, expected }) => ({ path: `rules/${id}${path && `/${path}`}`, expected })),
    ),
    ...twice(definitions.map(({ id }) => id)).map((id) => ({ path: `rules/${id}`, expected: 'an id of no query' })),
    ...(isLeft(page)
      ? []
      : [
          ...activationFaults(page.right),
          ...addressFaults(page.right),
          ...unknownNames(page.right, definitions, outside),
        ]),
    ...(queries instanceof DecodeError ? [] : sizeFaults(queries.queries)),
    ...(isLeft(identities) ? [] : identityFaults(providersOf(identities.right))),
  ];
  if (isLeft(page) || queries instanceof DecodeError || isLeft(identities) || faults.length > 0) {
    throw new ProjectError(file, [
      ...new Map(faults.map((fault) => [`${fault.path} ${fault.expected}`, fault])).values(),
    ]);
  }
  return {
    page: withSignals(withIdentityProviders(page.right, providersOf(identities.right))),
    bundle: {
      v: 1,
      id: page.right.workspaceId,
      seed: 0,
      queries: definitions.map(published),
      ...(queries.lift && { lift: queries.lift }),
    },
    definitions,
  };
};

const noRules: ExpandedTable = { definitions: [], errors: [] };

/** Ids that are in the list more than once. */
const twice = (ids: readonly string[]): readonly string[] => [...new Set(ids.filter((id, i) => ids.indexOf(id) !== i))];

type GivenProviders = Readonly<Record<string, GivenProvider>>;

const providersOf = ({ addons }: t.TypeOf<typeof ProjectIdentities>): GivenProviders =>
  addons.identity_manager?.providers ?? {};

const identityFaults = (providers: GivenProviders): readonly Fault[] =>
  Object.entries(providers).flatMap(([tag, given]) => {
    const form = identityForm(tag, given);
    return 'expected' in form ? [{ ...form, path: `addons/identity_manager/providers/${tag}${form.path}` }] : [];
  });

/** Moves the identity providers out of the addon's options, because a stream of the visitor reads them. */
const withIdentityProviders = (project: ProjectDefinition, given: GivenProviders): BuildProject['page'] => {
  const { providers, ...options } = project.addons['identity_manager'] ?? {};
  if (providers === undefined) return project;
  const identityProviders = Object.fromEntries(
    Object.entries(given).flatMap(([tag, provider]) => {
      const form = identityForm(tag, provider);
      return 'expected' in form ? [] : [[tag, form]];
    }),
  );
  return { ...project, addons: { ...project.addons, identity_manager: options }, identityProviders };
};

/** Moves publisher provided signals into the options of the addon that sets them. */
const withSignals = ({ pps, ...project }: BuildProject['page']): BuildProject['page'] =>
  pps === undefined
    ? project
    : { ...project, addons: { ...project.addons, google_pps: { ...project.addons['google_pps'], pps } } };

const parse = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    throw new ProjectError(file, [
      { path: '', expected: `JSON (${error instanceof Error ? error.message : String(error)})` },
    ]);
  }
};

/** The definition in canonical form with its checksum, so that no visitor's device has to compute them. */
const published = (definition: Definition): Definition => {
  const { id, activations } = definition;
  const canonical = canon(definition);
  return {
    id,
    ...(canonical as Pick<Definition, 'q' | 'sub'>),
    canonical: true,
    checksum: checksumOf(canonical),
    ...(activations && { activations }),
  };
};

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

/** Tags of the SDK itself, which no definition has to list (spec C§3). */
const builtInTags = ['default', 'appnexus', 'pxid'];

/** What code of the page reads of the definition. The rest stays out, because every visitor would load it. */
const readByPage = ({
  workspaceId,
  apiKey,
  config,
  cohortCodes,
  platformCohorts,
  optimisedActivationsConfig,
  identityTags,
  models,
}: BuildProject['page']): Omit<PageProject, 'addons' | 'activations'> => ({
  workspaceId,
  apiKey,
  config,
  cohortCodes,
  platformCohorts,
  optimisedActivationsConfig,
  ...(identityTags.length > 0 && { identityTags: [...new Set([...builtInTags, ...identityTags])] }),
  hasModels: Object.keys(models).length > 0,
});

const readByServices = ({
  tpdProviders,
  standardAudiences,
  identityProviders,
  addons,
}: BuildProject['page']): ServiceDefinition => ({
  tpdProviders,
  startsSecureSignal: addons['secure_signal']?.auto_init === true,
  ...(standardAudiences && { standardAudiences }),
  ...(identityProviders && { identityProviders }),
});

/** Local storage keys that activations write. A refusal of consent removes them, also on pages that load no addon. */
const storageKeysOf = (activations: PageProject['activations']): readonly string[] => [
  ...new Set(
    Object.values(activations).flatMap((list) => list.flatMap((activation) => textOf(activation, 'storage_key') ?? [])),
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

/**
 * The fields of a Pageview that the queries read, which a first Pageview then waits for. Queries that are downloaded
 * later read them once they are known.
 */
const fieldsOf = ({ queries }: Bundle): Pick<PageProject, 'pageviewFields'> => {
  const text = JSON.stringify(queries);
  const read = Object.entries(pageviewFields).filter(([name]) => new RegExp(`"p":"${name}[".]`).test(text));
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
  /** What the cohort services read. */
  readonly definition: ServiceDefinition;
}

/** Divides a project into what each part of the bundle reads. */
export const partsOf = ({ page, bundle }: BuildProject, outside: OutsideAddons = {}): ProjectParts => {
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
  return { project, early, deferred, later: forAddons(page, deferred), definition: readByServices(page) };
};

/** Where the modules of a project are, and their texts by file name. */
interface ProjectModules {
  readonly folder: string;
  readonly texts: Readonly<Record<'page.js' | 'deferred.js' | 'queries.js', string>>;
}

/** The modules that the bundle imports as `@project/page`, `…/deferred` and `…/queries`. */
const modulesOf = (built: BuildProject, root: string, outside: OutsideAddons): ProjectModules => {
  const { page, bundle } = built;
  const { project, early, deferred, later, definition } = partsOf(built, outside);
  const linesOf = (names: readonly string[]): readonly string[] =>
    moduleLines(
      names.flatMap((name) => outside[name] ?? addonList[name] ?? []),
      root,
    );
  return {
    folder: resolve(root, 'build', page.workspaceId),
    texts: {
      'page.js': [
        ...linesOf(early),
        `export const project = ${JSON.stringify(project)};`,
        `export const deferredAddons = ${JSON.stringify(deferred)};`,
      ].join('\n'),
      'deferred.js': [
        `export * from ${JSON.stringify(resolve(root, 'src/visit/deferredParts.ts'))};`,
        ...linesOf(deferred),
        `export const activations = ${JSON.stringify(later.activations)};`,
        `export const addonOptions = ${JSON.stringify(later.addons)};`,
        `export const definition = ${JSON.stringify(definition)};`,
      ].join('\n'),
      // As JSON text: browsers parse JSON of this size faster than code.
      'queries.js': `export const bundle = JSON.parse(${JSON.stringify(JSON.stringify(bundle))});`,
    },
  };
};

/** Writes the modules of a project. Returns their folder. */
export const writeProjectModules = (project: BuildProject, root: string, outside: OutsideAddons = {}): string => {
  const { folder, texts } = modulesOf(project, root, outside);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(texts)) writeFileSync(resolve(folder, file), text);
  return folder;
};

/**
 * Writes the query definitions alone. Returns the folder. Throws where the other modules are not those of the last
 * build: the page script then needs a build too.
 */
export const writeQueries = (project: BuildProject, root: string, outside: OutsideAddons = {}): string => {
  const { folder, texts } = modulesOf(project, root, outside);
  const { 'queries.js': queries, ...others } = texts;
  for (const [file, text] of Object.entries(others)) {
    const path = resolve(folder, file);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text)
      throw new Error(`More than queries has changed since the last build (${path}): build all`);
  }
  writeFileSync(resolve(folder, 'queries.js'), queries);
  return folder;
};
