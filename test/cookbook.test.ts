import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { readProject } from '../project/readProject';
import { cookbookProject, cookbookQueries, costRows, costRowsOf } from '../scripts/cookbook';
import { init } from '../src/engine/engine';
import { h53 } from '../src/engine/language/murmur';
import { type Visitor, visitor } from '../src/testing/testing';
import { projectDefinition } from './support/project';

const page = readFileSync(resolve(__dirname, '../docs/cookbook.md'), 'utf8');
const project = cookbookProject(page);

const model = '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const sport = { article: { section: 'sport' } };
type Properties = Readonly<Record<string, unknown>>;
const at = (url: string, referrer = ''): Properties => ({ client: { url, referrer } });
const keywords = (...words: readonly string[]): Properties => ({ article: { keywords: words } });
const article = (id: string): Properties => ({ article: { id } });
const theme = (...categories: readonly object[]): Properties => ({ classifications: { categories } });
const fan = visitor().views(3, sport);
const tenPages = visitor().views(10);
const subscriber = visitor().event('LoginStatus', { logged_in: true, subscriber: true });

/** A visitor who leaves pages of which these shares were seen. */
const seen = (...shares: readonly number[]): Visitor =>
  shares.reduce((reader, share) => reader.views(1).completes({ total_completion: share }), visitor());

/** By cohort, a visitor who is in it, and one who lacks one thing. */
const visitors: Readonly<Record<string, { readonly inside: Visitor; readonly short: Visitor }>> = {
  '20201': {
    inside: fan,
    short: visitor()
      .views(2, sport)
      .views(1, { article: { section: 'arts' } }),
  },
  '20202': { inside: visitor().views(1).after('23 hours'), short: visitor().views(1).after('24 hours') },
  '20203': {
    inside: visitor().views(1).after('1 day').views(1).after('1 day').views(1),
    short: visitor().views(5).after('1 day').views(5),
  },
  '20204': { inside: visitor().views(6), short: visitor().views(7) },
  '20205': { inside: tenPages, short: visitor().views(9).newSession().views(1) },
  '20206': {
    inside: visitor().views(1, article('a')).views(1, article('b')).views(1, article('a')),
    short: visitor().views(1, article('a')).views(1, article('b')).views(1, article('c')),
  },
  '20207': { inside: visitor().views(1).after('8 days'), short: visitor().views(1).after('6 days') },
  '20208': {
    inside: visitor().views(1).after('8 days').views(1),
    short: visitor().views(1).after('6 days').views(1),
  },
  '20209': { inside: visitor().data({ user: { is_new: true } }), short: visitor().data({ user: { is_new: false } }) },
  '20210': { inside: seen(1, 1, 0.5, 0, 0), short: seen(1, 1, 0.4, 0, 0) },
  '20211': {
    inside: visitor()
      .views(1, { article: { taxonomy: ['Technology & Computing/Robotics'] } })
      .engages(60),
    short: visitor()
      .views(1, { article: { taxonomy: ['Technology & Computing/Robotics'] } })
      .engages(59),
  },
  '20212': { inside: seen(0.9, 1, 0.9), short: seen(0.9, 1, 0.89) },
  '20213': { inside: visitor().views(1).engages(30), short: visitor().views(1).engages(25).views(1).engages(5) },
  '20214': {
    inside: visitor().views(1, keywords('Bonds', 'Interest  rates')),
    short: visitor().views(1, keywords('Bonds', 'rates')),
  },
  '20215': {
    inside: visitor().views(2, keywords('Heat pump')),
    short: visitor().views(1, keywords('Heat pump')).views(1, keywords('pump')),
  },
  '20216': {
    inside: visitor().views(1, { article: { title: 'Why the heat pump wins' } }),
    short: visitor().views(1, { article: { title: 'Why the heat and the pump win' } }),
  },
  '20217': {
    inside: visitor().views(2, { article: { taxonomy: ['Business and Finance/Industries/Real Estate/Offices'] } }),
    short: visitor().views(2, { article: { taxonomy: ['Business and Finance/Industries/Real Estate Law'] } }),
  },
  '20218': {
    inside: visitor().views(1, at('https://site.example/uk/guides/savings/a')),
    short: visitor().views(1, at('https://site.example/uk/guides-savings')),
  },
  '20219': {
    inside: visitor().views(2, theme({ label: '/sports/football', score: 0.7 })),
    short: visitor().views(2, theme({ label: '/sports', score: 0.6 }, { label: '/arts', score: 0.9 })),
  },
  '20220': {
    inside: visitor().views(1, at('https://site.example/', 'https://www.google.com/')),
    short: visitor().views(1, at('https://site.example/', 'https://www.google.com.example/')),
  },
  '20221': {
    inside: visitor().views(1, at('https://site.example/a?utm_campaign=spring&x=1')),
    short: visitor().views(1, at('https://site.example/a?utm_campaign=springboard')),
  },
  '20222': {
    inside: visitor().views(1, at('https://site.example/a?utm_medium=newsletter')).views(1),
    short: visitor().views(1, at('https://site.example/a?utm_medium=newsletter')).newSession().views(1),
  },
  '20223': {
    inside: visitor()
      .views(1, at('https://site.example/guides/savings'))
      .after('29 hours')
      .event('LinkClick', { dest_url: 'https://www.bank.example/' }),
    short: visitor()
      .views(1, at('https://site.example/guides/savings'))
      .after('31 hours')
      .event('LinkClick', { dest_url: 'https://www.bank.example/' }),
  },
  '20224': { inside: visitor().views(1, sport).views(1), short: visitor().views(1).views(1, sport) },
  '20225': { inside: fan, short: fan.views(1, { article: { section: 'arts' } }) },
  '20226': { inside: fan.after('8 days'), short: fan },
  '20227': { inside: tenPages.views(3, sport), short: tenPages.views(2, sport) },
  '20228': { inside: subscriber, short: subscriber.event('LoginStatus', { logged_in: false, subscriber: false }) },
  '20229': {
    inside: subscriber.event('VideoCompletion', { completion: 0.75 }),
    short: subscriber.event('VideoCompletion', { completion: 0.74 }),
  },
  '20230': {
    inside: visitor()
      .event('FormSubmission', { form: { name: 'newsletter-markets' } })
      .event('FormSubmission', { form: { name: 'newsletter-arts' } }),
    short: visitor().event('FormSubmission', { form: { name: 'newsletter-markets' } }),
  },
  '20231': {
    inside: visitor().data({ geo: { country: 'CA' }, thirdParty: { acme: ['48214'] } }),
    short: visitor().data({ geo: { country: 'CA' }, thirdParty: { acme: ['48215'], other: ['48214'] } }),
  },
  '20232': {
    inside: visitor().data({ secondParty: { sister: ['s3', 's1'] } }),
    short: visitor().data({ secondParty: { sister: ['s3'] } }),
  },
  '20233': {
    inside: tenPages.data({ models: { [model]: { '1p': { const: 0, '20205': 1 } } } }),
    short: visitor()
      .views(9)
      .data({ models: { [model]: { '1p': { const: 0, '20205': 1 } } } }),
  },
  '20234': {
    inside: visitor().event('SlotClicked', { advertiser_id: '4400112233' }),
    short: visitor().event('SlotViewable', { advertiser_id: 4400112233 }),
  },
  '30201': {
    inside: visitor().views(2, { article: { section: 'pensions' } }),
    short: visitor().views(1, { article: { section: 'pensions' } }),
  },
  '30202': { inside: fan, short: subscriber.views(3, sport) },
};

