import { html } from 'hono/html';

import { bidders } from './exchange';
import type { Page } from './layout';

/** The page on which readers, and developers, can watch an auction. */
export const auctionPage = (): Page => ({
  title: 'How an advertisement gets here: The Ledger Post',
  description: 'An auction, held on this page while you look.',
  type: 'page',
  section: 'Advertising',
  properties: { type: 'advertising' },
  content: html`<header class="section-head"><h1>How an advertisement gets here</h1><p>The space below is sold while the page loads. Two of the three bidders may hear what you like to read about; your browser works that out from the pages you open here, and tells them subjects, never who you are.</p></header>
<div class="auction" id="auction" data-test="auction">
  <section class="auction-bids" aria-labelledby="auction-title">
    <h2 id="auction-title" class="row-title">The bids</h2>
    <ul>${Object.entries(bidders).map(
      ([code, { name }]) => html`<li class="bid" data-bidder="${code}" data-test="bid-${code}">
      <p class="bid-name">${name}</p>
      <p class="bid-price" data-part="price" aria-label="Bid">–</p>
      <ul class="bid-heard" data-part="heard"><li class="bid-nothing">Waiting for the auction</li></ul>
    </li>`,
    )}</ul>
    <p class="auction-foot"><button type="button" class="button button-quiet" id="auction-again" data-test="auction-again">Sell it again</button> <span id="auction-state" role="status" data-test="auction-state">The bids are being asked for.</span></p>
  </section>
  <aside class="auction-place" aria-label="Advertisement">
    <p class="ad-label">Advertisement</p>
    <iframe id="auction-ad" title="Advertisement" width="300" height="250" marginwidth="0" marginheight="0" data-test="auction-ad"></iframe>
  </aside>
</div>
<p class="auction-note">Prebid holds this auction with its own module for this SDK; the bidders are stand-ins that answer from this site. Read <a href="/markets">a few articles</a> first, and they have more to bid on.</p>`,
  scripts: ['auction'],
});
