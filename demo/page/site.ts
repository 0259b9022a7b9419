import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type Context, Hono } from 'hono';

import { project } from '../project/project';
import { ruleNames } from '../project/rules';
import { standardNames } from '../project/standard';
import { adServersPage } from './adServersPage';
import { advertisement, outPage } from './advertisement';
import { ampDocument } from './ampPage';
import { articleAt, sectionAt } from './articles/library';
import { auctionPage } from './auctionPage';
import { bidOn, BidRequest } from './exchange';
import { blankDocument, document, emptyDocument, type Markup, type Page, type Publisher, type View } from './layout';
import { articlePage, frontPage, lettersPage, missingPage, sectionPage } from './pages';
import { partnersPage } from './partnersPage';
import { serverPage } from './serverPage';
import { standInScripts } from './standIns/scripts';
import { contentSecurityPolicy, switchesFrom } from './switches';
import type { TagForm } from './tag';
import { videoPage } from './videoPage';

export interface SiteOptions extends Publisher {
  readonly organizationId: string;
  /** The form of the tag on pages that do not ask for another with `?tag=`. */
  readonly tagForm?: TagForm;
  /** Names of cohorts, as the pages show them. */
  readonly cohortNames?: Readonly<Record<string, string>>;
  readonly now?: () => Date;
}

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  webm: 'video/webm',
};
const assetFolder = new URL('assets/', import.meta.url);
/** Written by `scripts/prebid.mjs`. */
const prebid = new URL('../../build/prebid/prebid.js', import.meta.url);

const assets = (): ReadonlyMap<string, { readonly body: Uint8Array<ArrayBuffer>; readonly type: string }> =>
  new Map(
    [
      ...readdirSync(assetFolder).map((name) => [name, readFileSync(new URL(name, assetFolder))] as const),
      ...[...standInScripts()].map(([name, code]) => [name, Buffer.from(code)] as const),
    ].map(([name, content]) => [
      name,
      {
        body: Uint8Array.from(content),
        type: contentTypes[name.split('.').pop() ?? ''] ?? 'text/plain; charset=utf-8',
      },
    ]),
  );

const namesOfSample = (): Readonly<Record<string, string>> => {
  const names: Readonly<Record<string, string>> = {
    ...standardNames,
    ...ruleNames,
    ...Object.fromEntries([...project.queries, ...project.lifted].map(({ id, name }) => [id, name])),
  };
  // Standard cohorts go out under their codes.
  return {
    ...names,
    ...Object.fromEntries(Object.entries(project.cohortCodes).map(([id, code]) => [code, names[id] ?? code])),
  };
};

const pageAt = (address: string, now: Date): Page | null => {
  const article = articleAt(address);
  if (article) return articlePage(article, now);
  const section = sectionAt(address);
  return section ? sectionPage(section, now) : null;
};

/** The part of a file that a browser asks for: its first and its last byte. Browsers jump about in a video by parts. */
const partOf = (range: string | undefined, length: number): readonly [from: number, to: number] | null => {
  const [, from = '', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  return from === '' || Number(from) >= length ? null : [Number(from), Math.min(Number(to || length), length - 1)];
};

/** The demo site of a publisher. Its pages are made on the server; the SDK comes from another origin. */
export function createSite(options: SiteOptions): Hono {
  const site = new Hono();
  const files = assets();
  const now = options.now ?? (() => new Date());

  const send = (c: Context, make: (view: View) => Markup, status: 200 | 404 = 200) => {
    const nonce = randomBytes(16).toString('base64');
    const switches = switchesFrom((name) => c.req.query(name), options.tagForm ?? 'workspace');
    const policy = contentSecurityPolicy(switches, nonce);
    if (policy) c.header('Content-Security-Policy', policy);
    c.header('Cache-Control', 'no-store');
    return c.html(make({ publisher: options, switches, nonce, now: now() }), status);
  };
  const sendPage = (c: Context, page: Page, status: 200 | 404 = 200) => send(c, (view) => document(view, page), status);

  site.get('/assets/:name', (c) => {
    const file = files.get(c.req.param('name'));
    if (!file) return c.notFound();
    const headers = {
      'Content-Type': file.type,
      'Cache-Control': 'no-cache',
      'Accept-Ranges': 'bytes',
      'Service-Worker-Allowed': '/advertising/partners',
    };
    const part = partOf(c.req.header('range'), file.body.length);
    if (part === null) return c.body(file.body, 200, headers);
    const [from, to] = part;
    const range = `bytes ${from}-${to}/${file.body.length}`;
    return c.body(file.body.slice(from, to + 1), 206, { ...headers, 'Content-Range': range });
  });
  site.get('/cohorts.json', (c) => c.json(options.cohortNames ?? namesOfSample()));
  site.get('/ad', (c) => c.html(advertisement((name) => c.req.query(name))));
  site.get('/out', (c) => c.html(outPage(c.req.query('to'))));
  site.get('/advertising', (c) => sendPage(c, auctionPage()));
  site.get('/advertising/two-ad-servers', (c) => sendPage(c, adServersPage()));
  site.get('/advertising/partners', (c) => sendPage(c, partnersPage()));
  // Where the service worker of that page sends the images of partners.
  site.get('/advertising/pixel', (c) => c.body(null, 204, { 'Cache-Control': 'no-store' }));
  site.get('/amp/*', (c) => {
    const article = articleAt(c.req.path.slice('/amp'.length));
    return article ? send(c, (view) => ampDocument(view, article)) : sendPage(c, missingPage(), 404);
  });
  site.get('/server', (c) => sendPage(c, serverPage(`${options.apiProtocol}://${options.apiHost}`)));
  site.get('/film', (c) => sendPage(c, videoPage()));
  site.get('/prebid.js', (c) =>
    existsSync(prebid)
      ? c.body(readFileSync(prebid, 'utf8'), 200, {
          'Content-Type': 'text/javascript; charset=utf-8',
          'Cache-Control': 'no-cache',
        })
      : c.notFound(),
  );
  site.post('/exchange', async (c) => {
    const asked: unknown = await c.req.json().catch(() => null);
    const answer = BidRequest.is(asked) ? bidOn(asked) : null;
    return answer ? c.json(answer) : c.json({ error: 'no bid request' }, 400);
  });
  site.get('/blank', (c) => send(c, blankDocument));
  site.get('/empty', (c) => send(c, emptyDocument));
  site.get('/', (c) => sendPage(c, frontPage(now())));
  site.get('/newsletters', (c) => sendPage(c, lettersPage(c.req.query('letter'))));
  site.get('*', (c) => {
    const page = pageAt(c.req.path.replace(/(.)\/$/, '$1'), now());
    return page ? sendPage(c, page) : sendPage(c, missingPage(), 404);
  });
  return site;
}
