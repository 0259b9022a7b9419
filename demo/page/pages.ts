import { html } from 'hono/html';

import { dayMs, hourMs } from '../../src/primitives/duration';
import type { Article } from './articles/article';
import { addressOf, articles, articlesIn, mainSections, partsOf, related, type Section } from './articles/library';
import { illustration } from './illustrations';
import { longDate, type Markup, mediumRectangle, type Page } from './layout';

/** The paper goes out at seven in the morning. */
const sevenMs = 7 * hourMs;

/** When an article came out. None is from tomorrow. */
const publishedAt = ({ daysAgo }: Article, now: Date): Date =>
  new Date((Math.floor((now.getTime() - sevenMs) / dayMs) - daysAgo) * dayMs + sevenMs);
const shortDate = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
const minutesToRead = ({ body }: Article): number => Math.max(2, Math.round(body.join(' ').split(' ').length / 180));

/** Filled in by the SDK before the event is used. */
const placeholders = { isp_info: '$ip_isp_info', geo_info: '$ip_geo_info' };
const classifications = {
  categories: '$alchemy_taxonomy',
  concepts: '$alchemy_concepts',
  entities: '$alchemy_entity_names',
  keywords: '$alchemy_keywords',
  sentiment: '$alchemy_document_sentiment',
  taxonomy_labels: '$alchemy_taxonomy_labels',
};

const byline = (article: Article, now: Date): Markup =>
  html`<p class="byline">By <span>${article.author}</span> · <time datetime="${publishedAt(article, now).toISOString()}">${shortDate.format(publishedAt(article, now))}</time> · ${minutesToRead(article)} min</p>`;

type Look = 'lead' | 'side' | 'card' | 'line';

const teaser = (
  article: Article,
  look: Look,
  now: Date,
): Markup => html`<article class="teaser teaser-${look}" data-test="teaser" data-section="${article.section}">
  ${look === 'line' ? '' : html`<div class="teaser-art">${illustration(article.art)}</div>`}
  <div class="teaser-text">
    <p class="kicker">${article.kicker}</p>
    <h3><a href="${addressOf(article)}">${article.title}</a></h3>
    ${look === 'side' ? '' : html`<p class="standfirst">${article.description}</p>`}
    ${look === 'lead' || look === 'card' ? byline(article, now) : ''}
  </div>
</article>`;

const quotations: readonly (readonly [string, string, number])[] = [
  ['Broad 500', '4,812.40', 0.04],
  ['Continental 50', '5,106.18', -0.22],
  ['Harbour 100', '8,240.75', 0.31],
  ['Small Cap', '2,017.90', 0.86],
  ['Copper', '9,418', -0.12],
  ['Ten-year', '4.18%', 0.02],
];

const ticker = (): Markup =>
  html`<section class="ticker" aria-label="Markets at the close" tabindex="0"><ul>${quotations.map(
    ([name, level, change]) =>
      html`<li><span class="ticker-name">${name}</span> <span class="ticker-level">${level}</span> <span class="${change < 0 ? 'down' : 'up'}">${change < 0 ? '▼' : '▲'} ${Math.abs(change).toFixed(2)}%</span></li>`,
  )}</ul></section>`;

const letters = [
  {
    id: 'finance',
    name: 'Finance',
    when: 'Fridays',
    text: 'Rates, shares and what your money did this week.',
    to: '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring',
  },
  {
    id: 'life-weekly',
    name: 'Life Weekly',
    when: 'Sundays',
    text: 'Food, clothes, games and the long read.',
    to: '/news/food/low-alcohol-wine-stops-apologising',
  },
  {
    id: 'advertising',
    name: 'Advertising',
    when: 'Tuesdays',
    text: 'The business of being noticed.',
    to: '/news/retail/resale-grows-up',
  },
  {
    id: 'healthcare',
    name: 'Healthcare',
    when: 'Wednesdays',
    text: 'Practices, patients and the people who pay.',
    to: '/healthcare/the-dental-chair-goes-digital',
  },
] as const;

const letterAddress = ({ id, to }: (typeof letters)[number]): string =>
  `${to}?utm_source=newsletter&utm_medium=email&utm_campaign=${id}`;

const letterPromo = (): Markup => html`<section class="letters" aria-labelledby="letters-title">
  <div><h2 id="letters-title">Four letters, no noise</h2><p>One subject each, once a week, by the people who write the paper.</p></div>
  <ul>${letters.map((letter) => html`<li><a href="${letterAddress(letter)}" data-test="letter-${letter.id}"><strong>${letter.name}</strong><span>${letter.when}</span></a></li>`)}</ul>
</section>`;

