import type { Article } from '../../../demo/page/articles/article';
import { addressOf, articles } from '../../../demo/page/articles/library';
import { Random } from '../../../demo/random';
import type { EngineEvent } from '../../../src/engine/engine';
import { dayMs } from '../../../src/primitives/duration';

/** Monday noon. All generated visits begin in the four weeks after it. */
export const firstDay = Date.UTC(2026, 8, 7, 12);
const days = 28;

/** Sections that a visitor keeps returning to, by name. */
export const tastes = ['anything', ...new Set(articles.map(({ section }) => section))];

/**
 * The events of four weeks of one reader of the demo's paper, oldest first. The same seed and taste give the same
 * reader. `taste`: three pages in four are of that section.
 */
export const visitorOf = (seed: number, taste: string): readonly EngineEvent[] => {
  const random = new Random(seed);
  const ofTaste = articles.filter(({ section }) => section === taste);
  // An address may name a taste that there is not.
  const liked = ofTaste.length > 0 ? ofTaste : articles;
  const visits = random.integer(6, 14);
  const starts = Array.from({ length: visits }, () => firstDay + Math.floor(random.share() * days * dayMs)).sort(
    (a, b) => a - b,
  );
  return starts.flatMap((start, session) => visit(random, liked, { start, session: `s${session + 1}` }));
};

interface Visit {
  readonly start: number;
  readonly session: string;
}

/** One to six pages, with what follows on them. */
const visit = (random: Random, liked: readonly Article[], { start, session }: Visit): readonly EngineEvent[] => {
  const events: EngineEvent[] = [];
  let time = start;
  const add = (name: string, view: string, properties: EngineEvent['properties'], afterMs: number): void => {
    time += afterMs;
    events.push({ name, time, properties, session_id: session, view_id: view });
  };
  if (random.share() < 0.3) add('LoginStatus', `${session}v0`, { logged_in: random.share() < 0.5 }, 0);
  const pages = random.integer(1, 6);
  for (let page = 1; page <= pages; page++) {
    const article = random.pick(random.share() < 0.75 ? liked : articles);
    const [view, properties] = [`${session}v${page}`, propertiesOf(article)];
    add('Pageview', view, properties, 1000);
    let total = 0;
    for (let i = random.integer(0, 8); i > 0; i--)
      add('PageviewEngagement', view, { ...properties, engaged_time: 5, total_engaged_time: (total += 5) }, 5000);
    add('PageviewComplete', view, { ...properties, completion: random.integer(1, 10) / 10 }, 2000);
  }
  return events;
};

/** What the demo's pages say of an article. */
const propertiesOf = (article: Article): EngineEvent['properties'] => ({
  type: 'article',
  article: {
    title: article.title,
    description: article.description,
    section: article.section,
    keywords: article.keywords,
    taxonomy: article.taxonomy.map(([path]) => path),
    authors: [article.author],
  },
  client: {
    type: 'web',
    url: `https://ledgerpost.example${addressOf(article)}`,
    domain: 'ledgerpost.example',
    title: article.title,
    referrer: '',
  },
});
