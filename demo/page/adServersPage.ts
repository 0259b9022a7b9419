import { html } from 'hono/html';

import { mediumRectangle, type Page } from './layout';

/** A page whose places are sold by two ad servers at once, with what each of them is told. */
export const adServersPage = (): Page => ({
  title: 'Two ad servers: The Ledger Post',
  description: 'One page, two ad servers, and what each of them is told.',
  type: 'page',
  section: 'Advertising',
  properties: { type: 'advertising' },
  content: html`<header class="section-head"><h1>Two ad servers</h1><p>Some papers sell one place with Google and the next with AppNexus. Both hear the same subjects, each in its own words.</p></header>
<div class="ad-servers">
  <section aria-labelledby="google-title">
    <h2 id="google-title" class="row-title">Google</h2>
    ${mediumRectangle('advertising')}
    <ul class="ad-keys" data-keys="google" data-test="google-keys" aria-label="What Google is told"></ul>
  </section>
  <section aria-labelledby="appnexus-title">
    <h2 id="appnexus-title" class="row-title">AppNexus</h2>
    <aside class="ad ad-mpu" aria-label="Advertisement of the second server"><p class="ad-label">Advertisement</p><div id="appnexus-place" class="ad-place" data-test="appnexus-place"></div></aside>
    <ul class="ad-keys" data-keys="appnexus" data-test="appnexus-keys" aria-label="What AppNexus is told"></ul>
  </section>
</div>`,
  scripts: ['adservers', 'apntag'],
});