const pick = (...slugs: readonly string[]): Article[] =>
  slugs.flatMap((slug) => articles.filter((article) => article.slug === slug));

const leads = pick('a-late-bounce-saves-a-nervous-week');
const beside = pick(
  'wildfire-season-starts-early',
  'lock-down-a-home-office-in-one-evening',
  'where-to-keep-money-you-may-need-by-spring',
  'the-bakery-that-learned-to-read-its-own-numbers',
);
const frontRows: readonly (readonly [title: string, path: string, rows: readonly Article[]])[] = [
  [
    'Owners and makers',
    'small-business',
    pick(
      'what-a-small-firm-can-really-hand-to-ai',
      'why-your-parcel-goes-by-a-smaller-port',
      'seed-rounds-shrink-founders-shrug',
    ),
  ],
  [
    'Markets and money',
    'markets',
    pick('coppers-quiet-squeeze', 'the-case-for-boring-shares', 'gig-works-missing-payslip'),
  ],
  [
    'Work and tools',
    'tech',
    pick(
      'meeting-software-learns-to-leave-us-alone',
      'equal-pay-reports-get-shorter-and-better',
      'the-handheld-console-finds-a-grown-up-audience',
    ),
  ],
  [
    'The long run',
    'sustainability',
    pick(
      'farmers-meet-the-wind-business',
      'the-dental-chair-goes-digital',
      'the-office-block-that-became-four-hundred-homes',
    ),
  ],
];
const lastLines = pick(
  'fund-houses-learn-to-sell-patience',
  'resale-grows-up',
  'low-alcohol-wine-stops-apologising',
  'pride-networks-move-from-posters-to-policy',
  'what-is-an-expense-ratio',
  'a-plain-guide-to-emergency-funds',
);

export const frontPage = (now: Date): Page => ({
  title: 'The Ledger Post: business, markets and money',
  description: 'News and guides on markets, small business, personal finance, technology and work.',
  type: 'front',
  section: '',
  properties: { type: 'front', ...placeholders },
  content: html`<h1 class="visually-hidden">The Ledger Post, ${longDate.format(now)}</h1>
${ticker()}
<h2 class="visually-hidden">Top stories</h2>
<div class="front-top">
  <div class="front-lead">${leads.map((article) => teaser(article, 'lead', now))}</div>
  <div class="front-side">${beside.map((article) => teaser(article, 'side', now))}</div>
</div>
${frontRows.slice(0, 2).map((row) => frontRow(row, now))}
${letterPromo()}
${frontRows.slice(2).map((row) => frontRow(row, now))}
<section class="row" aria-labelledby="more-title"><h2 id="more-title" class="row-title">More from the paper</h2><div class="lines">${lastLines.map((article) => teaser(article, 'line', now))}</div></section>`,
});

const frontRow = (
  [title, path, rows]: (typeof frontRows)[number],
  now: Date,
): Markup => html`<section class="row" aria-label="${title}">
  <h2 class="row-title"><a href="/${path}">${title}</a></h2>
  <div class="cards">${rows.map((article) => teaser(article, 'card', now))}</div>
</section>`;

export const sectionPage = (section: Section, now: Date): Page => {
  const [first, ...others] = articlesIn(section);
  const main = mainSections.find(({ path }) => path === section.path.split('/')[0]) ?? section;
  const subsections = partsOf(main);
  return {
    title: `${section.name}: The Ledger Post`,
    description: section.description,
    type: 'section',
    section: main.name,
    properties: { type: 'section', section: main.name, ...placeholders },
    content: html`<header class="section-head">
  <h1>${section.name}</h1>
  <p>${section.description}</p>
  ${subsections.length > 0 ? html`<nav aria-label="Parts of ${main.name}"><ul class="parts">${subsections.map(({ path, name }) => html`<li><a href="/${path}">${name}</a></li>`)}</ul></nav>` : ''}
</header>
<div class="section-lead">${first ? teaser(first, 'lead', now) : ''}${mediumRectangle(main.name)}</div>
<div class="cards">${others.map((article) => teaser(article, 'card', now))}</div>
<section class="row" aria-labelledby="elsewhere"><h2 id="elsewhere" class="row-title">Elsewhere in the paper</h2><div class="lines">${articles
      .filter((article) => article !== first && !others.includes(article))
      .slice(0, 6)
      .map((article) => teaser(article, 'line', now))}</div></section>`,
  };
};

