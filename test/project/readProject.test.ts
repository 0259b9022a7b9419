import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';

import { writeProjectModules, writeQueries } from '../../bundle/projectModules';
import { allDefinitions } from '../../bundle/publishedBundle';
import { writeSampleProject } from '../../demo/project/write';
import { ProjectError, readProject } from '../../project/readProject';
import { canon } from '../../src/engine/language/canonical';
import type { PublishedBundle } from '../../src/engine/language/canonicalLanguage';
import { checksumOf, checksumOfBundle } from '../../src/engine/language/checksums';
import type { Definition } from '../../src/engine/language/language';
import { codesFor } from '../../src/model/cohorts';
import { projectDefinition } from '../support/project';

const folder = mkdtempSync(join(tmpdir(), 'project-'));
const file = join(folder, 'project.json');
afterAll(() => rmSync(folder, { recursive: true }));

const queries = [
  {
    id: '7',
    name: 'Readers',
    q: { event: 'Pageview', where: { p: 'article.section', eq: 'Markets' } },
    activations: { dfp: { trigger: 'EveryTime' } },
  },
];
const definition = { ...projectDefinition, queries };

/** Reads a definition, given as text or value. */
const read = (given: unknown) => {
  writeFileSync(file, typeof given === 'string' ? given : JSON.stringify(given));
  return readProject(file);
};
/** The paths that are named as wrong. */
const wrongPaths = (given: unknown): string[] => {
  try {
    read(given);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ProjectError);
    const [title = '', ...lines] = (error as Error).message.split('\n');
    expect(title).toContain('is no project definition');
    for (const line of lines) expect(line).toMatch(/^ {2}\S+: (?:expected|the .+ has no entry) .+/);
    return lines.map((line) => line.trim().split(':')[0] ?? '');
  }
};

