import type { EngineEvent } from '../../../src/engine/engineEvent';
import type { Expr, Pred } from '../../../src/engine/language/language';
import { DefinitionCodec } from '../../../src/engine/language/languageCodec';
import { h53 } from '../../../src/engine/language/murmur';
import { norm } from '../../../src/engine/language/text';
import { expandRule, expandTable } from '../../../src/engine/rules/expandRules';
import { EntryCodec, type RuleEntry } from '../../../src/engine/rules/ruleEntry';
import type { RuntimeInput } from '../../../src/engine/runtimeInput';
import { dayMs } from '../../../src/primitives/duration';
import { event, start, t0 } from '../support/run';

const model = '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const hash = (text: string): number => h53(norm(text), 0);
const pageview = (where?: Pred, more: object = {}): Expr => ({ event: ['Pageview'], ...(where && { where }), ...more });

describe('an entry becomes a condition', () => {
  it.each<[string, RuleEntry, Expr]>([
    ['nothing but its kind: any page view', { t: 1 }, pageview()],
    ['keywords', { t: 1, kw: ['savings'] }, pageview({ p: 'article.keywords', in: ['savings'] })],
    [
      'phrases',
      { t: 1, txt: ['supply chain'] },
      pageview({
        or: [
          { p: 'article.title', words: ['supply chain'] },
          { p: 'article.description', words: ['supply chain'] },
        ],
      }),
    ],
    ['sections', { t: 1, cat: ['markets'] }, pageview({ p: 'article.section', in: ['markets'] })],
    [
      'taxonomy paths',
      { t: 1, tax: ['Real Estate'] },
      pageview({
        or: [
          { p: 'article.taxonomy', under: ['Real Estate'] },
          { p: 'classifications.taxonomy_labels', under: ['Real Estate'] },
        ],
      }),
    ],
    ['path fragments', { t: 1, url: ['guides/savings'] }, pageview({ p: 'client.url', urlPath: ['guides/savings'] })],
    [
      'content hashes',
      { t: 1, ids: [635012219377014], h: 1 },
      pageview({ p: 'client.url', in: [635012219377014], hashed: true }),
    ],
    [
      'labels',
      { t: 1, cls: ['sport'] },
      pageview({ p: 'classifications.categories', any: { p: 'label', in: ['sport'] } }),
    ],
    [
      'labels with a score',
      { t: 1, cls: ['sport'], s: 0.7, m: 2 },
      pageview({
        p: 'classifications.categories',
        any: {
          and: [
            { p: 'label', in: ['sport'] },
            { p: 'score', gte: 0.7 },
          ],
        },
        min: 2,
      }),
    ],
    [
      'a path of its own',
      { t: 1, kw: ['x'], p: ['tags', 'article.tags'] },
      pageview({
        or: [
          { p: 'tags', in: ['x'] },
          { p: 'article.tags', in: ['x'] },
        ],
      }),
    ],
    [
      'several lists',
      { t: 1, kw: ['x'], cat: ['y'] },
      pageview({
        or: [
          { p: 'article.keywords', in: ['x'] },
          { p: 'article.section', in: ['y'] },
        ],
      }),
    ],
    [
      'hashes, runs and a number of signals',
      { t: 1, kw: [1, 2], h: 1, g: 3, m: 2 },
      pageview({ p: 'article.keywords', in: [1, 2], hashed: true, grams: 3, min: 2 }),
    ],
    [
      'a number of events in a window',
      { t: 1, n: 3, w: 604_800_000 },
      pageview(undefined, { is: { gte: 3 }, within: 604_800_000 }),
    ],
    ['a range of events', { t: 1, n: 2, x: 6 }, pageview(undefined, { is: { between: [2, 6] } })],
    ['at most so many events', { t: 1, x: 6 }, pageview(undefined, { is: { between: [1, 6] } })],
    ['events by number', { t: 1, e: [1, 2, 2] }, { event: ['Pageview', 'PageviewComplete'] }],
    [
      'the example',
      { t: 1, kw: [7782761718040774], h: 1, m: 2, n: 3, w: 604_800_000 },
      pageview(
        { p: 'article.keywords', in: [7782761718040774], hashed: true, min: 2 },
        { is: { gte: 3 }, within: 604_800_000 },
      ),
    ],
    [
      'advertising events',
      { t: 2, e: [3, 4], ids: [5123456789], p: ['line_item_id'] },
      { event: ['SlotClicked', 'SlotViewable'], where: { p: 'line_item_id', in: [5123456789] } },
    ],
    [
      'advertising ids of any kind',
      { t: 2, e: [8], ids: [7] },
      {
        event: ['PrebidBid'],
        where: {
          or: [
            { p: 'campaign_id', in: [7] },
            { p: 'advertiser_id', in: [7] },
            { p: 'line_item_id', in: [7] },
            { p: 'advertiser_name', in: [7] },
          ],
        },
      },
    ],
    [
      'links',
      { t: 2, e: [5, 6], url: ['deals'], p: ['dest_url'] },
      { event: ['LinkClick', 'ProductBuyClick'], where: { p: 'dest_url', urlPath: ['deals'] } },
    ],
    ['third-party ids', { t: 3, pr: 'acme', ids: ['1', 2] }, { thirdParty: { provider: 'acme', in: ['1', 2] } }],
    [
      'hashed third-party ids',
      { t: 3, pr: 'acme', ids: [1, 2], m: 2, h: 1 },
      { thirdParty: { provider: 'acme', in: [1, 2], min: 2, hashed: true } },
    ],
    ['a model', { t: 4, id: model, s: 0.76 }, { lookalike: { model, gte: 0.76 } }],
    [
      'a combination',
      { t: 5, any: ['30001', '30002', '30003'], m: 2, all: ['30005'], not: ['30004'] },
      {
        and: [
          { match: [{ cohort: '30001' }, { cohort: '30002' }, { cohort: '30003' }], min: 2 },
          { cohort: '30005' },
          { not: { cohort: '30004' } },
        ],
      },
    ],
    ['any of some cohorts', { t: 5, any: ['1', '2'] }, { match: [{ cohort: '1' }, { cohort: '2' }] }],
    ['none of a cohort', { t: 5, not: ['1'] }, { not: { cohort: '1' } }],
    [
      'cohorts recently entered',
      { t: 6, any: ['1'], all: ['2'], n: 2, w: 1000 },
      {
        and: [
          { match: [{ entered: '1', is: { gte: 2 }, within: 1000 }] },
          { entered: '2', is: { gte: 2 }, within: 1000 },
        ],
      },
    ],
    [
      'engaged seconds',
      { t: 7, tax: ['Tech'], p: ['article.taxonomy'], n: 60, w: 1000 },
      {
        event: 'PageviewEngagement',
        sum: 'engaged_time',
        where: { p: 'article.taxonomy', under: ['Tech'] },
        is: { gte: 60 },
        within: 1000,
      },
    ],
    ['logged in', { t: 8 }, { last: { event: 'LoginStatus' }, is: { p: 'logged_in', is: true } }],
    [
      'logged in lately',
      { t: 8, w: 1000 },
      { last: { event: 'LoginStatus' }, is: { p: 'logged_in', is: true }, within: 1000 },
    ],
    [
      'a country',
      { t: 4, id: model, s: 0, geo: ['US', 'CA'] },
      { and: [{ lookalike: { model, gte: 0 } }, { lookup: 'geo', where: { p: 'country', in: ['US', 'CA'] } }] },
    ],
  ])('%s', (_what, entry, q) => {
    expect(EntryCodec(entry)).toEqual([]);
    const definition = expandRule('7', entry);
    expect(definition).toEqual({ id: '7', q });
    expect(DefinitionCodec(definition)).toEqual([]);
  });

  it('keeps its activations', () => {
    const a = { dfp: { trigger: 'EveryTime' as const } };
    expect(expandRule('7', { t: 8, a }).activations).toEqual(a);
  });
});