const productBox = ({ products }: Article): Markup | string =>
  products
    ? html`<section class="products" aria-labelledby="products-title"><h2 id="products-title">Accounts on sale this week</h2><ul>${products.map(
        (product) => html`<li>
    <p class="product-rate">${product.rate}</p>
    <p class="product-name"><strong>${product.name}</strong>${product.provider}. ${product.terms}</p>
    <a class="button" href="/out?to=${encodeURIComponent(product.destination)}" target="_blank" rel="noopener" data-product="${product.name}" data-provider="${product.provider}" data-destination="${product.destination}" data-test="product">See the account</a>
  </li>`,
      )}</ul></section>`
    : '';

const paragraphs = (article: Article): Markup[] =>
  article.body.map(
    (text, index) =>
      html`<p>${text}</p>${index === 1 ? mediumRectangle(article.section) : ''}${index === 2 && article.quote ? html`<blockquote><p>${article.quote}</p></blockquote>` : ''}`,
  );

const properties = (article: Article, now: Date) => ({
  article: {
    id: article.slug,
    title: article.title,
    description: article.description,
    section: article.section,
    keywords: article.keywords,
    taxonomy: article.taxonomy.map(([path]) => path),
    taxonomy_breakdown: article.taxonomy.map(([label, score]) => ({ label, score })),
    authors: [article.author],
    published: publishedAt(article, now).toISOString(),
  },
  type: 'article',
  classifications,
  ...placeholders,
});

export const articlePage = (article: Article, now: Date): Page => ({
  amp: `/amp${addressOf(article)}`,
  title: `${article.title}: The Ledger Post`,
  description: article.description,
  type: 'article',
  section: article.section,
  properties: properties(article, now),
  content: html`<div class="reading">
  <article class="story" data-test="article">
    <header>
      <p class="kicker"><a href="/${article.folder}">${article.kicker}</a></p>
      <h1>${article.title}</h1>
      <p class="standfirst">${article.description}</p>
      ${byline(article, now)}
    </header>
    <div class="story-art">${illustration(article.art)}</div>
    <div class="story-body">${paragraphs(article)}${productBox(article)}</div>
    <p class="tags">${article.keywords.map((word) => html`<span>${word}</span>`)}</p>
  </article>
  <aside class="rail" aria-labelledby="rail-title">
    <h2 id="rail-title" class="row-title">Read next</h2>
    ${related(article, 5).map((other) => teaser(other, 'side', now))}
    <p class="rail-letter"><strong>The week in one letter.</strong> Finance, every Friday. <a href="/newsletters">See all letters</a></p>
  </aside>
</div>`,
});

export const lettersPage = (chosen: string | undefined): Page => ({
  title: 'Newsletters: The Ledger Post',
  description: 'Four letters by the people who write the paper.',
  type: 'page',
  section: 'Newsletters',
  properties: { type: 'newsletters', ...placeholders },
  content: html`<header class="section-head"><h1>Newsletters</h1><p>One subject each, once a week, by the people who write the paper.</p></header>
${chosen === undefined ? '' : html`<p class="notice" role="status" data-test="letter-thanks">Thank you. The next ${letters.find(({ id }) => id === chosen)?.name ?? 'letter'} goes out as usual. (This is a demo: no address was kept.)</p>`}
<ul class="letter-list">${letters.map(
    (letter) =>
      html`<li><p class="kicker">${letter.when}</p><h2>${letter.name}</h2><p>${letter.text}</p><a href="${letterAddress(letter)}">Read the latest from the letter</a></li>`,
  )}</ul>
<form class="letter-form" method="get" action="/newsletters" id="newsletter" name="newsletter" data-test="letter-form">
  <h2>Put me on the list</h2>
  <p><label for="letter">Letter</label><select id="letter" name="letter">${letters.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select></p>
  <p><label for="email">Email</label><input id="email" name="email" type="email" autocomplete="email" placeholder="you@example.com"></p>
  <p><button type="submit" class="button">Subscribe</button></p>
</form>`,
});

export const missingPage = (): Page => ({
  title: 'Not found: The Ledger Post',
  description: 'This page is not in the paper.',
  type: 'page',
  section: '',
  properties: { type: 'missing' },
  content: html`<header class="section-head"><h1>Not in this edition</h1><p>There is no page at this address. <a href="/">Back to the front page</a></p></header>`,
});