describe('readProject', () => {
  it('reads the sample', () => {
    const { page, bundle } = readProject(writeSampleProject(file));
    expect(bundle).toMatchObject({ v: 1, id: page.workspaceId });
    expect(bundle.queries.length).toBeGreaterThan(0);
  });

  it('gives page and worker their parts', () => {
    const { page, bundle } = read(definition);
    expect(page).toEqual(projectDefinition);
    expect(bundle.queries.map(({ id }) => id)).toEqual(['7']);
  });

  it('gives the taxonomies, and their older form, to the addons that tell them', () => {
    const pps = { IAB_AUDIENCE_1_1: { 10000001: '626' }, IAB_CONTENT_2_2: { 7: '48' } };
    const taxonomies = {
      7: [
        { segtax: 4, id: '626' },
        { segtax: 4, id: '627' },
        { segtax: 4, id: '626' },
      ],
      abc: [{ segtax: 5001, id: 'own.1' }],
    };
    const { page } = read({ ...definition, pps, taxonomies, addons: { google_pps: { auto_init: false } } });
    const ofGoogle = { 4: { 7: ['626', '627'], 10000001: ['626'] }, 6: { 7: ['48'] } };
    expect(page.addons).toEqual({
      google_pps: { auto_init: false, taxonomies: ofGoogle },
      prebid_data: { taxonomies: { ...ofGoogle, 5001: { abc: ['own.1'] } } },
    });
    expect(page).not.toHaveProperty('pps');
    expect(page).not.toHaveProperty('taxonomies');
    expect(read({ ...definition, taxonomies: { 7: [{ segtax: 7, id: 'JLBCU7' }] } }).page.addons).toEqual({
      prebid_data: { taxonomies: { 7: { 7: ['JLBCU7'] } } },
    });
  });

  it.each([
    [{ IAB_AUDIENCE_9: {} }, 'pps/IAB_AUDIENCE_9'],
    [{ IAB_AUDIENCE_1_1: { readers: '626' } }, 'pps/IAB_AUDIENCE_1_1/readers'],
    [{ IAB_AUDIENCE_1_1: { 7: 626 } }, 'pps/IAB_AUDIENCE_1_1/7'],
    ['626', 'pps'],
  ])('names what is wrong with signals: %j', (pps, path) => {
    expect(wrongPaths({ ...definition, pps })).toEqual([path]);
  });

  it.each([
    [{ 'a.b': [{ segtax: 4, id: '626' }] }, 'taxonomies/a.b'],
    [JSON.parse('{"__proto__": [{"segtax": 4, "id": "626"}]}') as object, 'taxonomies/__proto__'],
    [{ 7: [{ segtax: 4.5, id: '626' }] }, 'taxonomies/7/0/segtax'],
    [
      {
        7: [
          { segtax: 4, id: '626' },
          { segtax: 0, id: '626' },
        ],
      },
      'taxonomies/7/1/segtax',
    ],
    [{ 7: [{ segtax: 4, id: 'JLBCU7' }] }, 'taxonomies/7/0/id'],
    [{ 7: [{ segtax: 6, id: 'Sports' }] }, 'taxonomies/7/0/id'],
    [{ 7: [{ segtax: 7, id: 'Sports' }] }, 'taxonomies/7/0/id'],
    [{ 7: [{ segtax: 7, id: 'toString' }] }, 'taxonomies/7/0/id'],
    [{ 7: [{ segtax: 4, id: '198' }] }, 'taxonomies/7/0/id'],
    [
      {
        7: [
          { segtax: 6, id: '1000' },
          { segtax: 6, id: '999' },
        ],
      },
      'taxonomies/7/1/id',
    ],
    [{ 7: [{ segtax: 5, id: 'a b' }] }, 'taxonomies/7/0/id'],
    [{ 7: [{ segtax: 5001, id: '' }] }, 'taxonomies/7/0/id'],
    [{ 7: [{ segtax: '4', id: '626' }] }, 'taxonomies/7/0/segtax'],
    [{ 7: '626' }, 'taxonomies/7'],
  ])('names what is wrong with taxonomies: %j', (taxonomies, path) => {
    expect(wrongPaths({ ...definition, taxonomies })).toEqual([path]);
  });

  it.each([
    [{ percent: 101, salt: 's' }, 'controlGroup/percent'],
    [{ percent: -1, salt: 's' }, 'controlGroup/percent'],
    [{ percent: '5', salt: 's' }, 'controlGroup/percent'],
    [{ percent: 5 }, 'controlGroup/salt'],
    [{ percent: 5, salt: 's', cohorts: [7] }, 'controlGroup/cohorts/0'],
    [5, 'controlGroup'],
  ])('names what is wrong with a control group: %j', (controlGroup, path) => {
    expect(wrongPaths({ ...definition, controlGroup })).toEqual([path]);
  });

  it.each([0, 100])('takes a control group of %d percent, whose code is in the page script', (percent) => {
    const page = (changes: object): string =>
      readFileSync(join(writeProjectModules(read({ ...definition, ...changes }), folder), 'page.js'), 'utf8');
    const controlGroup = { percent, salt: 's', cohorts: ['7'] };
    expect(page({ controlGroup })).toContain(`experimentOf(${JSON.stringify(controlGroup)})`);
    expect(page({})).toContain('noExperiment');
    expect(page({})).not.toContain('experimentOf');
  });

  it('tells bidders of the group where the project has Prebid', () => {
    const controlGroup = { percent: 5, salt: 's' };
    const addonsOf = (changes: object): object => read({ ...definition, controlGroup, ...changes }).page.addons;
    const auto_init = false;
    expect(addonsOf({ addons: { prebid: {} } })).toEqual({ prebid: {}, prebid_data: {} });
    expect(addonsOf({ addons: { prebid: {}, prebid_data: { auto_init } } })).toEqual({
      prebid: {},
      prebid_data: { auto_init },
    });
    expect(addonsOf({ addons: {} })).toEqual({});
  });

  it('says to the deferred chunk whether every page starts the secure signal', () => {
    const deferred = (addons: object): string =>
      readFileSync(join(writeProjectModules(read({ ...definition, addons }), folder), 'deferred.js'), 'utf8');
    expect(deferred({ secure_signal: { auto_init: true } })).toContain('"startsSecureSignal":true');
    expect(deferred({ secure_signal: {} })).toContain('"startsSecureSignal":false');
    expect(deferred({})).toContain('"startsSecureSignal":false');
  });

  it('publishes queries in canonical form, with checksum and activations, without names', () => {
    const { bundle } = read(definition);
    const canonical = canon(queries[0] as Parameters<typeof canon>[0]);
    expect(bundle.queries).toEqual([
      {
        id: '7',
        ...canonical,
        canonical: true,
        checksum: checksumOf(canonical),
        activations: { dfp: { trigger: 'EveryTime' } },
      },
    ]);
  });

  it('takes rules in their short form, and the events whose counts the server keeps', () => {
    const rules = { 8: { t: 1, kw: ['copper'], n: 2 } };
    const { bundle } = read({ ...definition, rules, lift: { events: ['Pageview'] } });
    expect(bundle.queries.map(({ id, checksum }) => [id, typeof checksum])).toEqual([
      ['7', 'string'],
      ['8', 'string'],
    ]);
    expect(bundle.lift).toEqual({ events: ['Pageview'] });
  });

  it('may have no queries', () => {
    expect(read({ ...definition, queries: [] }).bundle.queries).toEqual([]);
  });

  const activation = { id: '1', short_id: 's', sc: 7, tt: 'OnEntry' };
  it.each<readonly [string, object, readonly string[]]>([
    ['an id that is no UUID', { workspaceId: 'w' }, ['workspaceId']],
    ['a missing key', { apiKey: undefined }, ['apiKey']],
    ['a setting', { config: { requestTimeout: '5000' } }, ['config/requestTimeout']],
    ['a deep setting', { config: { watson: { enabled: 1 } } }, ['config/watson/enabled']],
    ['queries that are no list', { queries: {} }, ['queries']],
    [
      'an activation',
      { activations: { overlays: [activation, { ...activation, tt: 'Never' }] } },
      ['activations/overlays/1/tt'],
    ],
    [
      'a criterion',
      {
        activations: {
          overlays: [
            { ...activation, cc: { operator: 'AND', criteria: [{ key: 'url', comparison: 'LIKE', value: 'x' }] } },
          ],
        },
      },
      ['activations/overlays/0/cc/criteria/0/comparison'],
    ],
    ...['permutive-id', '_psegs', '_pssps', 'own'].map(
      (storage_key) =>
        [
          `a storage key of the SDK: ${storage_key}`,
          {
            config: { stateNamespace: 'own' },
            activations: { local_storage: [activation, { ...activation, c: { storage_key } }] },
          },
          ['activations/local_storage/1/c/storage_key'],
        ] as const,
    ),
    ...['http://a.example/', 'https://printer.lan/', 'https://127.0.0.1.nip.io/', 'https://a.example:8443/'].map(
      (pixel_url) =>
        [
          `a pixel that reaches into the visitor’s network: ${pixel_url}`,
          { activations: { tracking_pixel: [{ ...activation, c: { pixel_url } }] } },
          ['activations/tracking_pixel/0/c/pixel_url'],
        ] as const,
    ),
    ...(
      [
        ['pubmatic', 'cookie_set_url'],
        ['pubmatic', 'segment_url'],
        ['tradedesk', 'pixel_url'],
        ['eyeota', 'pixel_url'],
        ['lotame', 'pixel_url'],
        ['ddp', 'pixel_url'],
        ['neustar_fabrick', 'pixel_url'],
      ] as const
    ).flatMap(([addon, option]) =>
      ['http://a.example/{{segment}}', 'https://printer.lan/', 7].map(
        (address) =>
          [
            `an address of ${addon} that the browser may not ask: ${address}`,
            { addons: { [addon]: { [option]: address } } },
            [`addons/${addon}/${option}`],
          ] as const,
      ),
    ),
    ['a cohort code', { cohortCodes: { '10000001': 7 } }, ['cohortCodes/10000001']],
    ['AMP pages', { amp: 'yes' }, ['amp']],
    ['a platform', { platformCohorts: { dfp: ['7'] } }, ['platformCohorts/dfp/0']],
    ['an addon', { addons: { web: { auto_init: 'yes' } } }, ['addons/web/auto_init']],
    ['purposes of the TCF', { addons: { tradedesk: { tcf_purposes: [1, 12] } } }, ['addons/tradedesk/tcf_purposes/1']],
    [
      'purposes of an activation',
      { activations: { tracking_pixel: [{ ...activation, c: { tcf_purposes: [7, 0] } }] } },
      ['activations/tracking_pixel/0/c/tcf_purposes/1'],
    ],
    ['a purpose', { addons: { lotame: { tcf_purposes: 1 } } }, ['addons/lotame/tcf_purposes']],
    [
      'a purpose of an identity provider',
      { addons: { identity_manager: { providers: { reader: { cookie: 'id', tcf_purposes: ['1'] } } } } },
      ['addons/identity_manager/providers/reader/tcf_purposes/0'],
    ],
    ['a provider', { tpdProviders: [7] }, ['tpdProviders/0']],
    [
      'an identity provider',
      { addons: { identity_manager: { providers: { reader: { url: 7 } } } } },
      ['addons/identity_manager/providers/reader/url'],
    ],
    ...['http://id.example/', 'https://192.168.1.1/id', 'https://router.lan/', 'https://id.example:8443/', 'id'].map(
      (url) =>
        [
          `an identity provider in the visitor’s network: ${url}`,
          { addons: { identity_manager: { providers: { reader: { url } } } } },
          ['addons/identity_manager/providers/reader/url'],
        ] as const,
    ),
    [
      'an identity provider of which nothing is public',
      { addons: { identity_manager: { providers: { ddp: {} } } } },
      ['addons/identity_manager/providers/ddp'],
    ],
    [
      'an identity provider that has to know the publisher',
      { addons: { identity_manager: { providers: { tradedesk: {}, pubmatic: {} } } } },
      ['addons/identity_manager/providers/tradedesk/partner', 'addons/identity_manager/providers/pubmatic/publisherId'],
    ],
    ['an addon that there is not', { addons: { tracking_pixle: {} } }, ['addons/tracking_pixle']],
    ['an addon by a name that all objects have', { addons: { constructor: {} } }, ['addons/constructor']],
    ['activations of no addon', { activations: { overlay: [activation] } }, ['activations/overlay']],
    ['a platform that there is not', { platformCohorts: { dpf: [7] } }, ['platformCohorts/dpf']],
    ...['rubicon', 'index'].flatMap((name) => [
      [
        `a platform that nobody reads: ${name}`,
        { platformCohorts: { [name]: [7] } },
        [`platformCohorts/${name}`],
      ] as const,
      [
        `codes for ${name}`,
        { optimisedActivationsConfig: { [name]: {} } },
        [`optimisedActivationsConfig/${name}`],
      ] as const,
    ]),
    ...['dfp', 'appnexus_adserver', 'rubicon', 'nativo', 'freewheel'].map(
      (addon) =>
        [
          `what a list of codes cannot do: ${addon}`,
          {
            activations: {
              [addon]: [
                activation,
                { ...activation, tt: 'OnExit' },
                { ...activation, cc: { operator: 'AND', criteria: [] } },
                { ...activation, sc: 'abc' },
              ],
            },
          },
          [`activations/${addon}/1/tt`, `activations/${addon}/2/cc`, `activations/${addon}/3/sc`],
        ] as const,
    ),
    ...['local_storage', 'pubmatic'].map(
      (addon) =>
        [
          `what a list of present cohorts cannot do: ${addon}`,
          { activations: { [addon]: [activation, { ...activation, tt: 'OnExit' }, { ...activation, tt: 'OnEntry' }] } },
          [`activations/${addon}/1/tt`],
        ] as const,
    ),
    ['codes of no platform', { optimisedActivationsConfig: { dpf: {} } }, ['optimisedActivationsConfig/dpf']],
    ['events of lift', { lift: { events: [] } }, ['lift/events']],
    ['a rule', { rules: { 8: { t: 1, kw: [] } } }, ['rules/8/kw']],
    ['a rule with the id of a query', { rules: { 7: { t: 8 } } }, ['rules/7']],
    ['a rule of no provider', { rules: { 8: { t: 3, pr: 'acme', ids: [1] } } }, ['queries/8/thirdParty/provider/acme']],
    ['a rule of no model', { rules: { 8: { t: 4, id: 'm', s: 0.5 } } }, ['queries/8/lookalike/model/m']],
    [
      'several at once',
      { workspaceId: 'w', config: { requestTimeout: 0 }, queries: [{ id: 7, q: {} }], tpdProviders: [1, 'a', 2] },
      ['workspaceId', 'config/requestTimeout', 'tpdProviders/0', 'tpdProviders/2'],
    ],
  ])('names %s', (_, broken, paths) => {
    const named = wrongPaths({ ...definition, ...broken });
    expect(named).toEqual(expect.arrayContaining([...paths]));
    if (!('queries' in broken)) expect([...new Set(named)].sort()).toEqual([...paths].sort());
  });

  it.each([
    [{ dfp: { trigger: 'OnExit' } }, ['queries/8/activations/dfp/trigger']],
    [{ rubicon: { trigger: 'EveryTime' } }, ['queries/8/activations/rubicon']],
    [{ index: { trigger: 'EveryTime' } }, ['queries/8/activations/index']],
    [{ dfp: { trigger: 'OnEntry' }, rubicon_ssp: { trigger: 'EveryTime' } }, []],
  ])('names what a query cannot activate: %j', (activations, paths) => {
    const query = { id: '8', name: 'Readers', q: { event: 'A' }, activations };
    expect(wrongPaths({ ...definition, queries: [query] })).toEqual(paths);
  });

  it('takes the cohorts of an activation list as those of its platform', () => {
    const line = (sc: number | string, tt = 'EveryTime') => ({ id: `a${sc}`, short_id: 's', sc, tt });
    const { page } = read({
      ...definition,
      platformCohorts: { dfp: [7], ix: [6] },
      activations: {
        dfp: [line(8), line('9', 'OnEntry'), line(7)],
        appnexus_adserver: [line(8)],
        rubicon: [line(8)],
        nativo: [line(9)],
        freewheel: [],
        overlays: [line(8)],
      },
    });
    expect(page.platformCohorts).toEqual({
      dfp: [7, 8, 9],
      ix: [6],
      appnexus_adserver: [8],
      rubicon_ssp: [8],
      nativo: [9],
    });
    expect(page.activations).toEqual({ overlays: [line(8)] });
    expect(codesFor('dfp', { members: ['8', '9', '10'], activations: {} }, page)).toEqual(['8', '9']);
  });

  it.each([
    ['a query without an id', { q: { event: 'A' } }, /^queries\/1\/id/],
    ['a query that asks nothing', { id: '8', q: {} }, /^queries\/1\/q/],
    [
      'an operator that does not exist',
      { id: '8', q: { event: 'A', where: { p: 'a', like: 'x' } } },
      /^queries\/1\/q\/where/,
    ],
    ['a number that is text', { id: '8', q: { event: 'A', is: { gte: '2' } } }, /^queries\/1\/q\/is/],
  ])('names %s', (_, query, path) => {
    const named = wrongPaths({ ...definition, queries: [queries[0], query] });
    expect(named.length).toBeGreaterThan(0);
    for (const each of named) expect(each).toMatch(path);
  });

  it('refuses a query that is too large when its references are followed, and says how large it may be', () => {
    const sub = Array.from({ length: 27 }, (_, i) =>
      i === 26 ? { event: 'A' } : { match: [{ sub: i + 2 }, { sub: i + 2 }], min: 2 },
    );
    const given = { ...definition, queries: [queries[0], { id: '8', q: { sub: 1 }, sub }] };
    expect(wrongPaths(given)).toEqual(['queries/8']);
    expect(() => read(given)).toThrow('more than 10000 nodes in subquery');
  });

  it.each(['', '{', 'null', '[]', '7', '"text"'])('refuses %p', (text) => {
    expect(() => read(text)).toThrow(ProjectError);
  });

  it('refuses a file that is not there', () => {
    expect(() => readProject(join(folder, 'nowhere.json'))).toThrow(ProjectError);
  });

  it('warns of a pixel that a partner cannot be told by, and reads the rest', () => {
    const line = { id: 'a', short_id: 's', sc: 7, tt: 'EveryTime' };
    const { page, warnings } = read({
      ...definition,
      addons: { pinterest: { pixel_id: '100' }, facebook_v2: { pixel_id: '100' } },
      activations: {
        pinterest: [line],
        twitter_pixel: [
          { ...line, c: { pixel_id: 'o1a2b' } },
          { ...line, wc: { pixel_id: 'o1a2b' } },
        ],
        tiktok: [{ ...line, wc: { pixel_id: 'C0' } }],
      },
    });
    const named = warnings.filter(({ path }) => !path.endsWith('/id'));
    expect(named.map(({ path }) => path)).toEqual([
      'addons/pinterest/pixel_id',
      'activations/twitter_pixel/0/c/pixel_id',
      'activations/twitter_pixel/1/wc/pixel_id',
      'activations/twitter_pixel',
      'activations/tiktok',
    ]);
    for (const { message } of named) expect(message).toMatch(/has no effect|is not built in/);
    expect(Object.keys(page.addons)).toEqual(['pinterest', 'facebook_v2']);
    expect(read(definition).warnings).toEqual([]);
  });

  it('warns of a comma in a segment of the data layer', () => {
    const line = { id: 'a', short_id: 's', sc: 7, tt: 'EveryTime' };
    const { warnings } = read({
      ...definition,
      addons: { data_layer: {} },
      activations: {
        data_layer: [
          { ...line, c: { segment: 'money,savings' } },
          { ...line, id: 'b', wc: { segment: ',' } },
          { ...line, id: 'd', c: { segment: 'money' } },
          { ...line, id: 'e' },
        ],
      },
    });
    expect(warnings.map(({ path }) => path).filter((path) => path.endsWith('segment'))).toEqual([
      'activations/data_layer/0/c/segment',
      'activations/data_layer/1/wc/segment',
    ]);
  });

  it('takes placeholders in the addresses of partners', () => {
    const pixel_url = 'https://a.example/{{pid}}?segment={{segment}}&user={{user_id}}';
    const { page } = read({ ...definition, addons: { eyeota: { pixel_url } } });
    expect(page.addons['eyeota']).toEqual({ pixel_url });
  });

  it('never says a value', () => {
    const secret = 'reader@site.example';
    expect(() =>
      read({ ...definition, workspaceId: secret, apiKey: [secret], config: { requestTimeout: secret } }),
    ).toThrow(expect.objectContaining({ message: expect.not.stringContaining(secret) as string }) as Error);
  });
});

