import type { Article } from './article';
import { business } from './business';
import { life } from './life';
import { markets } from './markets';
import { money } from './money';

export const articles: readonly Article[] = [...markets, ...money, ...business, ...life].sort(
  (a, b) => a.daysAgo - b.daysAgo,
);

export const addressOf = ({ folder, slug }: Article): string => `/${folder}/${slug}`;

export const articleAt = (address: string): Article | undefined =>
  articles.find((article) => addressOf(article) === address);

export const related = (article: Article, count: number): readonly Article[] => {
  const closeness = (other: Article) =>
    (other.section === article.section ? 3 : 0) +
    other.keywords.filter((word) => article.keywords.includes(word)).length;
  return articles
    .filter((other) => other !== article)
    .sort((a, b) => closeness(b) - closeness(a))
    .slice(0, count);
};

export interface Section {
  readonly path: string;
  readonly name: string;
  readonly description: string;
}

/** In the order of the navigation. A section shows every article whose folder lies in it. */
export const mainSections: readonly Section[] = [
  {
    path: 'markets',
    name: 'Markets',
    description: 'Shares, indices, commodities and funds, with a wrap at the end of the day.',
  },
  {
    path: 'small-business',
    name: 'Small Business',
    description: 'Owners, makers, shopkeepers and the people who advise them.',
  },
  { path: 'personal-finance', name: 'Personal Finance', description: 'Saving, borrowing and being paid.' },
  { path: 'investing', name: 'Investing', description: 'How it works, in words that need no dictionary.' },
  { path: 'tech', name: 'Tech', description: 'Tools, devices and how to live with them.' },
  { path: 'news', name: 'News', description: 'What happened, and what it costs.' },
  { path: 'supply-chain', name: 'Supply Chain', description: 'How things get here.' },
  { path: 'hr', name: 'HR', description: 'Work, pay and the people in between.' },
  { path: 'healthcare', name: 'Healthcare', description: 'The business of being well.' },
  { path: 'sustainability', name: 'Sustainability', description: 'Energy, land and the long run.' },
  { path: 'guides', name: 'Guides', description: 'Plain answers to questions that readers ask.' },
];

const parts: readonly Section[] = [
  { path: 'markets/wrap', name: 'Markets wrap', description: 'The day in five minutes.' },
  { path: 'markets/stocks', name: 'Stocks', description: 'Companies and their shares.' },
  { path: 'markets/indices', name: 'Indices', description: 'The levels that everybody quotes.' },
  { path: 'markets/commodities', name: 'Commodities', description: 'Metals, grain, oil and power.' },
  { path: 'markets/funds', name: 'Funds', description: 'The people who manage other people’s money.' },
  { path: 'markets/futures', name: 'Futures', description: 'Prices for later.' },
  { path: 'markets/premarket', name: 'Premarket', description: 'Before the opening bell.' },
  { path: 'personal-finance/savings', name: 'Savings', description: 'Accounts, rates and small print.' },
  { path: 'small-business/ai', name: 'AI in small business', description: 'What works in firms of ten.' },
  { path: 'tech/how-to', name: 'How-to', description: 'Jobs for one evening.' },
  { path: 'investing/reference', name: 'Investing reference', description: 'Terms, explained.' },
  { path: 'news/property', name: 'Property', description: 'Homes, offices and land.' },
  { path: 'news/retail', name: 'Retail', description: 'Shops and those who shop.' },
  { path: 'news/food', name: 'Food and drink', description: 'What is on the table.' },
  { path: 'guides/savings', name: 'Savings guides', description: 'Where to begin.' },
];

export const sectionAt = (address: string): Section | undefined =>
  [...mainSections, ...parts].find(({ path }) => `/${path}` === address);

export const partsOf = (section: Section): readonly Section[] =>
  parts.filter(({ path }) => path.startsWith(`${section.path}/`));

export const articlesIn = ({ path }: Section): readonly Article[] => {
  const own = articles.filter(({ folder }) => folder === path || folder.startsWith(`${path}/`));
  return own.length > 0 ? own : articles.filter(({ folder }) => folder.split('/')[0] === path.split('/')[0]);
};
