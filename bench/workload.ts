import { Random } from '../demo/random';
import type { EngineEvent } from '../src/engine/engineEvent';
import { dayMs } from '../src/primitives/duration';
import type { Field, Rule, Test } from './rules';

/**
 * `selective`: rules name rarer words than pages use, as topical rules do. `dense`: rules name the same popular
 * words, which is the worst that an index can meet.
 */
export type Shape = 'selective' | 'dense';

export interface Size {
  readonly cohorts: number;
  readonly events: number;
  readonly shape: Shape;
}

export interface Workload {
  readonly rules: readonly Rule[];
  readonly events: readonly EngineEvent[];
}

/** The cohorts of a publisher and the events of one of its readers over two months. All text is in normal form. */
export const workload = ({ cohorts, events, shape }: Size, seed = 1): Workload => {
  const random = new Random(seed);
  const words = vocabulary(random);
  return { rules: rulesOf(random, words, shape, cohorts), events: eventsOf(random, words, events) };
};

const startMs = 1_700_000_000_000;
const readingDays = 60;

type Words = Readonly<Record<Field, readonly string[]>>;

const vocabulary = (random: Random): Words => {
  const syllables = 'b d f g k l m n p r s t v z'
    .split(' ')
    .flatMap((consonant) => ['a', 'e', 'i', 'o', 'u'].map((vowel) => consonant + vowel));
  const word = (): string => Array.from({ length: random.integer(2, 4) }, () => random.pick(syllables)).join('');
  const single = random.several(5000, word);
  const keywords = single.map((each, i) => (i % 3 === 0 ? `${each} ${random.pick(single)}` : each));
  const section = random.several(40, word);
  const tops = random.several(20, word);
  const taxonomy = tops.flatMap((top) =>
    random.several(15, word).flatMap((middle) => random.several(10, word).map((leaf) => `${top}/${middle}/${leaf}`)),
  );
  const url = section.flatMap((each) => random.several(20, word).map((sub) => `${each}/${sub}`));
  const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => String(5_123_456_000 + i));
  return {
    keywords,
    section,
    title: single,
    taxonomy,
    label: random.several(300, word),
    url,
    lineItem: numbers(2000),
    host: single.slice(0, 500).map((each) => `${each}.example`),
  };
};

type Make = (maker: Maker, id: string) => Rule;
const keywordRule: Make = (maker, id) =>
  maker.count(id, 'Pageview', [maker.test('keywords', 10, 30, maker.random.share() < 0.3 ? 2 : 1)]);

// What the tables of publishers are made of, in percent.
const mix: readonly (readonly [percent: number, make: Make])[] = [
  [38, keywordRule],
  [8, (maker, id) => maker.count(id, 'Pageview', [maker.test('section', 1, 3)])],
  [15, (maker, id) => maker.count(id, 'Pageview', [maker.test('taxonomy', 1, 4)])],
  [10, (maker, id) => maker.count(id, 'Pageview', [maker.test('title', 3, 8), maker.test('url', 1, 2)])],
  [
    8,
    (maker, id) =>
      maker.count(id, 'Pageview', [{ ...maker.test('label', 1, 3), score: maker.random.integer(50, 90) / 100 }]),
  ],
  [
    6,
    (maker, id) =>
      maker.count(id, maker.random.pick(['SlotViewable', 'SlotViewable', 'SlotClicked']), [
        maker.test('lineItem', 1, 5),
      ]),
  ],
  [3, (maker, id) => maker.count(id, 'LinkClick', [maker.test('host', 1, 3)])],
  [3, (maker, id) => ({ ...maker.engaged(id, 'sum'), low: maker.random.integer(1, 12) * 10 })],
  [2, (maker, id) => maker.engaged(id, 'views')],
  [
    4,
    (maker, id) => ({
      id,
      kind: 'combination',
      any: maker.earlier(3, 5),
      min: maker.random.integer(1, 3),
      not: maker.earlier(0, 1),
    }),
  ],
  [
    2,
    (maker, id) => ({
      id,
      kind: 'entered',
      of: maker.random.pick(maker.simple),
      low: maker.random.integer(1, 2),
      windowMs: maker.window(),
    }),
  ],
  [1, (maker, id) => ({ ...maker.count(id, 'Pageview', []), low: 2, high: maker.random.integer(6, 60) })],
];

const rulesOf = (random: Random, words: Words, shape: Shape, count: number): readonly Rule[] => {
  const maker = new Maker(random, words, shape);
  return Array.from({ length: count }, (_, i) => {
    const id = String(20_001 + i);
    let at = random.share() * 100;
    // What refers to others needs some to refer to.
    const make = (i < 20 ? undefined : mix.find(([percent]) => (at -= percent) < 0))?.[1] ?? keywordRule;
    const rule = make(maker, id);
    if (rule.kind !== 'entered' && rule.kind !== 'combination') maker.simple.push(id);
    return rule;
  });
};

