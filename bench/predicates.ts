import type { EngineEvent } from '../src/engine/engineEvent';
import { textsOf } from '../src/engine/index/operandLeaf';
import { type PathReader, pathReader } from '../src/engine/index/paths';
import { canon } from '../src/engine/language/canonical';
import type { CanonicalPred, EventExpr } from '../src/engine/language/canonicalLanguage';
import { emitKeys, type ExtractionKind, operandLength } from '../src/engine/language/extraction';
import type { Pred } from '../src/engine/language/language';
import { type Rule, whereOf } from './rules';

/** What all subjects evaluate: a test of events of one name; without a test any of them matches. */
export interface Predicate {
  readonly event: string;
  readonly where: CanonicalPred | undefined;
}

export const predicatesOf = (rules: readonly Rule[]): readonly Predicate[] =>
  rules.flatMap((rule) => {
    if (rule.kind === 'entered' || rule.kind === 'combination') return [];
    const where = whereOf(rule);
    return { event: rule.event, where: where && canonicalPred(where) };
  });

export const canonicalPred = (where: Pred): CanonicalPred =>
  (canon({ id: '', q: { event: 'x', where } }).q as EventExpr).where as CanonicalPred;

/** What peers are given of an event: lists and numbers under flat names. */
export type Facts = Readonly<Record<string, unknown>>;

/**
 * Peers cannot split paths, hosts and titles, so they get the keys of an event ready-made, not on their time: for
 * `under`, `words`, `urlPath` and `domain` the very keys that the engine takes itself. All they do is look them up.
 */
export class FactTable {
  private readonly fields = new Map<
    string,
    {
      readonly name: string;
      readonly read: PathReader;
      readonly kind: ExtractionKind | 'elements' | 'number';
      longest: number;
    }
  >();

  /** The name of the fact that a leaf is about. */
  nameOf(kind: ExtractionKind | 'elements' | 'number', path: string, operands: readonly unknown[] = []): string {
    const key = `${kind} ${path}`;
    const field = this.fields.get(key) ?? { name: `f${this.fields.size}`, read: pathReader(path), kind, longest: 1 };
    this.fields.set(key, field);
    if (kind !== 'elements' && kind !== 'number')
      for (const operand of operands) field.longest = Math.max(field.longest, operandLength(kind, String(operand)));
    return field.name;
  }

  factsOf(event: EngineEvent): Facts {
    const facts: Record<string, unknown> = {};
    for (const { name, read, kind, longest } of this.fields.values()) {
      const values = read({ root: event.properties, event });
      if (kind === 'elements') facts[name] = values.filter((value) => typeof value === 'object');
      else if (kind === 'number') facts[name] = values.find((value) => typeof value === 'number') ?? null;
      else {
        const keys = new Set<string>();
        for (const text of textsOf(values, 'case')) emitKeys(kind, text, longest, (each) => keys.add(each));
        facts[name] = [...keys];
      }
    }
    return facts;
  }
}

/** The part of the language that the workload is written in, and that every peer can express. */
export interface Dialect<Condition> {
  readonly and: (conditions: readonly Condition[]) => Condition;
  readonly or: (conditions: readonly Condition[]) => Condition;
  readonly anyIn: (fact: string, operands: readonly string[]) => Condition;
  /** Two different operands at least. */
  readonly twoIn: (fact: string, operands: readonly string[]) => Condition;
  readonly labelled: (fact: string, labels: readonly string[], score: number) => Condition;
  readonly atLeast: (fact: string, number: number) => Condition;
}

/** Says a predicate in the words of a peer. */
export const translate = <Condition>(
  where: CanonicalPred,
  facts: FactTable,
  dialect: Dialect<Condition>,
): Condition => {
  const inner = (node: CanonicalPred): Condition => translate(node, facts, dialect);
  if ('and' in where) return dialect.and(where.and.map(inner));
  if ('or' in where) return dialect.or(where.or.map(inner));
  if ('gte' in where) return dialect.atLeast(facts.nameOf('number', where.p), where.gte);
  if ('any' in where && 'and' in where.any) {
    const fields = Object.assign({}, ...where.any.and) as { readonly in: readonly string[]; readonly gte: number };
    return dialect.labelled(facts.nameOf('elements', where.p), fields.in, fields.gte);
  }
  const kind = (['in', 'words', 'under', 'urlPath', 'domain'] as const).find((tag) => tag in where);
  if (kind === undefined) throw new Error(`${JSON.stringify(where)} is not part of the bench`);
  const {
    min = 1,
    p,
    [kind]: operands = [],
  } = where as { readonly min?: number; readonly p: string } & Partial<Record<ExtractionKind, readonly string[]>>;
  const fact = facts.nameOf(kind, p, operands);
  return min === 1 ? dialect.anyIn(fact, operands) : dialect.twoIn(fact, operands);
};
