import { h53 } from '../../src/engine/language/murmur';
import { norm } from '../../src/engine/language/text';
import type { RuleEntry } from '../../src/engine/rules/ruleEntry';
import { dayMs } from '../../src/primitives/duration';
import { models } from './advertising';

const hashes = (...words: readonly string[]): readonly number[] => words.map((word) => h53(norm(word), 0));

/** Kinds of events by their number in the tables. */
const [slotClicked, slotViewable, linkClick, productBuyClick, prebidBid] = [3, 4, 5, 6, 8];
const thirtyHours = 108_000_000;

/** A row: the number of the cohort, what the ad operations team calls it, and the entry. */
type Row = readonly [id: number, name: string, entry: RuleEntry];

/** Rules in the short form in which publishers ship thousands of them, at least one of each kind. */
const rows: readonly Row[] = [
  [
    21001,
    'Payments, by hidden words',
    {
      t: 1,
      kw: hashes('digital banking', 'open banking', 'embedded finance', 'payments', 'fintech'),
      h: 1,
      g: 2,
      m: 2,
      w: 28 * dayMs,
    },
  ],
  [
    21002,
    'Read a sponsored article, by content hash',
    {
      t: 1,
      ids: hashes('a-plain-guide-to-emergency-funds', 'fund-houses-learn-to-sell-patience'),
      p: ['article.id'],
      h: 1,
      w: thirtyHours,
    },
  ],
  [21003, 'Markets or tech, two to six times', { t: 1, cat: ['markets', 'tech'], n: 2, x: 6, w: 7 * dayMs }],
  [
    21004,
    'Commercial property',
    { t: 1, tax: ['Business and Finance/Industries/Real Estate Industry', 'Real Estate'], w: 30 * dayMs },
  ],
  [21005, 'Freight in the headline', { t: 1, txt: ['freight', 'smaller port', 'supply chain'], w: 84 * dayMs }],
  [21006, 'How-to pages, three times', { t: 1, url: ['tech/how-to', 'guides'], n: 3, w: 168 * dayMs }],
  [21007, 'Security, surely', { t: 1, cls: ['/technology and computing/computer security'], s: 0.74, w: 30 * dayMs }],
  [
    21008,
    'Energy, by several signs',
    { t: 1, kw: ['wind power', 'electricity'], tax: ['Science/Environment'], w: 28 * dayMs },
  ],
  [
    21009,
    'Seven keywords of the workplace',
    {
      t: 1,
      kw: [
        'hybrid work',
        'home office',
        'webcam',
        'passwords',
        'phishing',
        'two-factor',
        'video meetings',
        'equal pay',
      ],
      m: 7,
      w: 84 * dayMs,
    },
  ],
  [
    21010,
    'Clicked or saw the savings campaign',
    { t: 2, e: [slotClicked, slotViewable], ids: [5123456701, 5123456702], w: 168 * dayMs },
  ],
  [
    21011,
    'Product link or partner link',
    { t: 2, e: [linkClick, productBuyClick], p: ['dest_url'], url: ['savings'], w: 28 * dayMs },
  ],
  [21012, 'A bid of a named advertiser', { t: 2, e: [prebidBid], ids: ['Harbour Business Bank'], w: 84 * dayMs }],
  [21013, 'Partner data: two signs of moving house', { t: 3, pr: 'crosswind', ids: ['910', '911', '912'], m: 2 }],
  [
    21014,
    'Partner data: savers in Britain',
    { t: 3, pr: 'meridian', ids: ['300', '301'], geo: ['GB', 'United Kingdom'] },
  ],
  [21015, 'Like investors, loosely', { t: 4, id: models.investor, s: 0.69 }],
  [
    21016,
    'Markets, small business and money together',
    { t: 5, any: ['20101', '20109', '20111'], m: 3, not: ['20417'] },
  ],
  [21017, 'Office technology for owners', { t: 5, any: ['20204', '20205', '20213'], m: 2, all: ['20109'] }],
  [21018, 'Became a saver this quarter', { t: 6, any: ['20111'], w: 84 * dayMs }],
  [21019, 'Two minutes with markets', { t: 7, cat: ['markets'], n: 120, w: 28 * dayMs }],
  [21020, 'Logged in, seen this month', { t: 8, w: 30 * dayMs }],
];

/** The table as the project definition has it. */
export const rules: Readonly<Record<string, RuleEntry>> = Object.fromEntries(
  rows.map(([id, , entry]) => [String(id), entry]),
);
export const ruleNames: Readonly<Record<string, string>> = Object.fromEntries(
  rows.map(([id, name]) => [String(id), name]),
);
