import { type DecodeError, readAs } from '../../codecs/codecs';
import type { Cmp, Definition, Expr, Id, Leaf, Pred } from '../language/language';
import { DefinitionCodec } from '../language/languageCodec';
import {
  type CohortLists,
  type CountLimits,
  EntryCodec,
  eventNames,
  listNames,
  type lists,
  type RuleEntry,
  type SignalLists,
} from './ruleEntry';

/** Writes an entry in the query language. */
export const expandRule = (id: Id, entry: RuleEntry): Definition => {
  const q =
    entry.geo === undefined
      ? conditionOf(entry)
      : { and: [conditionOf(entry), { lookup: 'geo' as const, where: { p: 'country', in: entry.geo } }] };
  return { id, q, ...(entry.a && { activations: entry.a }) };
};

/** The entries of a table that are definitions, and what was wrong with the others. */
export interface ExpandedTable {
  readonly definitions: readonly Definition[];
  readonly errors: readonly { readonly id: Id; readonly error: DecodeError }[];
}

/** Expands a table of entries by id. A broken entry costs itself only. */
export const expandTable = (table: Readonly<Record<Id, unknown>>): ExpandedTable => {
  const definitions: Definition[] = [];
  const errors: { id: Id; error: DecodeError }[] = [];
  for (const [id, entry] of Object.entries(table)) {
    const result = definitionOf(id, entry);
    if (result instanceof Error) errors.push({ id, error: result });
    else definitions.push(result);
  }
  return { definitions, errors };
};

const definitionOf = (id: Id, input: unknown): Definition | DecodeError => {
  const entry = readAs(EntryCodec, input);
  return entry instanceof Error ? entry : readAs(DefinitionCodec, expandRule(id, entry));
};

const conditionOf = (entry: RuleEntry): Expr => {
  switch (entry.t) {
    case 1:
    case 2:
      return {
        event: [...new Set(entry.e ?? [1])].map((number) => eventNames[number - 1] ?? ''),
        ...whereOf(entry, entry.t === 1 ? contentPaths : adPaths),
        ...countOf(entry),
      };
    case 3:
      return {
        thirdParty: {
          provider: entry.pr,
          in: entry.ids,
          ...only({ min: entry.m, hashed: entry.h === 1 || undefined }),
        },
      };
    case 4:
      return { lookalike: { model: entry.id, gte: entry.s } };
    case 5:
      return combine(entry, (cohort) => ({ cohort }));
    case 6:
      return combine(entry, (entered) => ({ entered, ...countOf(entry) }));
    case 7:
      return { event: 'PageviewEngagement', sum: 'engaged_time', ...whereOf(entry, contentPaths), ...countOf(entry) };
    case 8:
      return { last: { event: 'LoginStatus' }, is: { p: 'logged_in', is: true }, ...only({ within: entry.w }) };
  }
};

/** The fields of an object that are not undefined. */
const only = <Fields extends object>(fields: Fields): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined)) as {
    [Key in keyof Fields]?: Exclude<Fields[Key], undefined>;
  };

const countOf = ({ n, x, w }: CountLimits): { readonly is?: Cmp; readonly within?: number } =>
  // Without a least number, an upper limit still requires that there was one event.
  only({
    is: x !== undefined ? { between: [n ?? 1, x] as const } : n !== undefined ? { gte: n } : undefined,
    within: w,
  });

const combine = ({ any, all = [], not = [], m }: CohortLists, test: (id: Id) => Expr): Expr => {
  const some: readonly Expr[] = any === undefined ? [] : [{ match: any.map(test), ...only({ min: m }) }];
  const parts = [...some, ...all.map(test), ...not.map((id) => ({ not: test(id) }))];
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : { and: parts };
};

type ListPaths = Readonly<Record<keyof typeof lists, readonly string[]>>;
const contentPaths: ListPaths = {
  kw: ['article.keywords'],
  txt: ['article.title', 'article.description'],
  cat: ['article.section'],
  tax: ['article.taxonomy', 'classifications.taxonomy_labels'],
  url: ['client.url'],
  // The ids of content are hashes of its address.
  ids: ['client.url'],
  cls: ['classifications.categories'],
};
const adPaths: ListPaths = {
  ...contentPaths,
  ids: ['campaign_id', 'advertiser_id', 'line_item_id', 'advertiser_name'],
};
const operators = { kw: 'in', txt: 'words', cat: 'in', tax: 'under', url: 'urlPath', ids: 'in' } as const;

const whereOf = (entry: SignalLists, usualPaths: ListPaths): { readonly where?: Pred } => {
  const leaves = listNames.flatMap((name) =>
    entry[name] === undefined ? [] : (entry.p ?? usualPaths[name]).map((path) => leafOf(name, path, entry)),
  );
  const [first] = leaves;
  return only({ where: leaves.length > 1 ? { or: leaves } : first });
};

const leafOf = (name: keyof typeof lists, p: string, entry: SignalLists): Leaf => {
  const options = only({ hashed: entry.h === 1 || undefined, grams: entry.g });
  const min = only({ min: entry.m });
  if (name !== 'cls') return { p, [operators[name]]: entry[name], ...options, ...min };
  const label: Leaf = { p: 'label', in: entry.cls ?? [], ...options };
  // Label and score in the same element of the list.
  return { p, any: entry.s === undefined ? label : { and: [label, { p: 'score', gte: entry.s }] }, ...min };
};
