import { idsOfNames } from '../src/cohorts/idsByName';
import type { Definition, Expr, Leaf, Pred, Step } from '../src/engine/language/language';
import type { DefinedCohorts } from '../src/model/definedCohorts';
import { typesTested } from './language/testedTypes';

/** What the types of a project are made from. */
export interface TypedProject {
  readonly queries: readonly Definition[];
  /** All cohorts by id, each with its name where it has one. */
  readonly cohorts: DefinedCohorts;
}

/** What queries read of a value: the types that they compare it with, and properties of it. */
interface Value {
  readonly types: Set<string>;
  readonly properties: Map<string, Value>;
}
const newValue = (): Value => ({ types: new Set(), properties: new Map() });

/** The property of a value that a path with dots between names leads to. A missing property is made. */
const valueAt = (from: Value, path: string): Value =>
  path.split('.').reduce((value, name) => {
    const known = value.properties.get(name) ?? newValue();
    value.properties.set(name, known);
    return known;
  }, from);

const readLeaf = (leaf: Leaf, value: Value): void => {
  const tested = valueAt(value, leaf.p);
  for (const type of typesTested(leaf)) tested.types.add(type);
  for (const inner of [
    'any' in leaf ? leaf.any : undefined,
    'all' in leaf ? leaf.all : undefined,
    'none' in leaf ? leaf.none : undefined,
  ])
    if (inner !== undefined) readPred(inner, tested);
};

const readPred = (pred: Pred, value: Value): void => {
  if ('p' in pred) readLeaf(pred, value);
  else if ('not' in pred) readPred(pred.not, value);
  else for (const part of 'and' in pred ? pred.and : 'or' in pred ? pred.or : pred.match) readPred(part, value);
};

type Events = Map<string, Value>;

const readStep = ({ event, where }: Step, events: Events): readonly Value[] =>
  [event].flat().map((name) => {
    const value = events.get(name) ?? newValue();
    events.set(name, value);
    if (where !== undefined) readPred(where, value);
    return value;
  });

const readExpr = (expr: Expr, events: Events): void => {
  if ('and' in expr) for (const part of expr.and) readExpr(part, events);
  else if ('or' in expr) for (const part of expr.or) readExpr(part, events);
  else if ('match' in expr) for (const part of expr.match) readExpr(part, events);
  else if ('not' in expr) readExpr(expr.not, events);
  else if ('sequence' in expr) for (const step of expr.sequence) readStep(step, events);
  else if ('event' in expr) {
    for (const value of readStep(expr, events)) {
      if (expr.sum !== undefined) valueAt(value, expr.sum).types.add('number');
      if (expr.distinct !== undefined)
        for (const type of ['string', 'number']) valueAt(value, expr.distinct).types.add(type);
    }
  } else if ('last' in expr || 'first' in expr) {
    for (const value of readStep('last' in expr ? expr.last : expr.first, events)) readPred(expr.is, value);
  }
};

const isName = /^[A-Za-z_$][\w$]*$/;
const keyOf = (name: string): string => (isName.test(name) ? name : JSON.stringify(name));

/** The SDK adds these properties itself. */
const isAdded = (name: string): boolean => name === 'client' || name.startsWith('$');

const propertiesText = (value: Value, indent: string): string => {
  const lines = [...value.properties]
    .filter(([name]) => !isAdded(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, property]) => `${indent}  readonly ${keyOf(name)}?: ${valueText(property, `${indent}  `)};\n`);
  return `{\n${lines.join('')}${indent}  readonly [property: string]: unknown;\n${indent}}`;
};

/** Queries look into lists on their way, so each value may be one or a list of them. */
const valueText = (value: Value, indent: string): string => {
  const types = [...value.types, ...(value.properties.size > 0 ? [propertiesText(value, indent)] : [])];
  if (types.length === 0) return 'unknown';
  return `SomeOf<${[...new Set(types)].sort().join(' | ')}>`;
};

/** The comment above a cohort. A name cannot end the comment. */
const comment = (text: string): string => `/** ${text.replaceAll('*/', '* /').replace(/\s+/g, ' ')} */`;

/** By name, the id of each cohort that has one. Of cohorts with the same name, the first. */
const firstIds = ({ cohorts }: TypedProject): readonly (readonly [name: string, id: string])[] =>
  [
    ...new Map(
      Object.entries(cohorts)
        .reverse()
        .flatMap(([id, { name }]) => (name === undefined ? [] : [[name, id] as const])),
    ),
  ].reverse();

const header =
  '// Written by `npm run types` of the SDK from the project definition. Write it anew when that changes.\n';

/**
 * Declarations for TypeScript: the cohorts of a project, and the events that its queries count, with the properties
 * that they read. Of other properties nothing is known, so they are allowed.
 */
export const projectTypes = (project: TypedProject): string => {
  const events: Events = new Map();
  for (const { q, sub = [] } of project.queries) for (const expr of [q, ...sub]) readExpr(expr, events);
  const cohortLines = Object.entries(project.cohorts).map(([id, { name }]) => {
    return `${name === undefined ? '' : `    ${comment(name)}\n`}    readonly ${JSON.stringify(id)}: true;\n`;
  });
  const eventLines = [...events]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `    readonly ${keyOf(name)}: ${propertiesText(value, '    ')};\n`);
  const nameLines = firstIds(project).map(
    ([name, id]) => `  readonly ${JSON.stringify(name)}: ${JSON.stringify(id)};\n`,
  );
  // A text without a space is taken for a code.
  const callableLines = Object.entries(idsOfNames(project.cohorts))
    .filter(([name]) => name.includes(' '))
    .map(([name, id]) => `    readonly ${JSON.stringify(name)}: ${JSON.stringify(id)};\n`);
  return `${header}import type {} from 'permutive-web-sdk';

declare global {
  interface PermutiveCohorts {
${cohortLines.join('')}  }

  interface PermutiveCohortNames {
${callableLines.join('')}  }

  interface PermutiveEvents {
${eventLines.join('')}  }
}

type SomeOf<T> = T | readonly T[] | null;

/** Ids of the cohorts by name, such as \`useCohort(cohorts['…'])\`. */
export declare const cohorts: {
${nameLines.join('')}};
`;
};

/** The module whose types are `projectTypes`: ids of cohorts by name. */
export const projectModule = (project: TypedProject): string =>
  `${header}export const cohorts = ${JSON.stringify(Object.fromEntries(firstIds(project)), null, 2)};\n`;
