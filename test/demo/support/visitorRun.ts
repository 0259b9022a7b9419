import { addressOf, articles } from '../../../demo/page/articles/library';
import { articlePage } from '../../../demo/page/pages';
import { webOptions } from '../../../src/addons/web/options';
import { noPageView, type PageViewInput, pageViewStep } from '../../../src/addons/web/pageView';
import { type Engine, type EngineEvent, init } from '../../../src/engine/engine';
import type { Definition } from '../../../src/engine/language/language';
import type { LookalikeModel } from '../../../src/engine/models/lookalike';
import type { Properties } from '../../../src/model/event';
import { dayMs } from '../../../src/primitives/duration';
import { filled } from '../../../src/streams/enrichment/fields';
import { type Act, AddressPart, nested, NoWay, type Plan } from './visitorPlan';

/** Noon of the last day. */
const end = Date.UTC(2026, 5, 1, 12);
const origin = 'https://ledgerpost.example';

/** An engine at the end of a visit, and the events that it was given. */
export interface Played {
  readonly engine: Engine;
  readonly events: readonly EngineEvent[];
}

/** Plays the plan to an engine with these definitions. */
export const play = (
  { acts, data }: Plan,
  definitions: readonly Definition[],
  models: readonly LookalikeModel[],
): Played => {
  const played = [...acts].sort((a, b) => b.agoMs - a.agoMs);
  const engine = init({
    event_source_id: '3f0b9a52-8a6c-4f0e-9d51-7c2e64b1a9d0',
    now: end - (played[0]?.agoMs ?? 0) - 1,
    bundle: { v: 1, id: 'sample', seed: 0, queries: definitions },
    state: null,
    context: { session: null, view: null },
    lookups: { geo: {}, client: {}, user: {}, classification: {}, thirdParty: {}, secondParty: {}, ...data },
    pending: ['lookalike'],
  });
  engine.bootstrap();
  engine.replay([]);
  engine.updateData({ lookalike: models });
  const events = played.flatMap((act, i) => {
    const time = end - act.agoMs;
    const context = { session: sessionAt(time), view: { id: `view ${i}`, startedAt: time } };
    engine.updateContext(context);
    const moment = { time, session_id: context.session.id, view_id: context.view.id };
    const found = eventsOf(act).map((event) => ({ ...event, ...moment }));
    engine.process(found, time);
    return found;
  });
  engine.tick(end);
  return { engine, events };
};

/** The visitor is away in the night only. */
const sessionAt = (time: number) => {
  const day = Math.floor(time / dayMs);
  return { id: `session of day ${day}`, startedAt: day * dayMs };
};

const ofView = ['Pageview', 'PageviewEngagement', 'PageviewComplete'];

/**
 * The events of an act, as the SDK makes them. Throws `NoWay` where the page or the SDK has no such property.
 */
const eventsOf = ({ name, properties }: Act): readonly Omit<EngineEvent, 'time'>[] => {
  if (!ofView.includes(name)) return [{ name, properties: known(name, properties) }];
  const { engaged_time = 0, total_engaged_time = 0, completion = 0, total_completion = 0, ...page } = properties;
  // Of a page's events, only those of its engagement have these.
  if (name === 'PageviewComplete' && ('engaged_time' in properties || 'completion' in properties))
    throw new NoWay('a PageviewComplete has totals only');
  const read = {
    seconds: Number(engaged_time) || Number(total_engaged_time),
    completion: Number(completion) || Number(total_completion),
  };
  const inputs: readonly PageViewInput[] = [
    { type: 'open', options: webOptions({ page: pageWith(page) }, () => undefined) },
    ...(read.seconds > 0 ? [{ type: 'engaged' as const, ...read }] : []),
    { type: 'leave', completion: read.completion },
  ];
  let state = noPageView;
  return inputs.flatMap((input) => {
    state = pageViewStep(state, input);
    return state.drafts.map((draft) => ({ name: draft.name, properties: draft.properties ?? {} }));
  });
};

const article = articles[0]!;
/** An article as the SDK sees it, once servers have told what it is about and where its reader is. */
const plainPage: Properties = {
  ...filled(articlePage(article, new Date(end)).properties, {
    geoip: {
      geo_info: { continent: 'SA', country: 'UY', city: 'Salto', province: 'Salto', postal_code: '50000' },
      isp_info: { isp: 'Net', organization: 'Net', autonomous_system_number: 1, autonomous_system_organization: 'Net' },
    },
    watson: {
      concepts: [],
      entities: [],
      keywords: [],
      sentiment: { document: { label: 'none', score: 0 } },
      taxonomy: [],
    },
  }),
  article: {
    id: 'nothing',
    title: 'Nothing',
    description: 'At all',
    section: 'none',
    keywords: [],
    taxonomy: [],
    taxonomy_breakdown: [],
    authors: [],
    published: '2026-01-01T00:00:00.000Z',
  },
  client: {
    type: 'web',
    url: `${origin}/nothing`,
    domain: 'ledgerpost.example',
    title: '',
    referrer: '',
    user_agent: '',
  },
};

/** The page with other values in places that it has. */
const pageWith = (values: Readonly<Record<string, unknown>>): Properties => {
  for (const path of Object.keys(values)) {
    const there = path
      .split('.')
      .reduce<unknown>(
        (at, key) => (Array.isArray(at) ? at : (at as Record<string, unknown> | undefined)?.[key]),
        plainPage,
      );
    if (there === undefined) throw new NoWay(`a page has no ${path}`);
  }
  return nested(withAddresses(values), plainPage);
};

const withAddresses = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(values).map(([path, value]) => [path, value instanceof AddressPart ? value.on(origin) : value]),
  );

const adProperties = [
  'advertiser_id',
  'campaign_id',
  'line_item_id',
  'creative_id',
  'is_empty',
  'service_name',
  'slot',
  'width',
  'height',
];
/** The properties of the events that are not of a page view. Those of the last two are the site's own. */
const propertiesOf: Readonly<Record<string, readonly string[]>> = {
  SlotViewable: adProperties,
  SlotClicked: adProperties,
  PrebidBid: ['auction_id', 'bidder', 'cpm', 'currency', 'advertiser_id', 'advertiser_name', 'advertiser_domains'],
  LinkClick: ['dest_url'],
  FormSubmission: ['form'],
  VideoCompletion: [],
  LoginStatus: ['logged_in'],
  ProductBuyClick: ['product', 'provider', 'dest_url'],
};

const known = (name: string, properties: Act['properties']): Properties => {
  for (const path of Object.keys(properties))
    if (propertiesOf[name]?.includes(path.split('.')[0]!) !== true) throw new NoWay(`a ${name} has no ${path}`);
  return { ...nested(withAddresses(properties)), client: plainPage['client'] };
};

/** All words and addresses of the site: what may stand behind a hash. */
export const dictionary: readonly string[] = articles.flatMap((each) => [
  ...each.keywords,
  each.slug,
  `${origin}${addressOf(each)}`,
]);
