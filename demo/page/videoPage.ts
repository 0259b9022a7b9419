import { html } from 'hono/html';

import type { Page } from './layout';

/** An article that is a film. The paper hands its element to the SDK, and need not say when it plays. */
export const videoPage = (): Page => ({
  title: 'Copper in eight seconds: The Ledger Post',
  description: 'A year of the copper price, drawn while you watch.',
  type: 'article',
  section: 'Markets',
  properties: {
    type: 'video',
    article: { section: 'Markets', title: 'Copper in eight seconds', keywords: ['copper', 'commodities', 'futures'] },
  },
  content: html`<div class="reading">
  <article class="story" data-test="article">
    <header>
      <p class="kicker"><a href="/markets">Film</a></p>
      <h1>Copper in eight seconds</h1>
      <p class="standfirst">A year of the copper price, drawn while you watch.</p>
    </header>
    <video class="story-film" id="film" data-test="film" src="/assets/copper.webm" width="640" height="360" controls muted playsinline preload="metadata"></video>
    <div class="story-body">
      <p>Warehouses emptied in spring, and nobody in the futures market seemed to mind. By autumn the price had caught up with the people who bend the metal for a living. This is what that looked like.</p>
      <p>The line has no sound, and needs none. Watch where it pauses: each of those weeks, somebody said that it was over.</p>
    </div>
  </article>
</div>`,
  scripts: ['film'],
});
