import { exprConstructs, predConstructs } from '../project/language/constructs';
import type { Construct } from '../project/language/kinds';
import { DecodeError, readAs } from '../src/codecs/codecs';
import { cellOrder, checkSize } from '../src/engine/cells/cellOrder';
import { canon } from '../src/engine/language/canonical';
import type { Expr, Pred } from '../src/engine/language/language';
import { DefinitionCodec } from '../src/engine/language/languageCodec';
import { type Visitor, visitor } from '../src/testing/testing';
import {
  beyondLimits,
  nodeExamples,
  pathEvent,
  pathExamples,
  referredCohort,
  referredSub,
  shortForms,
} from './languageExamples';

// The tables of docs/query-language.md: what the codecs say and what the engine makes of the examples. An example that
// does not do what it stands for throws.

const definitionOf = (q: unknown): object => ({ id: 'example', q, sub: [referredSub] });
const withWhere = (where: unknown): object => ({ event: 'Buy', where });

/** What the codecs, or the compiler after them, say of a condition; undefined where nothing is wrong. */
export const messageOf = (q: unknown): string | undefined => {
  const read = readAs(DefinitionCodec, definitionOf(q));
  if (read instanceof DecodeError) return read.message;
  try {
    checkSize(canon(read));
    cellOrder(canon(read));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

/** The names of which the codecs want one, as their own message lists them. */
const tagsOf = (message: string | undefined): readonly string[] =>
  /exactly one of (.*)$/.exec(message ?? '')?.[1]?.split(', ') ?? [];

export const nodeTags = (): readonly string[] => tagsOf(messageOf({}));

/** The keys that may stand beside a tag, as the codecs' own message lists them. */
const keysBeside = (tag: string, example: object, wrap: (node: unknown) => unknown = (node) => node): string => {
  const message = messageOf(wrap({ ...example, '': 1 })) ?? '';
  const keys = /with only (.*)$/.exec(message)?.[1]?.split(', ') ?? [];
  return keys
    .filter((key) => key !== tag)
    .map((key) => `\`${key}\``)
    .join(' ');
};

/** Nodes that have one object, in which their fields stand. */
const nested = ['thirdParty', 'secondParty', 'lookalike'];

/** The keys that may stand beside a node's tag, or in its object. */
const keysOfNode = (tag: string, example: Expr): string =>
  nested.includes(tag)
    ? `in it: ${keysBeside('', (example as Readonly<Record<string, object>>)[tag] ?? {}, (inner) => ({ [tag]: inner }))}`
    : keysBeside(tag, example);

const isIn = (who: Visitor, q: unknown): boolean =>
  who.cohorts({ queries: [definitionOf(q), referredCohort] }).includes('example');

const sure = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`An example of the query language is wrong: ${what}`);
};

const mistakeOf = (q: unknown, what: string): string => {
  const message = messageOf(q);
  sure(message !== undefined, `${what} has a mistake that is none`);
  // What is wrong, with its place within the example.
  return String(message)
    .replace(/^q\/where(\/?)/, '')
    .replace(/^q(\/|(?=:))/, '')
    .replace(/^: /, '');
};

const code = (value: unknown): string => `\`${JSON.stringify(value).replaceAll('|', '\\|')}\``;
/** A cell of a table. Long lists of names are cut. */
const cell = (text: string): string => text.replaceAll('|', '\\|');
/** A sentence as a cell has it: without a capital, and without its full stop. */
const inCell = (sentence: string): string =>
  `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const operatorTable = (): string =>
  table(
    ['name', 'holds when', 'beside it', 'example', 'true of', 'false of', 'mistake', 'its error'],
    Object.entries(predConstructs).map(([tag, { help, example, holds, fails, mistake }]) => {
      const buys = (properties: object): boolean =>
        isIn(visitor().event('Buy', properties as Readonly<Record<string, unknown>>), withWhere(example));
      sure(buys(holds), `${tag} is true of ${JSON.stringify(holds)}`);
      sure(!buys(fails), `${tag} is false of ${JSON.stringify(fails)}`);
      return [
        ...[`\`${tag}\``, inCell(help), keysBeside(tag, example, withWhere), code(example), code(holds), code(fails)],
        ...[code(mistake), cell(mistakeOf(withWhere(mistake), tag))],
      ];
    }),
  );

const nodeTable = (): string =>
  table(
    ['name', 'holds when, or counts', 'beside it', 'example', 'true for', 'false for', 'mistake', 'its error'],
    Object.entries(nodeExamples).map(([name, { example, holds, fails, mistake }]) => {
      const [tag = '', by = ''] = name.split(', ');
      const { help, fields } = (exprConstructs as Readonly<Record<string, Construct>>)[tag] as Construct;
      sure(isIn(holds[1], example), `${name} is true for ${holds[0]}`);
      sure(!isIn(fails[1], tag === 'const' ? { const: false } : example), `${name} is false for ${fails[0]}`);
      return [
        ...[
          `\`${name.replace(', ', '` with `')}\``,
          inCell(fields[by]?.help ?? help),
          keysOfNode(tag, example),
          code(example),
        ],
        ...[holds[0], fails[0], code(mistake), cell(mistakeOf(mistake, name))],
      ];
    }),
  );

const pathTable = (): string =>
  table(
    ['name', 'what it reads', 'true', 'false'],
    Object.entries(pathExamples).map(([path, { meaning, holds, fails }]) => {
      const buys = (where: Pred): boolean => isIn(visitor().event('Buy', pathEvent), withWhere(where));
      sure(buys(holds) && !buys(fails), path);
      return [`\`${path}\``, meaning, code(holds), code(fails)];
    }),
  );

const windowTable = (): string => {
  const rowOf = (name: string, within: unknown, meaning: string, mistake: unknown): readonly string[] => {
    const count = (window: unknown): object => ({ event: 'Pageview', ...(window !== undefined && { within: window }) });
    sure(messageOf(count(within)) === undefined, name);
    return [
      name,
      within === undefined ? '' : code(within),
      meaning,
      code(mistake),
      cell(mistakeOf(count(mistake), name)),
    ];
  };
  return table(
    ['name', 'example', 'events that count', 'mistake', 'its error'],
    [
      rowOf('life time', undefined, 'all, since the query has been there', null),
      ...['seconds', 'minutes', 'hours', 'days', 'weeks'].map((unit) =>
        rowOf(unit, { [unit]: 2 }, `of the last 2 ${unit}`, { [unit]: 0 }),
      ),
      rowOf('ms', 108_000_000, 'of the last 30 hours', 1.5),
      rowOf('session', 'session', 'of this session: it ends after 30 minutes without an event', 'sessions'),
      rowOf('view', 'view', 'of the page view that is open', { months: 1 }),
    ],
  );
};

const defaultTable = (): string =>
  table(
    ['name', 'written', 'means'],
    Object.entries(shortForms).map(([name, q]) => [name, code(q), code(canon({ id: '', q }).q as unknown)]),
  );

const limitTable = (): string =>
  table(
    ['name', 'limit', 'error beyond it'],
    Object.entries(beyondLimits).map(([name, [limit, q]]) => [name, limit, cell(mistakeOf(q as Expr, name))]),
  );

/** The tables, by the marks that they stand between. */
export const languageTables: readonly { readonly name: string; readonly text: () => string }[] = [
  { name: 'nodes', text: nodeTable },
  { name: 'operators', text: operatorTable },
  { name: 'paths', text: pathTable },
  { name: 'windows', text: windowTable },
  { name: 'defaults', text: defaultTable },
  { name: 'limits', text: limitTable },
];