describe('a broken entry', () => {
  const errorOf = (entry: unknown): string =>
    expandTable({ x: entry })
      .errors.map(({ id, error }) => `${id}: ${error.message}`)
      .join();

  it.each<[string, unknown, string]>([
    ['of no kind', {}, '(root): expected an entry with t from 1 to 8'],
    ['of an unknown kind', { t: 9, kw: ['x'] }, '(root): expected an entry with t from 1 to 8'],
    ['that is null', null, '(root): expected an entry with t from 1 to 8'],
    ['that is a list', [1], '(root): expected an entry with t from 1 to 8'],
    ['with a kind in text', { t: '1' }, 't: expected an integer from 1 to 8'],
    ['with a field of another kind', { t: 8, kw: ['x'] }, '(root): expected an entry with only t, w, geo, a'],
    ['without signals in a list', { t: 1, kw: [] }, 'kw: expected a list of 1 to 20000'],
    [
      'with a signal that is neither text nor number',
      { t: 1, kw: ['x', null] },
      'kw/1: expected a string or a finite number',
    ],
    ['with words among its hashes', { t: 1, kw: [1], cat: ['x'], h: 1 }, '(root): expected integers as hashed signals'],
    [
      'with one path for two lists',
      { t: 1, kw: ['x'], cat: ['y'], p: ['z'] },
      '(root): expected one list of signals beside p',
    ],
    ['with a score and no labels', { t: 1, kw: ['x'], s: 0.5 }, '(root): expected cls beside s'],
    ['with a number of no signals', { t: 1, m: 2 }, '(root): expected a list of signals beside m'],
    ['with an unknown event', { t: 2, e: [9], ids: [1] }, 'e/0: expected an integer from 1 to 8'],
    ['with no event', { t: 2, e: [] }, 'e: expected a list of 1 to 8'],
    ['with a window of nothing', { t: 1, w: 0 }, `w: expected an integer from 1 to ${Number.MAX_SAFE_INTEGER}`],
    ['with a count of nothing', { t: 1, n: 0 }, 'n: expected a number above 0'],
    ['without a provider', { t: 3, ids: ['1'] }, 'pr: expected a string that is not empty'],
    ['with a share above one', { t: 4, id: model, s: 1.1 }, 's: expected a number from 0 to 1'],
    ['without cohorts', { t: 5 }, '(root): expected any, all or not'],
    ['with a number of no cohorts', { t: 6, all: ['1'], m: 1 }, '(root): expected any beside m'],
    ['with a cohort that is no id', { t: 5, any: [30001] }, 'any/0: expected a string that is not empty'],
    [
      'with a window of more than 400 days',
      { t: 1, w: 401 * dayMs },
      'q/within: expected a duration of at most 400 days',
    ],
    [
      'with an unknown trigger',
      { t: 8, a: { dfp: { trigger: 'Never' } } },
      'activations/dfp/trigger: expected one of EveryTime, OnEntry, OnExit',
    ],
    [
      'with hashed ids that are none',
      { t: 3, pr: 'acme', ids: ['x'], h: 1 },
      '(root): expected integers as hashed signals',
    ],
  ])('%s', (_what, entry, message) => {
    expect(errorOf(entry)).toBe(`x: ${message}`);
  });

  it('costs itself only', () => {
    const table: unknown = JSON.parse('{"1":{"t":8},"2":{"t":0},"__proto__":{"t":1}}');
    const { definitions, errors } = expandTable(table as Record<string, unknown>);
    expect(definitions.map(({ id }) => id)).toEqual(['1', '__proto__']);
    expect(errors.map(({ id }) => id)).toEqual(['2']);
  });
});

