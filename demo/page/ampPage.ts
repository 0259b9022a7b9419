import { html } from 'hono/html';

import { addressOf, type articles } from './articles/library';
import { illustration } from './illustrations';
import type { Markup, View } from './layout';

/**
 * An article as AMP serves it: no script of the publisher runs. What the ad is sold on was worked out on the visitor's
 * other pages; the ad asks the server for it by the visitor's id, as a real-time configuration of AMP does.
 */
export const ampDocument = (view: View, article: (typeof articles)[number]): Markup => html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${article.title}: The Ledger Post</title>
<meta name="description" content="${article.description}">
<link rel="canonical" href="${addressOf(article)}">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/site.css">
</head>
<body data-type="amp">
<header class="masthead"><p class="nameplate"><a href="/">The Ledger Post</a></p></header>
<main id="content" class="wrap">
<article class="story">
  <header><h1>${article.title}</h1><p class="standfirst">${article.description}</p></header>
  <div class="story-art">${illustration(article.art)}</div>
  <div class="story-body">${article.body.map((text) => html`<p>${text}</p>`)}</div>
</article>
<aside class="ad ad-mpu" aria-label="Advertisement">
  <p class="ad-label">Advertisement</p>
  <div id="amp-ad" class="ad-place" data-test="amp-ad" data-rtc="${view.publisher.apiProtocol}://${view.publisher.apiHost}/amp/cohorts">Asking the server</div>
</aside>
</main>
<script nonce="${view.nonce}" defer src="/assets/amp.js"></script>
</body>
</html>`;
