import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isLeft } from 'fp-ts/Either';

import { addressOf, articles } from '../../demo/page/articles/library';
import { articlePage } from '../../demo/page/pages';
import { project } from '../../demo/project/project';
import { byAffinity } from '../../demo/project/standard';
import { writeSampleProject } from '../../demo/project/write';
import { playVisit, startMs } from '../../src/addonKit/playVisit';
import type { AnyAddon } from '../../src/addons/addon';
import { addonList } from '../../src/addons/addonList';
import { decode } from '../../src/codecs/decode';
import type { EngineEvent } from '../../src/engine/engineEvent';
import { compilePred } from '../../src/engine/index/predicate';
import { canon } from '../../src/engine/language/canonical';
import type { CanonicalExpr } from '../../src/engine/language/canonicalLanguage';
import type { Definition } from '../../src/engine/language/language';
import { DefinitionCodec } from '../../src/engine/language/languageCodec';
import { h53 } from '../../src/engine/language/murmur';
import { norm } from '../../src/engine/language/text';
import { ProjectDefinition } from '../../src/model/project';

const ids = project.queries.map(({ id }) => id);
const byId: ReadonlyMap<string, Definition> = new Map(project.queries.map((query) => [query.id, query]));
const text = JSON.stringify(project);

/** Every object in a value, at any depth. */
const objectsIn = (value: unknown): Record<string, unknown>[] =>
  typeof value === 'object' && value !== null
    ? [...(Array.isArray(value) ? [] : [value as Record<string, unknown>]), ...Object.values(value).flatMap(objectsIn)]
    : [];

/** Whether a query needs nothing but counted or summed events in plain windows, combined with cohorts. */
const isPlain = (query: Definition): boolean =>
  objectsIn([query.q, query.sub ?? []]).every(
    (node) =>
      ![
        'entered',
        'exited',
        'sequence',
        'last',
        'first',
        'lookup',
        'thirdParty',
        'secondParty',
        'lookalike',
        'distinct',
        'remote',
      ].some((key) => key in node) && typeof node['within'] !== 'string',
  );

/** Membership after one page view, in the order in which the queries refer to each other. */
const enteredBy = (properties: Readonly<Record<string, unknown>>): Set<string> => {
  const event: EngineEvent = { name: 'Pageview', time: Date.UTC(2026, 5, 1, 12), properties };
  const results = new Map<string, boolean>();
  const memberOf = (id: string): boolean => {
    const known = results.get(id);
    if (known !== undefined) return known;
    const definition = byId.get(id);
    const meaning = definition ? canon(definition) : null;
    const holds = meaning !== null && evaluate(meaning.q, meaning.sub);
    results.set(id, holds);
    return holds;
  };
  const evaluate = (node: CanonicalExpr, sub: readonly CanonicalExpr[]): boolean => {
    if ('const' in node) return node.const;
    if ('and' in node) return node.and.every((child) => evaluate(child, sub));
    if ('or' in node) return node.or.some((child) => evaluate(child, sub));
    if ('not' in node) return !evaluate(node.not, sub);
    if ('match' in node) {
      const hits = node.match.filter((child) => evaluate(child, sub)).length;
      return hits >= node.min && hits <= (node.max ?? Infinity);
    }
    if ('sub' in node) return evaluate(sub[node.sub - 1]!, sub);
    if ('cohort' in node) return memberOf(node.cohort);
    if (!('event' in node)) return false;
    const test = node.where ? compilePred(node.where, 0) : () => true;
    const count = node.event.includes('Pageview') && test({ root: properties, event }) ? 1 : 0;
    const is = node.is as Record<string, unknown>;
    if ('between' in is)
      return count >= (is['between'] as [number, number])[0] && count <= (is['between'] as [number, number])[1];
    if ('gte' in is) return count >= (is['gte'] as number);
    if ('eq' in is) return count === is['eq'];
    return 'lt' in is && count < (is['lt'] as number);
  };
  return new Set(ids.filter((id) => isPlain(byId.get(id)!) && memberOf(id)));
};

const firstView = (slug: string): Set<string> => {
  const article = articles.find((candidate) => candidate.slug === slug)!;
  const page = articlePage(article, new Date('2026-06-01T12:00:00.000Z'));
  return enteredBy({
    ...page.properties,
    client: { url: `http://localhost:8080${addressOf(article)}`, domain: 'localhost' },
  });
};