describe('expanded entries in the engine', () => {
  const members = (
    table: Record<string, RuleEntry>,
    events: readonly EngineEvent[],
    changes: Partial<RuntimeInput> = {},
  ): readonly string[] => {
    const { definitions, errors } = expandTable(table);
    expect(errors).toEqual([]);
    const engine = start(definitions, changes);
    for (const happened of events) expect(engine.process([happened], happened.time).errors).toEqual([]);
    return engine.members();
  };
  const seen = (properties: EngineEvent['properties'], day = 0): EngineEvent =>
    event('Pageview', t0 + day * dayMs, properties);

  it('count page views with enough keywords, also hashed', () => {
    const table: Record<string, RuleEntry> = {
      '1': { t: 1, kw: ['Mortgage', 'savings', 'rates'], m: 2, n: 2, w: 7 * dayMs },
      '2': { t: 1, kw: ['mortgage', 'savings', 'rates'].map(hash), h: 1, m: 2, n: 2, w: 7 * dayMs },
      '3': { t: 1, kw: ['mortgage'], n: 3 },
    };
    const both = { article: { keywords: ['SAVINGS', 'mortgage'] } };
    const single = { article: { keywords: ['mortgage'] } };
    expect(members(table, [seen(both), seen(single, 1)])).toEqual([]);
    expect(members(table, [seen(both), seen(single, 1), seen(both, 2)])).toEqual(['1', '2', '3']);
    expect(members(table, [seen(both), seen(both, 8)])).toEqual([]);
  });

  it('find phrases, sections, paths, fragments, addresses and labels', () => {
    const address = 'https://paper.example/guides/savings/a.html';
    const table: Record<string, RuleEntry> = {
      '1': { t: 1, txt: ['supply chain'] },
      '2': { t: 1, cat: ['markets'] },
      '3': { t: 1, tax: ['Business/Real Estate'] },
      '4': { t: 1, url: ['guides/savings'] },
      '5': { t: 1, ids: [hash(address)], h: 1 },
      '6': { t: 1, cls: ['sport'], s: 0.7 },
      '7': { t: 1, txt: [hash('supply chain')], h: 1, g: 2 },
    };
    const page = {
      client: { url: address },
      article: {
        title: 'The supply-chain, explained',
        section: 'Markets',
        taxonomy: ['business / real estate / housing'],
      },
      classifications: { categories: [{ label: 'Sport', score: 0.7 }] },
    };
    expect(members(table, [seen(page)])).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    const other = {
      client: { url: 'https://paper.example/guides/pensions/savings' },
      article: { title: 'Supply of chains', section: 'Sports', taxonomy: ['business'] },
      classifications: {
        categories: [
          { label: 'sport', score: 0.6 },
          { label: 'art', score: 0.9 },
        ],
      },
    };
    expect(members(table, [seen(other)])).toEqual([]);
  });

  it('count advertising events, sums of engagement and logins', () => {
    const table: Record<string, RuleEntry> = {
      '1': { t: 2, e: [3, 4], ids: [51], p: ['line_item_id'], n: 2 },
      '2': { t: 7, cat: ['tech'], n: 60 },
      '3': { t: 8 },
      '4': { t: 1, n: 2, x: 3 },
    };
    const engaged = (seconds: number, section: string) =>
      event('PageviewEngagement', t0, { engaged_time: seconds, article: { section } });
    const ads = [event('SlotClicked', t0, { line_item_id: 51 }), event('SlotViewable', t0, { line_item_id: '51' })];
    expect(
      members(table, [
        ads[0]!,
        engaged(59, 'tech'),
        engaged(9, 'food'),
        event('LoginStatus', t0, { logged_in: false }),
      ]),
    ).toEqual([]);
    expect(
      members(table, [...ads, engaged(30, 'tech'), engaged(30, 'Tech'), event('LoginStatus', t0, { logged_in: true })]),
    ).toEqual(['1', '2', '3']);
    expect(members(table, [seen({}), seen({})])).toEqual(['4']);
    expect(members(table, [seen({}), seen({}), seen({}), seen({})])).toEqual([]);
  });

  it('combine cohorts, and know which were entered lately', () => {
    const table: Record<string, RuleEntry> = {
      '1': { t: 1, cat: ['a'], w: dayMs },
      '2': { t: 1, cat: ['b'] },
      '3': { t: 1, cat: ['c'] },
      '4': { t: 5, any: ['1', '2'], m: 2, not: ['3'] },
      '5': { t: 6, all: ['1'], n: 2, w: 30 * dayMs },
    };
    const at = (section: string, day: number): EngineEvent => seen({ article: { section } }, day);
    expect(members(table, [at('a', 0), at('b', 0)])).toEqual(['1', '2', '4']);
    expect(members(table, [at('a', 0), at('b', 0), at('c', 0)])).toEqual(['1', '2', '3']);
    expect(members(table, [at('a', 0), at('b', 3), at('a', 5)])).toEqual(['1', '2', '4', '5']);
  });

  it('ask partners, models and the country', () => {
    const table: Record<string, RuleEntry> = {
      '1': { t: 3, pr: 'acme', ids: ['48213', '48214'], m: 2 },
      '2': { t: 3, pr: 'acme', ids: [hash('48213')], h: 1 },
      '3': { t: 4, id: model, s: 0.5 },
      '4': { t: 3, pr: 'acme', ids: ['48213'], geo: ['US', 'CA'] },
      '5': { t: 3, pr: 'acme', ids: ['48213'], geo: ['FR'] },
    };
    const weights = new Map([['const', '1']]);
    const lookalike = [{ version: 2, id: model, data_preference: '1p', precision: 1, min: 0, max: 1, weights }];
    const lookups = { thirdParty: { acme: ['48213', '48214'] }, geo: { country: 'us' }, lookalike };
    expect(members(table, [], { lookups })).toEqual(['1', '2', '3', '4']);
    expect(members(table, [], { lookups: { ...lookups, thirdParty: { acme: ['48214'] } } })).toEqual(['3']);
  });

  it('carry their activations', () => {
    const { definitions } = expandTable({ '1': { t: 1, a: { dfp: { trigger: 'OnEntry' } } } });
    const engine = start(definitions);
    engine.process([seen({})], t0);
    expect(engine.activations()).toEqual({ dfp: ['1'] });
  });
});

it('an entry that the codec refuses is no entry', () => {
  expect(EntryCodec({ t: 4, id: '', s: 0.5 })).not.toEqual([]);
});