/** Cohorts whose counts come from the server, so that no visitor alone can be in them. */
const lifted = ['20235'];

const queries = cookbookQueries(project);
const ids = queries.map(({ id }) => id);

describe('the cookbook', () => {
  it('has 25 cohorts at least, each with an id of its own', () => {
    expect(ids.length).toBeGreaterThanOrEqual(25);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has two visitors for each cohort', () => {
    expect([...Object.keys(visitors), ...lifted].sort()).toStrictEqual([...ids].sort());
  });

  it.each(Object.keys(visitors))('has a visitor who is in %s, and one who lacks one thing', (id) => {
    visitors[id]?.inside.expect(project).toBeIn(id);
    visitors[id]?.short.expect(project).not.toBeIn(id);
  });

  it('has a cohort that the server counts', () => {
    const isMemberAfter = (counted: number): boolean => {
      const now = Date.UTC(2026, 0, 5);
      const engine = init({
        ...{ event_source_id: 's', now, state: null, context: { session: null, view: null }, lookups: {}, pending: [] },
        bundle: { v: 1, id: 'cookbook', seed: 0, queries: queries.filter(({ id }) => lifted.includes(id)) },
      });
      engine.bootstrap();
      engine.replay([]);
      // The page's own events do not count.
      engine.process([{ name: 'ProductBuyClick', time: now, properties: {} }], now);
      const { checksum } = engine.explain('20235') ?? {};
      const width = (28 * 86_400_000) / 100;
      engine.appendLifted({ '20235': [checksum, [[Math.floor(now / width), counted]]] });
      return engine.members().includes('20235');
    };
    expect([isMemberAfter(2), isMemberAfter(1)]).toStrictEqual([true, false]);
  });

  it('is what the build takes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cookbook-'));
    const file = join(folder, 'project.json');
    try {
      writeFileSync(
        file,
        JSON.stringify({ ...projectDefinition, ...project, tpdProviders: ['acme'], models: { [model]: 20299 } }),
      );
      // Both sections say so themselves.
      expect(readProject(file).warnings.map(({ path, message }) => `${path}: ${message}`)).toStrictEqual([
        'queries/20208/q/and/0: counts of exits begin at nothing when the condition of this cohort changes',
        'queries/20226/q/and/0: counts of entries begin at nothing when the condition of this cohort changes',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('says of each cohort what it means, and the edge', () => {
    const sections = page
      .split(/^### /m)
      .slice(1)
      .map((section) => section.split(/^## /m)[0] ?? '');
    for (const section of sections)
      expect(section).toMatch(/^.+\n\n[A-Z][\s\S]+?\n\n```json[\s\S]+```\n\nThe edge: [\s\S]+$/);
    expect(sections).toHaveLength((page.match(/^```json$/gm) ?? []).length);
  });

  it('has hashes of the words that its visitors read', () => {
    expect(page).toContain(
      `[${['heat pump', 'rooftop solar', 'electric car'].map((word) => h53(word, 0)).join(', ')}]`,
    );
    expect(page).toContain(`[${['heat pump', 'solar'].map((word) => h53(word, 0)).join(', ')}]`);
  });

  it('says what each cohort costs: `npm run docs` writes it', () => {
    const known = costRowsOf(page);
    const rows = costRows(project, known);
    expect(known.map(({ name }) => name)).toStrictEqual(rows.map(({ name }) => name));
    // Other versions of zlib pack a little differently.
    for (const [i, { bytes }] of rows.entries()) expect(Math.abs((known[i]?.bytes ?? 0) - bytes)).toBeLessThan(9);
    for (const { time } of known) expect(Number(time)).toBeGreaterThan(0);
  });
});
