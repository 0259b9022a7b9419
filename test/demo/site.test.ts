import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { addressOf, articles, mainSections } from '../../demo/page/articles/library';
import { createSite, type SiteOptions } from '../../demo/page/site';
import { standInScripts } from '../../demo/page/standIns/scripts';
import { project } from '../../demo/project/project';

const options: SiteOptions = {
  sdkUrl: 'http://cdn.localhost:9000/sdk-web.js',
  apiHost: 'api.localhost:9001',
  apiProtocol: 'http',
  workspaceId: project.workspaceId,
  apiKey: project.apiKey,
  organizationId: project.organizationId,
  companion: '/* the companion */',
};
const apiUrl = `${options.apiProtocol}://${options.apiHost}/`;
const site = createSite(options);
const assets = join(__dirname, '../../demo/page/assets');
const stubNames = 'addon identify track trigger query segment segments ready on once user consent'.split(' ');

const get = async (address: string) => {
  const response = await site.request(address);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const scriptsOf = (page: string): { attributes: string; code: string }[] =>
  [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)].map(([, attributes = '', code = '']) => ({
    attributes,
    code,
  }));
const inlineScriptsOf = (page: string): string[] =>
  scriptsOf(page).flatMap(({ attributes, code }) => (attributes.includes('src=') ? [] : [code]));

interface Call {
  readonly functionName: string;
  readonly arguments: ArrayLike<unknown>;
}
type Stub = Record<string, unknown> & {
  q: Call[];
  config: Record<string, unknown>;
  track: (...parameters: unknown[]) => void;
};

/** Runs the inline scripts of a page as a browser would, and gives the object they leave for the SDK. */
const runTag = async (
  address: string,
  before?: unknown,
): Promise<{ permutive: Stub; isArray: (value: unknown) => boolean }> => {
  const page: Record<string, unknown> = { crypto: globalThis.crypto, permutive: before };
  page['window'] = page;
  page['document'] = {};
  const { text } = await get(address);
  for (const code of inlineScriptsOf(text)) runInNewContext(code, page);
  return {
    permutive: page['permutive'] as Stub,
    isArray: (value) => runInNewContext('Array.isArray(value)', { value }) as boolean,
  };
};

describe('pages', () => {
  const addresses = [
    '/',
    '/newsletters',
    '/advertising',
    '/advertising/two-ad-servers',
    '/advertising/partners',
    '/film',
    '/server',
    ...mainSections.map(({ path }) => `/${path}`),
    '/markets/futures',
    '/small-business/ai',
    ...articles.map(addressOf),
  ];

  it.each(addresses)('%s is there, whole and self-contained', async (address) => {
    const { status, text } = await get(address);
    expect(status).toBe(200);
    expect(text).toContain('data-test="sections"');
    expect(text.match(/<h1[ >]/g)).toHaveLength(1);
    const foreign = [...text.matchAll(/(?:src|href|action)="([^"]*)"/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[/#]/.test(target) && target !== options.sdkUrl && !target.startsWith(apiUrl));
    expect(foreign).toEqual([]);
  });

  it.each(addresses)('%s has nothing that a strict policy would refuse', async (address) => {
    const { text } = await get(`${address}?csp=strict`);
    expect(text).not.toMatch(/<[^>]* (style|on\w+)=/);
    expect(text).not.toContain('javascript:');
  });

  it('has 14 articles in 8 sections or more, each a real read', () => {
    expect(articles.length).toBeGreaterThanOrEqual(14);
    expect(new Set(articles.map(({ section }) => section)).size).toBeGreaterThanOrEqual(8);
    expect(new Set(articles.map(addressOf)).size).toBe(articles.length);
    for (const { body, keywords, taxonomy } of articles) {
      expect(body.length).toBeGreaterThanOrEqual(3);
      expect(body.length).toBeLessThanOrEqual(6);
      expect(keywords.length).toBeGreaterThan(0);
      expect(taxonomy.length).toBeGreaterThan(0);
    }
  });

  it('has two ad slots on an article', async () => {
    const { text } = await get(addressOf(articles[0]!));
    expect(text).toContain('id="ad-leaderboard"');
    expect(text).toContain('id="ad-mpu"');
  });

  it('says so when there is no such page', async () => {
    expect((await get('/no/such/page')).status).toBe(404);
  });

  it('ignores a slash at the end of an address', async () => {
    expect((await get('/markets/')).status).toBe(200);
  });

  it('escapes what comes from the address', async () => {
    const attack = encodeURIComponent('"><script>alert(1)</script>');
    for (const address of [
      `/out?to=${attack}`,
      `/ad?creative=${attack}&targeting=${encodeURIComponent('{"k":["<script>"]}')}`,
      `/newsletters?letter=${attack}`,
    ]) {
      expect((await get(address)).text).not.toContain('<script>');
    }
  });

  it('serves its files, and no others', async () => {
    expect((await get('/assets/site.css')).headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect((await get('/assets/googletag.js')).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await get('/assets/..%2fsite.ts')).status).toBe(404);
  });

  it('names cohorts', async () => {
    const names = JSON.parse((await get('/cohorts.json')).text) as Record<string, string>;
    expect(names).toMatchObject({
      '20213': 'Cybersecurity',
      '10000001': 'Business and finance',
      '10000045': 'Careers',
    });
  });
});

