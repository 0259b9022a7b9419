import type { EngineEvent } from '../src/engine/engineEvent';
import { engagedViewSeconds, type EventRule, type Field, type Rule } from './rules';

interface Leaf {
  readonly rule: number;
  readonly min: number;
  count: number;
  stamp: number;
}

interface Posting {
  readonly leaf: Leaf;
  readonly score: number;
}

type Postings = Map<string, Posting[]>;
interface NameTable {
  readonly always: number[];
  readonly fields: Partial<Record<Field, Postings>>;
}

export interface Page {
  readonly client?: { readonly url: string };
  readonly article?: { readonly title: string; readonly section: string; readonly keywords: readonly string[] };
  readonly classifications?: {
    readonly taxonomy_labels: readonly string[];
    readonly categories: readonly { readonly label: string; readonly score: number }[];
  };
  readonly line_item_id?: number;
  readonly dest_url?: string;
  readonly total_engaged_time?: number;
  readonly engaged_time?: number;
}

/** Inverted lists over the fields of the bench's events. */
export class LimitIndex {
  /** The rules that the last event met; the first `found` of them count. */
  readonly matched: Int32Array;
  found = 0;
  private readonly tables = new Map<string, NameTable>();
  private readonly stamps: Int32Array;
  private readonly engagedOnly: Uint8Array;
  private stamp = 0;
  private engaged = false;

  constructor(rules: readonly Rule[]) {
    this.matched = new Int32Array(rules.length);
    this.stamps = new Int32Array(rules.length);
    this.engagedOnly = Uint8Array.from(rules, ({ kind }) => (kind === 'views' ? 1 : 0));
    rules.forEach((rule, number) => {
      if (rule.kind !== 'entered' && rule.kind !== 'combination') this.add(rule, number);
    });
  }

  match({ name, properties }: EngineEvent): void {
    this.found = 0;
    const table = this.tables.get(name);
    if (table === undefined) return;
    this.stamp++;
    const page = properties as Page;
    this.engaged = (page.total_engaged_time ?? 0) >= engagedViewSeconds;
    for (const rule of table.always) this.matched[this.found++] = rule;
    this.matchArticle(page, table.fields);
    const { lineItem, host } = table.fields;
    if (lineItem !== undefined && page.line_item_id !== undefined) this.hit(lineItem.get(String(page.line_item_id)), 0);
    if (host !== undefined && page.dest_url !== undefined) this.matchHost(page.dest_url, host);
  }

  private add({ event, tests }: EventRule, rule: number): void {
    const table = this.tables.get(event) ?? { always: [], fields: {} };
    this.tables.set(event, table);
    if (tests.length === 0) table.always.push(rule);
    for (const { field, operands, min, score = 0 } of tests) {
      const postings = (table.fields[field] ??= new Map<string, Posting[]>());
      const leaf = { rule, min, count: 0, stamp: 0 };
      for (const operand of operands) {
        const list = postings.get(operand) ?? [];
        postings.set(operand, list);
        list.push({ leaf, score });
      }
    }
  }

  private matchArticle(
    { article, classifications, client }: Page,
    { keywords, section, title, taxonomy, label, url }: NameTable['fields'],
  ): void {
    if (article !== undefined) {
      if (keywords !== undefined) for (const keyword of article.keywords) this.hit(keywords.get(keyword), 0);
      if (section !== undefined) this.hit(section.get(article.section), 0);
      if (title !== undefined) for (const word of article.title.split(' ')) this.hit(title.get(word), 0);
    }
    if (classifications !== undefined) {
      if (taxonomy !== undefined)
        for (const path of classifications.taxonomy_labels)
          this.hit(taxonomy.get(path.slice(0, path.lastIndexOf('/'))), 0);
      if (label !== undefined)
        for (const category of classifications.categories) this.hit(label.get(category.label), category.score);
    }
    if (url !== undefined && client !== undefined) {
      const [, , , first = '', second = ''] = client.url.split('/');
      this.hit(url.get(`${first}/${second}`), 0);
    }
  }

  private matchHost(address: string, host: Postings): void {
    const full = address.slice(8, address.indexOf('/', 8));
    this.hit(host.get(full.slice(full.indexOf('.') + 1)), 0);
  }

  private hit(postings: readonly Posting[] | undefined, score: number): void {
    if (postings === undefined) return;
    for (const { leaf, score: least } of postings) {
      if (score < least) continue;
      if (leaf.stamp !== this.stamp) {
        leaf.stamp = this.stamp;
        leaf.count = 0;
      }
      const { rule } = leaf;
      if (
        ++leaf.count !== leaf.min ||
        this.stamps[rule] === this.stamp ||
        (this.engagedOnly[rule] === 1 && !this.engaged)
      )
        continue;
      this.stamps[rule] = this.stamp;
      this.matched[this.found++] = rule;
    }
  }
}
