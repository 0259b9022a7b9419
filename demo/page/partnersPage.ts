import { html } from 'hono/html';

import { project } from '../project/project';
import type { Page } from './layout';

interface Partner {
  readonly name: string;
  /** The page's function that the partner's own code would bring. */
  readonly calls?: string;
  /** Addresses of images, as the project definition has them. */
  readonly images?: readonly string[];
  /** What it is told where it has no activations. */
  readonly hears?: string;
}

const { addons, activations } = project;

/** The partners of the sample project, by addon. */
const partners = {
  facebook_v2: { name: 'Meta', calls: 'fbq' },
  tiktok: { name: 'TikTok', calls: 'ttq' },
  pinterest: { name: 'Pinterest', calls: 'pintrk' },
  twitter_pixel: { name: 'X', calls: 'twq' },
  data_layer: { name: 'The paper’s tag manager', calls: 'dataLayer.push' },
  gigya: { name: 'Gigya', calls: 'gigya.accounts.setAccountInfo' },
  pubmatic: { name: 'PubMatic', images: [addons.pubmatic.cookie_set_url] },
  tradedesk: { name: 'The Trade Desk', images: [addons.tradedesk.pixel_url], hears: 'who the reader is, once a day' },
  eyeota: { name: 'Eyeota', images: [addons.eyeota.pixel_url] },
  lotame: { name: 'Lotame', images: [addons.lotame.pixel_url] },
  ddp: { name: 'DDP', images: [addons.ddp.pixel_url] },
  neustar_fabrick: { name: 'Neustar Fabrick', images: [addons.neustar_fabrick.pixel_url] },
  tracking_pixel: {
    name: 'The paper’s pixels',
    images: activations.tracking_pixel.map(({ c }) => String(c['pixel_url'])),
  },
} satisfies Readonly<Record<string, Partner>>;

const namesOfCohorts = new Map(project.queries.map(({ id, name }) => [id, name]));

/** Names of the cohorts that a partner is told of. */
const cohortsOf = (addon: string): readonly string[] => {
  const own = Object.entries(activations).find(([name]) => name === addon)?.[1] ?? [];
  return [...new Set(own.map(({ sc }) => namesOfCohorts.get(String(sc)) ?? String(sc)))];
};

const hostsOf = ({ images = [] }: Partner): readonly string[] => [...new Set(images.map((url) => new URL(url).host))];

const partnerRow = (addon: string, partner: Partner) => html`<li class="partner" data-partner="${addon}" data-name="${
  partner.name
}" data-hosts="${hostsOf(partner).join(' ')}" data-test="partner-${addon}">
    <p class="partner-name">${partner.name} <span class="partner-count" data-part="count">0</span></p>
    <p class="partner-how">By ${partner.calls === undefined ? 'an image' : html`<code>${partner.calls}</code>`}: ${
      partner.hears ?? cohortsOf(addon).join(', ')
    }</p>
  </li>`;

/**
 * A page that starts every partner of the project and shows each call as it is made. The partners' functions are
 * stand-ins of `assets/partners.js`, and their images come from this site.
 */
export const partnersPage = (): Page => ({
  title: 'What partners are told: The Ledger Post',
  description: 'Each call to a partner, as it is made.',
  type: 'page',
  section: 'Advertising',
  properties: { type: 'advertising' },
  content: html`<header class="section-head"><h1>What partners are told</h1><p>Some partners may hear that a reader follows a subject, each in its own words, and once. Every call is listed here as it is made. Nobody else hears it: the partners on this page are stand-ins.</p></header>
<div class="partners">
  <section aria-labelledby="calls-title">
    <h2 id="calls-title" class="row-title">Calls <span id="partner-state" class="partner-state" role="status" data-test="partner-state">The partners are being started</span></h2>
    <ol class="partner-calls" id="partner-calls" data-test="partner-calls"></ol>
    <p class="auction-note">Read <a href="/personal-finance/savings">about savings</a>, <a href="/small-business">small businesses</a> or <a href="/tech">technology</a>, and come back: then there is more to tell.</p>
  </section>
  <section aria-labelledby="partners-title">
    <h2 id="partners-title" class="row-title">Partners, and what they hear of</h2>
    <ul class="partner-list">${Object.entries(partners).map(([addon, partner]) => partnerRow(addon, partner))}</ul>
  </section>
</div>`,
  scripts: ['partners'],
});