describe('the tag', () => {
  it('is the present form by default', async () => {
    const { permutive, isArray } = await runTag('/blank');
    expect(permutive.config).toMatchObject({
      apiKey: project.apiKey,
      workspaceId: project.workspaceId,
      environment: 'production',
      apiHost: options.apiHost,
      apiProtocol: 'http',
      cdnBaseUrl: options.apiHost,
      segmentSyncApiHost: options.apiHost,
      cdnProtocol: 'http',
    });
    expect(permutive.config['viewId']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Object.keys(permutive).sort()).toEqual(['config', 'q', ...stubNames].sort());
    permutive.track('Test', { a: 1 });
    expect(permutive.q.at(-1)).toMatchObject({ functionName: 'track' });
    expect(isArray(permutive.q.at(-1)?.arguments)).toBe(true);
  });

  it.each([
    ['project', { projectId: project.workspaceId, apiKey: project.apiKey }, ['workspaceId', 'viewId']],
    ['short', { apiKey: project.apiKey }, ['workspaceId', 'projectId', 'viewId']],
    ['queue', { projectId: project.workspaceId, apiKey: project.apiKey }, ['workspaceId', 'viewId']],
  ])('has the older form %s', async (form, config, absent) => {
    const { permutive } = await runTag(`/blank?tag=${form}`);
    expect(permutive.config).toMatchObject({ ...config, apiHost: options.apiHost });
    for (const name of absent) expect(permutive.config).not.toHaveProperty(name);
    for (const name of stubNames) expect(typeof permutive[name]).toBe('function');
  });

  it('hands over arguments that are no array in the oldest form', async () => {
    const { permutive, isArray } = await runTag('/blank?tag=queue');
    permutive.track('Test', { a: 1 });
    const call = permutive.q.at(-1)!;
    expect(isArray(call.arguments)).toBe(false);
    expect(Array.from(call.arguments)).toEqual(['Test', { a: 1 }]);
  });

  it('takes the form of the options where the address asks for none', async () => {
    const { text } = await (async () => ({
      text: await (await createSite({ ...options, tagForm: 'short' }).request('/blank')).text(),
    }))();
    expect(text).toContain('(window.permutive, "');
    expect(text).not.toContain('workspaceId = workspaceId');
  });

  it('leaves alone an SDK that is there already', async () => {
    const calls: unknown[] = [];
    const there = { config: {}, addon: (...parameters: unknown[]) => calls.push(parameters) };
    const { permutive } = await runTag('/blank', there);
    expect(permutive).toBe(there);
    expect(calls).toHaveLength(1);
  });

  it('tells the web addon about the article', async () => {
    const article = articles.find(({ slug }) => slug === 'lock-down-a-home-office-in-one-evening')!;
    const { permutive } = await runTag(addressOf(article));
    const call = permutive.q.find(({ functionName }) => functionName === 'addon')!;
    expect(JSON.parse(JSON.stringify(Array.from(call.arguments)))).toMatchObject([
      'web',
      {
        page: {
          type: 'article',
          article: {
            title: article.title,
            description: article.description,
            section: 'Tech',
            keywords: article.keywords,
            taxonomy: article.taxonomy.map(([path]) => path),
            authors: [article.author],
            published: expect.stringMatching(/^\d{4}-\d\d-\d\dT07:00:00\.000Z$/) as unknown,
          },
        },
      },
    ]);
  });

  it('asks for consent only where the address says so', async () => {
    expect((await runTag('/blank')).permutive.config).not.toHaveProperty('consentRequired');
    expect((await runTag('/blank?consent=required')).permutive.config).toMatchObject({ consentRequired: true });
  });
});

