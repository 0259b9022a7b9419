import { html } from 'hono/html';

import type { Markup } from './layout';

interface Creative {
  readonly brand: string;
  readonly line: string;
  readonly action: string;
  readonly destination: string;
}

const subscribe: Creative = {
  brand: 'The Ledger Post',
  line: 'Four weeks of plain speaking, for one.',
  action: 'Try it',
  destination: 'https://ledgerpost.example/subscribe',
};

const creatives: Readonly<Record<string, Creative>> = {
  subscribe,
  savings: {
    brand: 'Partner Bank',
    line: 'Money you may need. Interest you may want.',
    action: 'See the rate',
    destination: 'https://www.partner-bank.example/savings/easy-saver',
  },
  business: {
    brand: 'Harbour Business Bank',
    line: 'An account that reads like a sentence.',
    action: 'Open one',
    destination: 'https://harbour.example/business',
  },
  security: {
    brand: 'Northfield Cloud',
    line: 'The lock for the office with no door.',
    action: 'Lock up',
    destination: 'https://northfield.example/security',
  },
  energy: {
    brand: 'Alder Wind',
    line: 'Your field. Our tower. One fair lease.',
    action: 'Read the lease',
    destination: 'https://alder-wind.example/leases',
  },
  freight: {
    brand: 'Ostwick Lines',
    line: 'Small port. Empty berth. On Tuesday.',
    action: 'Book a box',
    destination: 'https://ostwick.example/book',
  },
  markets: {
    brand: 'Calder & Hale Funds',
    line: 'We will write to you once a year.',
    action: 'Our letter',
    destination: 'https://calder-hale.example/letter',
  },
};

// Cohorts first: they are what the demo is about, and the frame has little room.
const byInterest = ([a]: readonly [string, string], [b]: readonly [string, string]): number =>
  Number(b === 'permutive') - Number(a === 'permutive');

const targetingPairs = (text: string | undefined): readonly (readonly [string, string])[] => {
  try {
    const read: unknown = JSON.parse(text ?? '{}');
    return typeof read === 'object' && read !== null
      ? Object.entries(read)
          .map(([key, values]): [string, string] => [key, Array.isArray(values) ? values.join(', ') : String(values)])
          .sort(byInterest)
      : [];
  } catch {
    return [];
  }
};

/** Who has sold the ad, by the parameter `by` of its address. */
const sellers: Readonly<Record<string, string>> = {
  auction: 'sold in this page’s auction',
  apntag: 'stand-in for the AppNexus seller tag',
};

/** What the frame of a slot shows: a house ad, and the targeting that it was asked for with. */
export const advertisement = (parameter: (name: string) => string | undefined): Markup => {
  const name = parameter('creative') ?? 'subscribe';
  const creative = creatives[name] ?? subscribe;
  const wide = Number(parameter('w')) > Number(parameter('h')) * 2;
  const pairs = targetingPairs(parameter('targeting'));
  return html`<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><title>${creative.brand}</title><link rel="stylesheet" href="/assets/ad.css"></head>
<body class="${wide ? 'wide' : 'tall'} ad-${creative === subscribe ? 'subscribe' : name}" data-test="creative" data-creative="${name}">
<a class="creative" href="/out?to=${encodeURIComponent(creative.destination)}" target="_blank" rel="noopener">
  <span class="brand">${creative.brand}</span>
  <span class="line">${creative.line}</span>
  <span class="action">${creative.action}</span>
</a>
<p class="note"><span>demo ad — ${sellers[parameter('by') ?? ''] ?? 'stand-in for Google Publisher Tag'}</span></p>
<dl class="asked" tabindex="0" aria-label="Targeting of the request" data-test="asked">${pairs.map(([key, value]) => html`<div><dt>${key}</dt><dd>${value}</dd></div>`)}</dl>
<script src="/assets/ad.js"></script>
</body></html>`;
};

/** Where links to partners end: the demo opens no other site. */
export const outPage = (destination: string | undefined): Markup => html`<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Leaving the paper</title><link rel="stylesheet" href="/assets/site.css"></head>
<body data-type="out"><main class="wrap out"><p class="nameplate"><a href="/">The Ledger Post</a></p><h1>Here you would leave the paper</h1><p>The link leads to <strong>${destination ?? 'nowhere'}</strong>, which is as invented as the rest.</p><p><a class="button" href="/">Back to the front page</a></p></main></body></html>`;