type EventRule = Extract<Rule, { readonly event: string }>;

class Maker {
  /** Cohorts that do not refer to others. */
  readonly simple: string[] = [];
  private readonly draws: ReadonlyMap<Field, () => string>;

  constructor(
    readonly random: Random,
    words: Words,
    shape: Shape,
  ) {
    // Rules name a branch of the taxonomy, pages have its leaves.
    const operands: Words = {
      ...words,
      taxonomy: [...new Set(words.taxonomy.map((path) => path.split('/').slice(0, 2).join('/')))],
    };
    this.draws = new Map(
      (Object.entries(operands) as [Field, readonly string[]][]).map(([field, items]) => [
        field,
        shape === 'dense' ? random.zipf(items) : () => random.pick(items),
      ]),
    );
  }

  window(): number {
    return this.random.pick([7 * dayMs, 28 * dayMs, 30 * dayMs, 84 * dayMs, 168 * dayMs, 108_000_000]);
  }

  test(field: Field, least: number, most: number, min = 1): Test {
    return {
      field,
      operands: this.random.several(this.random.integer(least, most), this.draws.get(field) as () => string),
      min,
    };
  }

  count(id: string, event: string, tests: readonly Test[]): EventRule {
    return {
      id,
      kind: 'count',
      event,
      tests,
      low: this.random.pick([1, 1, 1, 1, 2, 2, 3, 3, 4, 6]),
      high: Infinity,
      windowMs: this.window(),
    };
  }

  engaged(id: string, kind: 'sum' | 'views'): EventRule {
    return { ...this.count(id, 'PageviewEngagement', [this.test('taxonomy', 1, 4)]), kind };
  }

  earlier(least: number, most: number): string[] {
    return this.random.several(this.random.integer(least, most), () => this.random.pick(this.simple));
  }
}

/** Page views with what follows on them: engagement, ads in view, clicks. */
const eventsOf = (random: Random, words: Words, count: number): readonly EngineEvent[] => {
  const reader = new Reader(random, words, (readingDays * dayMs) / count);
  while (reader.events.length < count) reader.visitPage();
  return reader.events.slice(0, count);
};

class Reader {
  readonly events: EngineEvent[] = [];
  private time = startMs;
  private session = 0;
  private view = 0;
  private readonly draw: Readonly<Record<Field, () => string>>;

  constructor(
    private readonly random: Random,
    words: Words,
    private readonly stepMs: number,
  ) {
    this.draw = Object.fromEntries(
      Object.entries(words).map(([field, items]) => [field, random.zipf(items)]),
    ) as unknown as Record<Field, () => string>;
  }

  visitPage(): void {
    const { random } = this;
    if (random.share() < 0.15) this.session++;
    this.view++;
    const page = this.page();
    this.add('Pageview', page);
    for (let i = random.integer(0, 2), total = 0; i > 0; i--) {
      const seconds = random.integer(2, 40);
      this.add('PageviewEngagement', {
        ...page,
        engaged_time: seconds,
        total_engaged_time: (total += seconds),
        completion: 0.2,
        total_completion: 0.2 * i,
      });
    }
    if (random.share() < 0.6)
      this.add('SlotViewable', {
        ...page,
        line_item_id: Number(this.draw.lineItem()),
        slot: { name: 'top', size: '300x250' },
      });
    if (random.share() < 0.03)
      this.add('SlotClicked', {
        ...page,
        line_item_id: Number(this.draw.lineItem()),
        slot: { name: 'top', size: '300x250' },
      });
    if (random.share() < 0.1)
      this.add('LinkClick', { ...page, dest_url: `https://www.${this.draw.host()}/offer?id=${this.view}` });
  }

  private page(): EngineEvent['properties'] {
    const { random, draw } = this;
    const title = Array.from({ length: 8 }, draw.title).join(' ');
    const url = `https://www.paper.example/${draw.url()}/${title.replaceAll(' ', '-')}.html`;
    const labels = random.several(3, draw.taxonomy);
    return {
      client: { url, domain: 'www.paper.example', title, referrer: 'https://www.paper.example/' },
      article: {
        title,
        section: draw.section(),
        keywords: random.several(random.integer(6, 10), draw.keywords),
        authors: ['a. writer'],
      },
      classifications: {
        taxonomy_labels: labels,
        categories: random.several(3, draw.label).map((label) => ({ label, score: random.integer(30, 99) / 100 })),
        sentiment: { label: random.pick(['positive', 'neutral', 'negative']), score: 0.5 },
      },
    };
  }

  private add(name: string, properties: EngineEvent['properties']): void {
    this.time += Math.ceil(this.random.share() * 2 * this.stepMs);
    this.events.push({ name, time: this.time, properties, session_id: `s${this.session}`, view_id: `v${this.view}` });
  }
}