describe('writeProjectModules', () => {
  it('writes the project’s addons, and no others', () => {
    const built = read({ ...definition, addons: { web: {} } });
    const written = writeProjectModules(built, folder);
    expect(written).toBe(resolve(folder, 'build', built.page.workspaceId));
    const page = readFileSync(join(written, 'page.js'), 'utf8');
    expect(page).toMatch(/import { web as addon0 } from .*\nexport const addons = \[addon0\];/);
    expect(page).not.toContain('dfp');
    expect(page).toContain(built.page.apiKey);
  });

  it('hands the page the options of an addon by its wire name', () => {
    const providers = { sailthru: { cookie: 'hid' } };
    const written = writeProjectModules(
      read({
        ...definition,
        addons: { web: {}, identity_manager: { providers, auto_init: true } },
      }),
      folder,
    );
    const [page, late] = ['page.js', 'deferred.js'].map((file) => readFileSync(join(written, file), 'utf8'));
    expect(page).toContain(`"addons":${JSON.stringify({ web: {} })}`);
    expect(late).toContain(`export const addonOptions = ${JSON.stringify({ identity_manager: { auto_init: true } })};`);
    expect(late).toContain(`"identityProviders":${JSON.stringify(providers)}`);
    expect([page, late]).toEqual([
      expect.stringMatching(/import { web as addon0 } from .*\nexport const addons = \[addon0\];/),
      expect.stringMatching(/import { identityManager as addon0 } from .*\nexport const addons = \[addon0\];/),
    ]);
    expect(page).toContain(`export const deferredAddons = ["identity_manager"];`);
  });

  it.each([
    [{ amp: true }, true],
    [{ amp: false }, false],
    [{}, false],
  ])('lets the page ask for AMP cohorts where the definition says so: %p', (changes, asks) => {
    const written = writeProjectModules(read({ ...definition, ...changes }), folder);
    expect(readFileSync(join(written, 'deferred.js'), 'utf8').includes('"amp":true')).toBe(asks);
  });

  it('hands the page the tags that it may identify by: the built-in ones too, and all where none are listed', () => {
    const tagsIn = (identityTags: readonly string[]): unknown => {
      const written = writeProjectModules(read({ ...definition, identityTags }), folder);
      const [, literal = ''] =
        /export const definition = (.*);$/m.exec(readFileSync(join(written, 'deferred.js'), 'utf8')) ?? [];
      return (JSON.parse(literal) as { readonly identityTags?: unknown }).identityTags;
    };
    expect(tagsIn(['crm', 'appnexus'])).toEqual(['default', 'appnexus', 'pxid', 'crm']);
    expect(tagsIn([])).toBeUndefined();
  });

  it('writes the queries for the worker, with those at rest apart', () => {
    const queries = Array.from({ length: 9 }, (_, i) => ({
      id: `${i + 1}`,
      name: `Reader ${i}`,
      q: { event: 'Pageview', ...(i !== 4 && { where: { p: 'article.keywords', in: [`a${i}`, 'b', 'c'] } }) },
    }));
    const { bundle } = read({ ...definition, queries });
    const text = readFileSync(join(writeProjectModules({ ...read(definition), bundle }, folder), 'queries.js'), 'utf8');
    const module: { bundle?: PublishedBundle } = {};
    runInNewContext(text.replace('export const bundle =', 'module.bundle ='), { module });
    const written = module.bundle!;
    expect(written.queries.map(({ id }) => id)).toEqual(['5']);
    expect(written.resting?.ids).toHaveLength(8);
    expect([written.checksum, written.id, written.seed]).toEqual([checksumOfBundle(bundle), bundle.id, bundle.seed]);
    const byId = (definitions: readonly Definition[]): unknown =>
      JSON.parse(JSON.stringify([...definitions].sort((a, b) => Number(a.id) - Number(b.id))));
    expect(byId(allDefinitions(written))).toEqual(byId(bundle.queries));
  });

  it.each([
    ['geo', { lookup: 'geo', where: { p: 'country', eq: 'GB' } }],
    ['classification', { lookup: 'classification', where: { p: 'keywords', exists: true } }],
    ['user', { not: { lookup: 'user', where: { p: 'tags', in: ['crm'] } } }],
    ['thirdParty', { thirdParty: { provider: 'acme', in: ['7'] } }],
    // A model may score third-party segments.
    ['thirdParty', { lookalike: { model: '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d', gte: 0.5 } }],
    ['secondParty', { secondParty: { provider: 'ledger', in: ['a'] } }],
  ])('has the page provide %s where a query reads it', (name, q) => {
    const models = { '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d': 9 };
    const built = read({ ...definition, tpdProviders: ['acme'], models, queries: [{ id: '8', name: 'Reader', q }] });
    const text = readFileSync(join(writeProjectModules(built, folder), 'page.js'), 'utf8');
    expect(JSON.parse(/export const project = (.*);/.exec(text)?.[1] ?? '')).toMatchObject({ lookups: [name] });
  });

  it.each([
    ['isp_info', 'isp_info.organization', { isp_info: '$ip_isp_info' }],
    ['geo_info', 'geo_info', { geo_info: '$ip_geo_info' }],
    ['classifications', 'classifications.categories.label', { classifications: { categories: '$alchemy_taxonomy' } }],
  ])('has a Pageview wait for %s where a query reads it, and not where none does', (_, p, fields) => {
    const pageOf = (where: object): unknown => {
      const q = { event: 'Pageview', where };
      const built = read({ ...definition, queries: [{ id: '8', name: 'Reader', q }] });
      const text = readFileSync(join(writeProjectModules(built, folder), 'page.js'), 'utf8');
      return JSON.parse(/export const project = (.*);/.exec(text)?.[1] ?? '');
    };
    expect(pageOf({ p, exists: true })).toMatchObject({ pageviewFields: fields });
    expect(pageOf({ p: `my_${p}`, exists: true })).not.toHaveProperty('pageviewFields');
  });

  it('gives the page the options and activations of addons by the name they go by, and the lookups of its queries', () => {
    const activation = { id: '1', short_id: 's', sc: 7, tt: 'OnEntry', c: { storage_key: 'audience' } };
    const geo = { id: '8', name: 'Here', q: { lookup: 'geo', where: { p: 'country', eq: 'GB' } } };
    const built = read({
      ...definition,
      queries: [...queries, geo],
      addons: { tracking_pixel: { auto_init: false } },
      activations: { tracking_pixel: [activation] },
    });
    const written = writeProjectModules(built, folder);
    const exported = (file: string, name: string): string =>
      new RegExp(`export const ${name} = (.*);`).exec(readFileSync(join(written, file), 'utf8'))?.[1] ?? '';
    const project = exported('page.js', 'project');
    const [activations, options] = [exported('deferred.js', 'activations'), exported('deferred.js', 'addonOptions')];
    expect(JSON.parse(project)).toMatchObject({
      addons: {},
      activations: {},
      lookups: ['geo'],
      storageKeys: ['audience'],
    });
    expect(JSON.parse(activations)).toEqual({ tracking_pixel: [activation] });
    expect(JSON.parse(options)).toEqual({ tracking_pixel: { auto_init: false } });
  });
});

describe('writeQueries', () => {
  const changed = { ...definition, queries: [{ id: '8', name: 'Reader', q: { event: 'Pageview' } }] };

  it('writes the definitions, and leaves the other modules', () => {
    const written = writeProjectModules(read(definition), folder);
    const before = readFileSync(join(written, 'page.js'), 'utf8');
    writeQueries(read(changed), folder);
    expect(readFileSync(join(written, 'page.js'), 'utf8')).toBe(before);
    expect(readFileSync(join(written, 'queries.js'), 'utf8')).toContain('Pageview');
  });

  it('refuses where the page needs a build too', () => {
    writeProjectModules(read(definition), folder);
    const geo = { id: '8', name: 'Here', q: { lookup: 'geo', where: { p: 'country', eq: 'GB' } } };
    expect(() => writeQueries(read({ ...changed, queries: [geo] }), folder)).toThrow('build all');
  });
});
