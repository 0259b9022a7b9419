import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
import { IdentityProvider, type PageProject, ProjectDefinition, type ServiceDefinition } from '../src/model/project';
import { publicUrl } from '../src/model/publicUrl';
import { isReservedKey } from '../src/model/storageKeys';
import { type ExpandedTable, expandTable } from '../tools/rules';
import { addonList } from './addonList';
import { futureAddons, unknownNames } from './unknownNames';

/** A project definition as the build needs it: the page's part, and the queries for the worker. */
export interface BuildProject {
  readonly page: ProjectDefinition & Pick<PageProject, 'identityProviders'>;
  readonly bundle: Bundle;
  /** Addons of the definition that are not built yet and are left out. */
  readonly leftOut: readonly string[];
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
  addons: t.partial({ identity_manager: t.partial({ providers: t.record(t.string, IdentityProvider) }) }),
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

/** Reads and checks a project definition. Throws `ProjectError` with all its faults. */
export const readProject = (file: string): BuildProject => {
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
    ...(isLeft(page) ? [] : [...activationFaults(page.right), ...unknownNames(page.right, definitions)]),
    ...(queries instanceof DecodeError ? [] : sizeFaults(queries.queries)),
  ];
  if (isLeft(page) || queries instanceof DecodeError || isLeft(identities) || faults.length > 0) {
    throw new ProjectError(file, [
      ...new Map(faults.map((fault) => [`${fault.path} ${fault.expected}`, fault])).values(),
    ]);
  }
  return {
    page: withSignals(withIdentityProviders(page.right, identities.right.addons.identity_manager?.providers ?? {})),
    bundle: {
      v: 1,
      id: page.right.workspaceId,
      seed: 0,
      queries: definitions.map(published),
      ...(queries.lift && { lift: queries.lift }),
    },
    leftOut: Object.keys(page.right.addons).filter((name) => futureAddons.includes(name)),
  };
};

const noRules: ExpandedTable = { definitions: [], errors: [] };

/** Ids that are in the list more than once. */
const twice = (ids: readonly string[]): readonly string[] => [...new Set(ids.filter((id, i) => ids.indexOf(id) !== i))];

/** Moves the identity providers out of the addon's options, because a stream of the visitor reads them. */
const withIdentityProviders = (
  project: ProjectDefinition,
  identityProviders: NonNullable<PageProject['identityProviders']>,
): BuildProject['page'] => {
  const { providers, ...options } = project.addons['identity_manager'] ?? {};
  return providers === undefined
    ? project
    : { ...project, addons: { ...project.addons, identity_manager: options }, identityProviders };
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

const moduleLines = (names: readonly string[], root: string): readonly string[] => {
  const listed = names.map((name) => addonList[name]!);
  return [
    ...listed.map(({ file, exported }) => `import { ${exported} } from ${JSON.stringify(resolve(root, file))};`),
    `export const addons = [${listed.map(({ exported }) => exported).join(', ')}];`,
  ];
};

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
  organizationId,
  apiKey,
  config,
  cohortCodes,
  platformCohorts,
  optimisedActivationsConfig,
  identityProviders,
  models,
}: BuildProject['page']): Omit<PageProject, 'addons' | 'activations'> => ({
  workspaceId,
  organizationId,
  apiKey,
  config,
  cohortCodes,
  platformCohorts,
  optimisedActivationsConfig,
  ...(identityProviders && { identityProviders }),
  hasModels: Object.keys(models).length > 0,
});

const readByServices = ({ tpdProviders, standardAudiences, addons }: BuildProject['page']): ServiceDefinition => ({
  tpdProviders,
  startsSecureSignal: addons['secure_signal']?.auto_init === true,
  ...(standardAudiences && { standardAudiences }),
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
export const partsOf = ({ page, bundle }: BuildProject): ProjectParts => {
  const names = Object.keys(page.addons).filter((name) => Object.hasOwn(addonList, name));
  const [early, deferred] = [
    names.filter((name) => addonList[name]?.startsAtOnce === true),
    names.filter((name) => addonList[name]?.startsAtOnce !== true),
  ];
  const project: PageProject = {
    ...readByPage(page),
    ...forAddons(page, early),
    lookups: lookupsOf(bundle),
    storageKeys: storageKeysOf(forAddons(page, names).activations),
  };
  return { project, early, deferred, later: forAddons(page, deferred), definition: readByServices(page) };
};

/** Writes the modules that the bundle imports as `@project/page`, `…/deferred` and `…/queries`. Returns the folder. */
export const writeProjectModules = (built: BuildProject, root: string): string => {
  const { page, bundle } = built;
  const folder = resolve(root, 'build', page.workspaceId);
  const { project, early, deferred, later, definition } = partsOf(built);
  const write = (file: string, lines: readonly string[]): void =>
    writeFileSync(resolve(folder, file), lines.join('\n'));
  mkdirSync(folder, { recursive: true });
  write('page.js', [
    ...moduleLines(early, root),
    `export const project = ${JSON.stringify(project)};`,
    `export const deferredAddons = ${JSON.stringify(deferred)};`,
  ]);
  write('deferred.js', [
    `export * from ${JSON.stringify(resolve(root, 'src/visit/deferredParts.ts'))};`,
    ...moduleLines(deferred, root),
    `export const activations = ${JSON.stringify(later.activations)};`,
    `export const addonOptions = ${JSON.stringify(later.addons)};`,
    `export const definition = ${JSON.stringify(definition)};`,
  ]);
  // As JSON text: browsers parse JSON of this size faster than code.
  writeFileSync(
    resolve(folder, 'queries.js'),
    `export const bundle = JSON.parse(${JSON.stringify(JSON.stringify(bundle))});`,
  );
  return folder;
};
