import { html, raw } from 'hono/html';

import { mainSections } from './articles/library';
import type { Switches } from './switches';
import { tag, webAddon } from './tag';

/** A piece of a page, with everything in it escaped. */
export type Markup = ReturnType<typeof html>;

export interface Publisher {
  readonly sdkUrl: string;
  readonly apiHost: string;
  readonly apiProtocol: 'http' | 'https';
  readonly workspaceId: string;
  readonly apiKey: string;
  /** The companion's script, as the build has written it. */
  readonly companion: string;
  /** More of the tag's config. */
  readonly config?: Readonly<Record<string, string | number | boolean>>;
}

export interface View {
  readonly publisher: Publisher;
  readonly switches: Switches;
  readonly nonce: string;
  readonly now: Date;
}

export interface Page {
  readonly title: string;
  readonly description: string;
  readonly type: 'front' | 'section' | 'article' | 'page';
  readonly section: string;
  /** Properties of the Pageview. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly content: Markup;
  /** Address of the page as AMP serves it. */
  readonly amp?: string;
  /** Scripts of this page alone, after the site's own; `auction` brings Prebid with it. */
  readonly scripts?: readonly string[];
}

export const longDate = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

const inline = (nonce: string, code: string): Markup => html`<script nonce="${nonce}">${raw(code)}</script>`;

const bundle = ({ publisher, switches, nonce }: View): Markup =>
  html`<script nonce="${nonce}" async src="${publisher.sdkUrl}"></script>${
    switches.twice ? html`<script nonce="${nonce}" async src="${publisher.sdkUrl}"></script>` : ''
  }`;

const adServer = ({ switches, nonce }: View): Markup | string => {
  if (switches.gpt === 'none') return '';
  if (switches.gpt === 'late')
    return html`<script nonce="${nonce}" src="/assets/late.js" data-src="/assets/googletag.js" data-delay="1500"></script>`;
  return html`<script nonce="${nonce}" async src="/assets/googletag.js" data-api="${switches.gpt === 'setConfig' ? 'config' : 'all'}"></script>`;
};

/** The whole of the publisher's tag: stubs, companion, bundle, and the call that starts page views. */
const publisherTag = (view: View, properties: unknown): Markup => {
  const { publisher, switches, nonce } = view;
  const { apiKey, workspaceId, apiHost, apiProtocol } = publisher;
  const config = {
    apiHost,
    apiProtocol,
    cdnBaseUrl: apiHost,
    cdnProtocol: apiProtocol,
    segmentSyncApiHost: apiHost,
    secureSignalsApiHost: apiHost,
    ...publisher.config,
    ...(switches.consentRequired && { consentRequired: true }),
  };
  return html`${inline(nonce, tag({ form: switches.tag, apiKey, workspaceId, config }))}
${switches.gpt === 'none' ? '' : inline(nonce, publisher.companion)}
${bundle(view)}
${inline(nonce, webAddon(properties))}
${switches.throwing ? html`<script nonce="${nonce}" src="/assets/throwing.js"></script>` : ''}
${adServer(view)}`;
};

const adPlace = (
  id: string,
  position: string,
  unit: string,
  sizes: readonly (readonly [number, number])[],
  label: string,
): Markup => html`<aside class="ad ad-${position}" aria-label="${label}">
  <p class="ad-label">Advertisement</p>
  <div id="${id}" class="ad-place" data-test="${id}" data-ad-slot="/21809957681/ledgerpost/${unit}" data-pos="${position}" data-sizes="${JSON.stringify(sizes)}"></div>
</aside>`;

const unitOf = (section: string): string => section.toLowerCase().replace(/[^a-z]+/g, '-') || 'front';

export const leaderboard = (section: string): Markup =>
  adPlace(
    'ad-leaderboard',
    'leaderboard',
    `${unitOf(section)}/leaderboard`,
    [
      [970, 90],
      [728, 90],
      [320, 100],
    ],
    'Advertisement at the top',
  );
export const mediumRectangle = (section: string): Markup =>
  adPlace('ad-mpu', 'mpu', `${unitOf(section)}/mpu`, [[300, 250]], 'Advertisement');