describe('the exchange', () => {
  const bid = async (body: string) => {
    const response = await site.request('/exchange', { method: 'POST', body });
    return { status: response.status, answer: (await response.json()) as { heard?: unknown; bid?: { cpm: number } } };
  };
  const asking = (bidder: string, ids: readonly string[]) =>
    JSON.stringify({
      bidder,
      request: 'r1',
      user: {
        data: [
          { name: 'permutive.com', segment: ids.map((id) => ({ id })) },
          { name: 'elsewhere', segment: [{ id: 'x' }] },
        ],
      },
    });

  it('tells a bidder what it was told, and bids more for more interests', async () => {
    const [none, two] = [
      await bid(asking('northfield', [])),
      await bid(asking('northfield', ['10000001', '10000002'])),
    ];
    expect(two).toMatchObject({
      status: 200,
      answer: { heard: { standard: ['10000001', '10000002'], custom: [] }, bid: { requestId: 'r1' } },
    });
    expect(two.answer.bid!.cpm).toBeGreaterThan(none.answer.bid!.cpm);
  });

  it.each(['', '7', '{}', asking('nobody', []), asking('constructor', [])])(
    'refuses what is no request: %s',
    async (body) => {
      expect((await bid(body)).status).toBe(400);
    },
  );
});

describe('switches', () => {
  it('sends no policy unless asked', async () => {
    expect((await get('/')).headers.get('content-security-policy')).toBeNull();
  });

  it.each(['/', '/blank', '/empty', addressOf(articles[0]!)])(
    'serves %s under a strict policy, every script with the nonce of this answer',
    async (address) => {
      const { headers, text } = await get(`${address}?csp=strict&throw=1&twice=1`);
      const policy = headers.get('content-security-policy') ?? '';
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none';
      expect(policy).toBe(
        `script-src 'nonce-${nonce}' 'strict-dynamic'; object-src 'none'; base-uri 'none'; require-trusted-types-for 'script'`,
      );
      for (const { attributes } of scriptsOf(text)) expect(attributes).toContain(`nonce="${nonce}"`);
      expect((await get(`${address}?csp=strict`)).headers.get('content-security-policy')).not.toContain(nonce);
    },
  );

  it('forbids workers on top', async () => {
    expect((await get('/?csp=noworker')).headers.get('content-security-policy')).toMatch(
      /require-trusted-types-for 'script'; worker-src 'none'$/,
    );
  });

  const count = (page: string, part: string): number => page.split(part).length - 1;

  it('includes the bundle once, or twice', async () => {
    expect(count((await get('/')).text, `src="${options.sdkUrl}"`)).toBe(1);
    expect(count((await get('/?twice=1')).text, `src="${options.sdkUrl}"`)).toBe(2);
  });

  it('lets callbacks of the page throw', async () => {
    expect((await get('/')).text).not.toContain('throwing.js');
    expect((await get('/?throw=1')).text).toContain('src="/assets/throwing.js"');
  });

  it('loads the ad tag at once, late, never or without its older calls', async () => {
    expect((await get('/')).text).toContain('async src="/assets/googletag.js" data-api="all"');
    expect((await get('/?gpt=late')).text).toContain(
      'src="/assets/late.js" data-src="/assets/googletag.js" data-delay="1500"',
    );
    expect((await get('/?gpt=setConfig')).text).toContain('data-api="config"');
    const none = (await get('/?gpt=none')).text;
    expect(none).not.toContain('googletag');
    expect(none).not.toContain('/assets/ads.js');
  });

  it('has a page with the tag only, and one with the bundle only', async () => {
    const blank = (await get('/blank')).text;
    expect(blank).toContain('<body data-type="blank"></body>');
    const empty = (await get('/empty')).text;
    expect(inlineScriptsOf(empty)).toEqual([]);
    expect(scriptsOf(empty)).toHaveLength(1);
    expect(empty).toContain(options.sdkUrl);
  });
});

describe('scripts of the site', () => {
  const scripts = new Map([
    ...readdirSync(assets)
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name, readFileSync(join(assets, name), 'utf8')] as const),
    ...standInScripts(),
  ]);
  it('include the stand-ins, which say what they are', () => {
    expect(scripts.get('googletag.js')).toContain('googletag stand-in');
    expect(scripts.get('apntag.js')).toContain('apntag stand-in');
  });

  it.each([...scripts.keys()])('%s makes no code or markup out of text', (name) => {
    expect(scripts.get(name)).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|\beval\b|new Function|createContextualFragment|\.style\b/,
    );
  });
});
