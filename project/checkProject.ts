import { isLeft } from 'fp-ts/Either';

import { googleTaxonomies } from '../src/addons/adServer/taxonomies';
import {
  type AnyCodec,
  AnyRecord,
  AnyString,
  type Codec,
  DecodeError,
  type Fault,
  isRecord,
  list,
  object,
  readAs,
  shape,
  table,
  value,
} from '../src/codecs/codecs';
import { decode } from '../src/codecs/decode';
import { published } from '../src/engine/language/canonical';
import type { Bundle, Definition } from '../src/engine/language/language';
import { DefinitionCodec } from '../src/engine/language/languageCodec';
import { open } from '../src/engine/language/storedCodecs';
import { type ExpandedTable, expandTable } from '../src/engine/rules/expandRules';
import { configTable } from '../src/model/config';
import { ProjectDefinition, type ServiceDefinition } from '../src/model/project';
import { decodeFinding } from './check/decodeFinding';
import { eventFindings } from './check/eventFindings';
import type { ProjectFinding } from './check/finding';
import { listFindings, sizeFindings } from './check/listFindings';
import { projectFindings } from './check/projectFindings';
import { queryFindings } from './check/queryFindings';
import { settingFindings } from './check/settingFindings';
import { taxonomyFindings } from './check/taxonomyFindings';
import { activationFaults, addressFaults, keyFaults, sizeFaults } from './check/valueFaults';
import { codeActivationFaults, withCodeActivations } from './codeActivations';
import type { EventTypes, PropertyType } from './define/eventTypes';
import { identityFaults, ProjectIdentities, providersOf, withIdentityProviders } from './identityProviders';
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

/** What a check has found, and the project where no finding is an error. */
export interface CheckedProject {
  readonly project: BuildProject | undefined;
  readonly findings: readonly ProjectFinding[];
}

const PropertyTypeCodec: Codec<PropertyType> = (input) =>
  Array.isArray(input) ? OneType(input) : isRecord(input) ? PropertyTypesCodec(input) : TypeName(input);
const TypeName = value<PropertyType>(
  'one of string, number, boolean, a list of one type, properties',
  (input) => typeof input === 'string' && ['string', 'number', 'boolean'].includes(input),
);
const OneType = list(PropertyTypeCodec, 1, 1, 'a list of one type') as AnyCodec as Codec<PropertyType>;
const PropertyTypesCodec = table('properties', PropertyTypeCodec);
const EventTypesCodec: Codec<EventTypes> = table('events', PropertyTypesCodec);