const header = (view: View, { section }: Page): Markup => html`<header class="masthead">
  <div class="utility wrap">
    <p class="utility-date">${longDate.format(view.now)}</p>
    <nav class="utility-links" aria-label="Account">
      <a href="/newsletters">Newsletters</a>
      <button type="button" id="inspector-button" data-test="inspector" aria-keyshortcuts="Alt+Shift+P">Inspector</button>
      <button type="button" id="account" data-test="account">Sign in</button>
    </nav>
  </div>
  <p class="nameplate"><a href="/" data-test="home">The Ledger Post</a></p>
  <p class="motto">Business, markets and money, plainly told</p>
  <nav class="sections" aria-label="Sections" data-test="sections">
    <ul class="wrap">${mainSections.map(({ path, name }) => html`<li><a href="/${path}"${name === section ? raw(' aria-current="true"') : ''}>${name}</a></li>`)}</ul>
  </nav>
</header>`;

const footer = (page: Page): Markup => html`<footer class="colophon">
  <div class="wrap">
    <p class="colophon-name">The Ledger Post</p>
    <nav aria-label="Footer"><ul>
      ${mainSections.slice(0, 6).map(({ path, name }) => html`<li><a href="/${path}">${name}</a></li>`)}
      <li><a href="/newsletters">Newsletters</a></li>
      <li><a href="/film">Film: copper in eight seconds</a></li>
      <li><a href="/advertising">How an advertisement gets here</a></li>
      <li><a href="/advertising/two-ad-servers">Two ad servers</a></li>
      <li><a href="/advertising/partners">What partners are told</a></li>
      <li><a href="/server">What the server has</a></li>
      ${page.amp === undefined ? '' : html`<li><a href="${page.amp}" data-test="amp">This article on AMP</a></li>`}
      <li><a href="#consent" data-open-consent data-test="privacy-settings">Privacy settings</a></li>
    </ul></nav>
    <p class="colophon-note">An invented newspaper. Its people, companies, prices and rates are invented too.</p>
  </div>
</footer>`;

const consentBanner =
  (): Markup => html`<section id="consent" class="consent" role="region" aria-labelledby="consent-title" data-test="consent-banner" hidden>
  <div class="wrap consent-inner">
    <div>
      <h2 id="consent-title" tabindex="-1">Your reading, your choice</h2>
      <p>We would like to work out from the pages you read here which subjects interest you, so that the paper can show fewer and better advertisements. This is done in your browser. You can change your mind at any time under “Privacy settings” at the foot of the page.</p>
      <p class="consent-status" id="consent-status" role="status" data-test="consent-status"></p>
    </div>
    <div class="consent-buttons">
      <button type="button" class="button" data-consent-accept data-test="consent-accept">Accept</button>
      <button type="button" class="button button-quiet" data-consent-refuse data-test="consent-refuse">Refuse</button>
    </div>
  </div>
</section>`;

const head = (
  view: View,
  page: Pick<Page, 'title' | 'description' | 'properties'>,
): Markup => html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<meta name="description" content="${page.description}">
${publisherTag(view, page.properties)}`;

export const document = (view: View, page: Page): Markup => html`<!doctype html>
<html lang="en-GB">
<head>
${head(view, page)}
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/site.css">
</head>
<body data-type="${page.type}" data-section="${unitOf(page.section)}" data-consent="${view.switches.consentRequired ? 'required' : 'optional'}">
<a class="skip" href="#content">Skip to the content</a>
${header(view, page)}
${leaderboard(page.section)}
<main id="content" class="wrap">${page.content}</main>
${footer(page)}
${consentBanner()}
${['ads', 'consent', 'reader', 'inspector', ...(page.scripts ?? [])].filter((name) => name !== 'ads' || view.switches.gpt !== 'none').map((name) => html`<script nonce="${view.nonce}" defer src="/assets/${name}.js"></script>`)}
${page.scripts?.includes('auction') ? html`<script nonce="${view.nonce}" async src="/prebid.js"></script>` : ''}
</body>
</html>`;

/** The tag and nothing else. */
export const blankDocument = (view: View): Markup => html`<!doctype html>
<html lang="en-GB"><head>
${head(view, { title: 'Blank page', description: 'The tag and nothing else', properties: { type: 'blank' } })}
</head><body data-type="blank"></body></html>`;

/** The bundle on a page that has no tag. */
export const emptyDocument = (view: View): Markup => html`<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><title>Empty page</title>${bundle(view)}</head><body data-type="empty"></body></html>`;
