import { addonList } from '../../src/addons/addonList';
import { serviceInputs } from '../../src/api/serviceInputs';
import type { Fault } from '../../src/codecs/codecs';
import { ownEntry } from '../../src/hardening/ownFields';
import { configTable } from '../../src/model/config';
import { ProjectDefinition } from '../../src/model/project';
import { expiryPattern } from '../../src/primitives/cookie';
import { optionFaults, optionNames } from '../readOptions';
import { publishedTaxonomies } from '../taxonomies/published';
import { type Schema, schemaOf } from './ioTsSchema';
import { languageDefinitions } from './languageSchema';

const refinements = {
  UUID: {
    pattern:
      '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|0{8}(-0{4}){3}-0{12}|[fF]{8}(-[fF]{4}){3}-[fF]{12})$',
  },
  'cohort number': { pattern: '^\\d+$' },
  'a purpose of the TCF, 1 to 11': { type: 'integer', minimum: 1, maximum: 11 },
};

/** Schemas of settings and options, by what their codecs expect. */
const valueSchemas: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  'finite number': { type: 'number' },
  '(finite number | null)': { type: ['number', 'null'] },
  'positive number': { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 2 ** 31 },
  'number of days or months': { type: 'string', pattern: expiryPattern.source },
  'Array<string>': { type: 'array', items: { type: 'string' }, maxItems: 100 },
  '{ enabled: boolean }': { type: 'object', properties: { enabled: { type: 'boolean' } }, required: ['enabled'] },
  UnknownRecord: { type: 'object' },
  'a switch': { type: 'object', properties: { enabled: { type: 'boolean' } }, required: ['enabled'] },
  'a vendor id': { type: 'integer' },
  'ms, more than 0': { type: 'number', exclusiveMinimum: 0 },
  'string or number': { type: ['string', 'number'] },
};
/** The schema of a value, by what is wrong with a value that is none. */
const valueSchema = ([fault]: readonly Fault[]): Schema | undefined => ownEntry(valueSchemas, fault?.expected ?? '');

const settings = (): Schema =>
  Object.fromEntries(
    Object.entries(configTable).map(([name, { codec }]) => {
      const schema = valueSchema(codec(undefined));
      if (schema === undefined) throw new Error(`${name}: a setting of that kind has no schema`);
      return [name, schema];
    }),
  );

/** The options of each addon. Of some options the name alone is offered, and the check says what they expect. */
const addons = (): Schema =>
  Object.fromEntries([
    ...Object.entries(addonList).map(([name, listed]) => {
      const properties = optionNames(listed)
        .filter((option) => listed.pageOptions?.includes(option) !== true)
        .map((option) => [option, valueSchema(optionFaults(listed, { [option]: null })) ?? {}] as const);
      return [name, { type: 'object', properties: Object.fromEntries(properties) }] as const;
    }),
    ...serviceInputs.map((name) => [name, { type: 'object' }] as const),
  ]);

/** The schema of an event's properties, by name: the name of a type, a list with one type, or properties. */
const propertyTypes: Schema = {
  anyOf: [
    { enum: ['string', 'number', 'boolean'] },
    { type: 'array', items: { $ref: '#/definitions/propertyType' }, minItems: 1, maxItems: 1 },
    { type: 'object', additionalProperties: { $ref: '#/definitions/propertyType' } },
  ],
};

/**
 * An entry of a taxonomy: where the taxonomy is published, editors offer the ids and show the names. `enumDescriptions`
 * and `errorMessage` are words of VS Code's, which others ignore.
 */
const taxonomyEntry = (): Schema => {
  const published = Object.entries(publishedTaxonomies);
  return {
    type: 'object',
    properties: {
      segtax: {
        anyOf: [
          {
            enum: published.map(([segtax]) => Number(segtax)),
            enumDescriptions: published.map(([, { name }]) => name),
          },
          { type: 'integer', minimum: 1 },
        ],
      },
      id: { type: 'string' },
    },
    required: ['segtax', 'id'],
    allOf: published.map(([segtax, { name, ids }]) => ({
      if: { properties: { segtax: { const: Number(segtax) } } },
      then: {
        properties: {
          id: {
            enum: Object.values(ids),
            enumDescriptions: Object.keys(ids),
            errorMessage: `The ${name} has no such entry.`,
          },
        },
      },
    })),
  };
};

/**
 * JSON Schema of a project definition, for editors: the page's part from the types of io-ts that read it, settings from
 * their codecs, and queries from the table of the query language. Names of addons and of their options are offered;
 * others are let through, because a build may have addons of its own.
 */
export const projectSchema = (): Schema => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Project definition of permutive-web-sdk',
  type: 'object',
  properties: {
    $schema: { type: 'string' },
    config: { type: 'object', properties: settings() },
    queries: { type: 'array', items: { $ref: '#/definitions/definition' } },
    rules: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { t: { enum: [1, 2, 3, 4, 5, 6, 7, 8] } }, required: ['t'] },
    },
    lift: {
      type: 'object',
      properties: { events: { type: 'array', items: { type: 'string' }, minItems: 1 } },
      required: ['events'],
    },
    events: {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: { $ref: '#/definitions/propertyType' } },
    },
    taxonomies: {
      type: 'object',
      additionalProperties: { type: 'array', items: { $ref: '#/definitions/taxonomyEntry' } },
    },
    addons: { type: 'object', properties: addons() },
  },
  required: ['queries'],
  allOf: [schemaOf(ProjectDefinition, refinements)],
  definitions: { ...languageDefinitions, propertyType: propertyTypes, taxonomyEntry: taxonomyEntry() },
});
