import { html } from 'hono/html';

import type { Page } from './layout';

/** A page that shows what the reference API has received; `assets/server.js` asks it again and again. */
export const serverPage = (apiUrl: string): Page => ({
  title: 'What the server has: The Ledger Post',
  description: 'The events that have arrived, and those that were refused.',
  type: 'page',
  section: 'Server',
  properties: { type: 'server' },
  content: html`<header class="section-head"><h1>What the server has</h1><p>The reference API of this demo keeps what the SDK uploads. What happens before that, and why, is in the inspector.</p></header>
<section class="server" id="server" data-api="${apiUrl}" aria-labelledby="server-title">
  <h2 id="server-title" class="row-title">Events that have arrived <span class="partner-state" role="status" data-part="state" data-test="server-state">Asking the server</span></h2>
  <ol class="partner-calls" data-part="events" data-test="server-events"></ol>
  <p class="auction-note">These are the last fifty of all visitors. The API itself has more to say: <a href="${apiUrl}/">all of its calls</a>, <a href="${apiUrl}/good">every event</a>, <a href="${apiUrl}/bad">what was refused and why</a>, <a href="${apiUrl}/requests">every request</a>.</p>
</section>`,
  scripts: ['server'],
});