describe('the sample project', () => {
  it('is written as JSON as it stands', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sample-'));
    const written: unknown = JSON.parse(readFileSync(writeSampleProject(join(folder, 'project.json')), 'utf8'));
    rmSync(folder, { recursive: true });
    expect(written).toEqual(JSON.parse(text));
  });

  it('decodes as the project of a page', () => {
    const page = decode(ProjectDefinition)(JSON.parse(text));
    expect(isLeft(page) ? page.left.message : '').toBe('');
  });

  it.each(project.queries.map((query) => [`${query.id} ${query.name}`, query] as const))(
    'has the readable query %s',
    (_, query) => {
      expect(DefinitionCodec(JSON.parse(JSON.stringify(query)))).toEqual([]);
      expect(() => canon(query)).not.toThrow();
    },
  );

  it('has at least 80 queries, 60 of them plain', () => {
    expect(ids.length).toBeGreaterThanOrEqual(80);
    expect(project.queries.filter(isPlain).length).toBeGreaterThanOrEqual(60);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('numbers custom and standard cohorts apart, and has a code for every standard one', () => {
    for (const { id, tags } of project.queries) expect(Number(id) >= 10_000_000).toBe(tags.includes('standard'));
    expect(Object.keys(project.cohortCodes)).toHaveLength(45);
    for (const id of ids.filter((candidate) => Number(candidate) >= 10_000_000))
      expect(project.cohortCodes).toHaveProperty(id);
    expect(new Set(Object.values(project.cohortCodes)).size).toBe(45);
  });

  it('refers to cohorts that exist', () => {
    const named = objectsIn(project.queries).flatMap((node) =>
      [node['cohort'], node['entered'], node['exited']].filter((id) => typeof id === 'string'),
    );
    const numbers = [
      ...Object.values(project.platformCohorts).flat(),
      ...Object.values(project.models),
      ...Object.values(project.activations).flatMap((list) => list.map(({ sc }) => sc)),
    ];
    const unknown = [...named, ...numbers.map(String)].filter(
      (id) => !byId.has(id) && !byAffinity.includes(Number(id)),
    );
    expect(unknown).toEqual([]);
  });

  it('names only sub-queries that are there', () => {
    for (const { q, sub = [] } of project.queries as readonly Definition[]) {
      for (const { sub: at } of objectsIn([q, sub])) if (typeof at === 'number') expect(sub[at - 1]).toBeDefined();
    }
  });

  it('gives each platform the queries that carry its activation', () => {
    expect(Object.keys(project.platformCohorts).sort()).toEqual([
      'amp',
      'appnexus_adserver',
      'curation_platforms',
      'dfp',
      'freewheel',
      'ix',
      'nativo',
      'openx',
      'pubmatic',
      'rubicon_ssp',
      'segment_sync',
    ]);
    for (const [platform, numbers] of Object.entries(project.platformCohorts)) {
      expect(numbers.filter((number) => !byAffinity.includes(number)).map(String)).toEqual(
        project.queries.filter(({ activations }) => activations && platform in activations).map(({ id }) => id),
      );
    }
  });

  it.each([
    'Fashion',
    'Fintech',
    'Real estate',
    'Remote work',
    'Video conferencing tools',
    'Gaming devices',
    'LGBT topics',
    'Gender equality',
    'Disaster and wildfire news',
    'Wildfires',
    'Alcohol and food',
    'Accounting',
    'Oral care',
    'Cybersecurity',
    'Asset management',
    'Small business topics',
    'Start-ups',
    'Gig economy',
    'Sentiment: positive',
    'Sentiment: negative',
    'Sentiment: neutral',
  ])('covers the theme %s', (theme) => {
    expect(project.queries.map(({ name }) => name)).toContain(theme);
  });

  it.each(['{"days":7}', '{"days":28}', '{"days":30}', '{"days":84}', '{"days":168}', '108000000'])(
    'uses the window %s',
    (window) => {
      expect(text).toContain(`"within":${window}`);
    },
  );

  it.each([1, 2, 3, 7])('uses the count %d', (count) => {
    expect(text).toContain(`"is":{"gte":${count}}`);
  });

  it('uses between two and six, and the model scores of the rule tables', () => {
    expect(text).toContain('"between":[2,6]');
    const scores = objectsIn(project.queries).flatMap(({ lookalike }) =>
      lookalike ? [(lookalike as { gte: number }).gte] : [],
    );
    expect(scores.sort()).toEqual([0.69, 0.74, 0.76, 0.78, 0.85, 0.8994, 0.9]);
  });

  it('uses the whole language', () => {
    const keys = new Set(objectsIn(project.queries).flatMap((node) => Object.keys(node)));
    const language =
      'and or not match const sub cohort entered exited event sum distinct sequence last first lookup thirdParty secondParty lookalike in neq contains endsWith words under urlPath domain gte between after exists is size any hashed'.split(
        ' ',
      );
    expect(language.filter((key) => !keys.has(key))).toEqual([]);
  });

  it('hides the partners’ words behind the engine’s hash', () => {
    for (const word of ['FinTech', 'Real Estate', 'remote work']) expect(text).toContain(String(h53(norm(word), 0)));
  });

  it('has activations of every kind, each with what its addon needs', () => {
    const { overlays, scriptrunner, tracking_pixel, pubmatic, local_storage } = project.activations;
    expect(overlays.some(({ c }) => 'html' in c)).toBe(true);
    expect(overlays.some(({ c }) => 'image_url' in c && 'image_link' in c)).toBe(true);
    for (const { c } of scriptrunner) expect(c).toHaveProperty('script');
    for (const { c } of tracking_pixel) expect(c).toHaveProperty('pixel_url');
    for (const { c } of pubmatic) expect(c).toHaveProperty('dpid');
    for (const { c } of local_storage) expect(c).toHaveProperty('storage_key');
    const all = Object.values(project.activations).flat();
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(new Set(all.map(({ tt }) => tt))).toEqual(new Set(['EveryTime', 'OnEntry', 'OnExit']));
  });
});

describe('addons of the sample', () => {
  it('are all that there are', () => {
    // The build adds two where the definition says what cohorts mean.
    const added = 'taxonomies' in project ? ['google_pps', 'prebid_data'] : [];
    const named = [...Object.keys(project.addons), ...added];
    expect(named.sort()).toEqual(Object.keys(addonList).sort());
  });

  it.each(Object.entries(addonList))('%s has an activation if it acts by activations', (name, listed) => {
    const { file, exported } = listed;
    let reads = false;
    const activations = new Proxy([], {
      get: (list, field) => {
        reads = true;
        return Reflect.get(list, field) as unknown;
      },
    });
    const addon = jest.requireActual<Readonly<Record<string, AnyAddon>>>(resolve(file))[exported]!;
    playVisit(addon, { deps: { activations } }, { starts: [startMs] });
    const own = (project.activations as Readonly<Record<string, readonly unknown[]>>)[name] ?? [];
    expect([name, own.length > 0]).toEqual([name, reads]);
    // The build reads the lists of the addons of platforms.
    expect([name, listed.activations === 'changes' || listed.activations === 'codes']).toEqual([name, reads]);
  });
});

describe('the first page view of a demo article', () => {
  it.each([
    ['a-late-bounce-saves-a-nervous-week', ['20101', '20103', '20106', '20107']],
    ['the-case-for-boring-shares', ['20101', '20102', '10000015']],
    ['coppers-quiet-squeeze', ['20101', '20104', '20106', '10000016']],
    ['fund-houses-learn-to-sell-patience', ['20101', '20105', '20214', '20601', '10000017']],
    ['where-to-keep-money-you-may-need-by-spring', ['20111', '20605', '10000010']],
    ['a-plain-guide-to-emergency-funds', ['20111', '20113', '20605']],
    ['gig-works-missing-payslip', ['20202', '20217']],
    ['the-office-block-that-became-four-hundred-homes', ['20203', '10000008']],
    ['resale-grows-up', ['20201', '10000025']],
    ['the-bakery-that-learned-to-read-its-own-numbers', ['20109', '20210', '20211', '10000002', '10000006']],
    ['what-a-small-firm-can-really-hand-to-ai', ['20109', '20110', '20216', '20602', '10000020']],
    ['seed-rounds-shrink-founders-shrug', ['20109', '20216', '10000003']],
    ['why-your-parcel-goes-by-a-smaller-port', ['20117', '10000005']],
    ['equal-pay-reports-get-shorter-and-better', ['20208', '20611', '10000004']],
    ['pride-networks-move-from-posters-to-policy', ['20207']],
    [
      'lock-down-a-home-office-in-one-evening',
      ['20114', '20116', '20204', '20213', '20226', '20603', '20604', '10000019'],
    ],
    ['meeting-software-learns-to-leave-us-alone', ['20116', '20204', '20205', '20603', '10000023']],
    ['the-handheld-console-finds-a-grown-up-audience', ['20116', '20206', '10000024']],
    ['wildfire-season-starts-early', ['20209', '10000035']],
    ['low-alcohol-wine-stops-apologising', ['20210', '10000028']],
    ['the-dental-chair-goes-digital', ['20120', '20212', '10000030']],
    ['farmers-meet-the-wind-business', ['20121', '10000032', '10000033']],
  ])('%s enters its cohorts', (slug, expected) => {
    const entered = firstView(slug);
    expect(expected.filter((id) => !entered.has(id))).toEqual([]);
  });

  it('leaves others for a second or third view', () => {
    const entered = firstView('where-to-keep-money-you-may-need-by-spring');
    for (const id of ['20112', '20402', '20403', '20405', '20610']) expect(entered).not.toContain(id);
  });
});
