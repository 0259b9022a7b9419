import { readFileSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';

import { AnyRecord, AnyString, DecodeError, type Fault, list, object, readAs, shape } from '../src/codecs/codecs';
import { decode } from '../src/codecs/decode';
import { checkSize } from '../src/engine/cells/cellOrder';
import { canon, published } from '../src/engine/language/canonical';
import type { Bundle, Definition } from '../src/engine/language/language';
import { DefinitionCodec } from '../src/engine/language/languageCodec';
import { open } from '../src/engine/language/taggedCodecs';
import { type ExpandedTable, expandTable } from '../src/engine/rules/expandRules';
import { activationText } from '../src/model/activation';
import { configTable } from '../src/model/config';
import { ProjectDefinition, type ServiceDefinition } from '../src/model/project';
import { isReservedKey } from '../src/model/storageKeys';
import { publicUrl } from '../src/primitives/publicUrl';
import { findingLine, type ProjectFinding, wrong } from './check/finding';
import { projectFindings } from './check/projectFindings';
import { queryFindings } from './check/queryFindings';
import { codeActivationFaults, withCodeActivations } from './codeActivations';
import { GivenProvider, identityForm } from './identityForms';
import { unknownNames } from './unknownNames';

/** A project definition as the build needs it: the page's part, and the queries for the worker. */
export interface BuildProject {
  readonly page: ProjectDefinition & Pick<ServiceDefinition, 'identityProviders'>;
  readonly bundle: Bundle;
  /** The queries as they are written, rules among them. */
  readonly definitions: readonly Definition[];
  /** What may be meant and can hardly be, for the build to say. */
  readonly warnings: readonly ProjectFinding[];
}

/** Names every wrong path of a project definition, each with what is wrong there. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError';

  constructor(
    file: string,
    readonly findings: readonly ProjectFinding[],
  ) {
    super(`${file} is no project definition:\n${findings.map((finding) => `  ${findingLine(finding)}`).join('\n')}`);
  }
}

/** What a codec has found. */
const decoded = ({ path, expected }: Fault): ProjectFinding => ({ path, ...wrong(`expected ${expected}`, '') });

/** Queries, rules in their short form (engine.md §14), and the events whose counts the server keeps (engine.md §13). */
const ProjectQueries = open(
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

const publicAddress = 'an https address of a public host';

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
    expected: publicAddress,
    holds: (url) => publicUrl(url) !== undefined,
  },
];

const activationFaults = (page: ProjectDefinition): readonly Fault[] =>
  activationChecks.flatMap(({ addon, field, expected, holds }) =>
    (page.activations[addon] ?? []).flatMap((activation, i) => {
      const value = activationText(activation, field);
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
        : [{ path: `addons/${addon}/${field}`, expected: publicAddress }];
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
          ...codeActivationFaults(page.right, definitions),
        ]),
    ...(queries instanceof DecodeError ? [] : sizeFaults(queries.queries)),
    ...(isLeft(identities) ? [] : identityFaults(providersOf(identities.right))),
  ];
  if (isLeft(page) || queries instanceof DecodeError || isLeft(identities) || faults.length > 0) {
    throw new ProjectError(file, [
      ...new Map(faults.map((fault) => [`${fault.path} ${fault.expected}`, decoded(fault)])).values(),
    ]);
  }
  const bundle = {
    v: 1 as const,
    id: page.right.workspaceId,
    seed: 0,
    queries: definitions.map(shipped),
    ...(queries.lift && { lift: queries.lift }),
  };
  const findings = [
    ...projectFindings(page.right, definitions, outside),
    ...queryFindings({ ...bundle, queries: definitions }),
  ];
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new ProjectError(file, errors);
  return {
    page: withCodeActivations(withSignals(withIdentityProviders(page.right, providersOf(identities.right)))),
    bundle,
    definitions,
    warnings: findings,
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
    const path = `addons/identity_manager/providers/${tag}`;
    if ('expected' in form) return [{ ...form, path: `${path}${form.path}` }];
    return form.url === undefined || publicUrl(form.url) ? [] : [{ path: `${path}/url`, expected: publicAddress }];
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
      decoded({ path: '', expected: `JSON (${error instanceof Error ? error.message : String(error)})` }),
    ]);
  }
};

/** What a visitor's device needs of a definition. The checksum is computed anew, so that a wrong one does no harm. */
const shipped = ({ id, q, sub, activations, canonical }: Definition): Definition =>
  published({ id, q, ...(sub && { sub }), ...(activations && { activations }), ...(canonical && { canonical }) });