/** Queries, rules in their short form (engine.md §14), and the events whose counts the server keeps (engine.md §13). */
const ProjectQueries = open(
  'a project',
  shape(
    { queries: list(DefinitionCodec, 0, Infinity) },
    { rules: AnyRecord, lift: object('lift', shape({ events: list(AnyString, 1) })), events: EventTypesCodec },
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

/**
 * Checks a project definition. `outside`: names of addons that are built in beside those of the list. Paths of queries
 * that do not decode have the query's index, counted from 0, because such a query may lack an id.
 */
export const checkProject = (input: unknown, outside: readonly string[] = []): CheckedProject => {
  const page = decode(ProjectDefinition)(input);
  const queries = readAs(ProjectQueries, input);
  const identities = decode(ProjectIdentities)(input);
  const config = readAs(ProjectConfig, input);
  const rules = queries instanceof DecodeError ? noRules : expandTable(queries.rules ?? {});
  const definitions = queries instanceof DecodeError ? [] : [...queries.queries, ...rules.definitions];
  const faults = [
    ...[page, identities].flatMap((part) => (isLeft(part) ? part.left.faults : [])),
    ...[config, queries].flatMap((part) => (part instanceof DecodeError ? part.faults : [])),
    ...ruleFaults(rules),
    ...keyFaults(input),
    ...(queries instanceof DecodeError ? [] : usedIds(queries.queries, rules)),
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
  if (isLeft(page) || queries instanceof DecodeError || isLeft(identities) || faults.length > 0)
    return { project: undefined, findings: different(faults).map((fault) => decodeFinding(fault, input)) };
  const bundle = {
    v: 1 as const,
    id: page.right.workspaceId,
    seed: 0,
    queries: definitions.map(shipped),
    ...(queries.lift && { lift: queries.lift }),
  };
  const findings = [
    ...projectFindings(page.right, definitions, outside),
    ...listFindings(page.right),
    ...taxonomyFindings(page.right),
    ...settingFindings(input),
    ...sizeFindings(definitions),
    ...queryFindings({ ...bundle, queries: definitions }),
    ...eventFindings(definitions, queries.events),
  ];
  if (findings.some(({ severity }) => severity === 'error')) return { project: undefined, findings };
  return {
    project: {
      page: withCodeActivations(
        withGroup(withTaxonomies(withIdentityProviders(page.right, providersOf(identities.right)))),
      ),
      bundle,
      definitions,
      warnings: findings,
    },
    findings,
  };
};

const noRules: ExpandedTable = { definitions: [], errors: [] };

const ruleFaults = ({ errors }: ExpandedTable): readonly Fault[] =>
  errors.flatMap(({ id, error }) =>
    error.faults.map(({ path, expected }) => ({ path: `rules/${id}${path && `/${path}`}`, expected })),
  );

/** Ids that several queries or rules have. */
const usedIds = (queries: readonly Definition[], rules: ExpandedTable): readonly Fault[] => {
  const ids = new Set<string>();
  const used = (given: readonly Definition[], path: (id: string, i: number) => string): readonly Fault[] =>
    given.flatMap(({ id }, i) => {
      const isUsed = ids.has(id);
      ids.add(id);
      return isUsed ? [{ path: path(id, i), expected: 'an id that no other query has' }] : [];
    });
  return [...used(queries, (_, i) => `queries/${i}/id`), ...used(rules.definitions, (id) => `rules/${id}`)];
};

const different = (faults: readonly Fault[]): readonly Fault[] => [
  ...new Map(faults.map((fault) => [`${fault.path} ${fault.expected}`, fault])).values(),
];

/** Makes one table of the taxonomies and their older form, and gives it to the addons that tell it. */
const withTaxonomies = ({ pps = {}, taxonomies = {}, ...project }: BuildProject['page']): BuildProject['page'] => {
  const table: Record<string, Record<string, readonly string[]>> = {};
  const add = (segtax: number, cohort: string, id: string): void => {
    const byCohort = (table[segtax] ??= {});
    byCohort[cohort] = [...new Set([...(byCohort[cohort] ?? []), id])];
  };
  for (const [name, segtax] of Object.entries(googleTaxonomies))
    for (const [cohort, id] of Object.entries(pps[name] ?? {})) add(segtax, cohort, id);
  for (const [cohort, entries] of Object.entries(taxonomies))
    for (const { segtax, id } of entries) add(segtax, cohort, id);
  if (Object.keys(table).length === 0) return project;
  const ofGoogle = Object.fromEntries(
    Object.values(googleTaxonomies).flatMap((n) => (table[n] ? [[n, table[n]]] : [])),
  );
  const { google_pps, prebid_data } = project.addons;
  return {
    ...project,
    addons: {
      ...project.addons,
      ...(Object.keys(ofGoogle).length > 0 && { google_pps: { ...google_pps, taxonomies: ofGoogle } }),
      prebid_data: { ...prebid_data, taxonomies: table },
    },
  };
};

/** Where the project has an experiment and Prebid, bidders are told the visitor's group. */
const withGroup = (project: BuildProject['page']): BuildProject['page'] => {
  const { addons, controlGroup } = project;
  if (controlGroup === undefined || addons['prebid'] === undefined) return project;
  return { ...project, addons: { prebid_data: {}, ...addons } };
};

/** What a visitor's device needs of a definition. The checksum is computed anew, so that a wrong one does no harm. */
const shipped = ({ id, q, sub, activations, canonical }: Definition): Definition =>
  published({ id, q, ...(sub && { sub }), ...(activations && { activations }), ...(canonical && { canonical }) });
