import {
  atLeast,
  both,
  days,
  either,
  event,
  fromNewsletter,
  headline,
  keywords,
  nextDay,
  path,
  query,
  section,
  taxonomy,
  views,
} from './query';

/** Who reads which part of the paper. */
export const sections = [
  query(20101, 'Markets readers', 'section markets', views(either(section('markets'), path('markets')), 1, 28)),
  query(20102, 'Stocks', 'section markets', views(path('markets/stocks'), 1, 7)),
  query(
    20103,
    'Indices',
    'section markets',
    views(either(path('markets/indices'), keywords(['stock index', 'benchmark index', 'index level'])), 1, 7),
  ),
  query(20104, 'Commodities', 'section markets', views(path('markets/commodities'), 1, 28)),
  query(20105, 'Funds', 'section markets', views(path('markets/funds'), 1, 28)),
  query(
    20106,
    'Futures',
    'section markets',
    views(either(path('markets/futures'), keywords(['futures', 'futures contract'])), 1, 7),
  ),
  query(
    20107,
    'Premarket readers',
    'section markets',
    views(either(path('markets/premarket'), keywords(['premarket', 'opening bell'])), 1, 7),
  ),
  query(20108, 'Markets wrap regulars', 'section markets', views(path('markets/wrap'), 2, 7)),
  query(
    20109,
    'Small business',
    'section business',
    views(either(section('small business'), path('small-business')), 1, 28),
  ),
  query(20110, 'AI in small business', 'section business', views(path('small-business/ai'), 1, 30)),
  query(
    20111,
    'Savers',
    'section money',
    views(
      either(
        path('personal-finance/savings', 'guides/savings'),
        keywords(['savings', 'savings account', 'emergency fund']),
      ),
      1,
      28,
    ),
  ),
  query(20112, 'Personal finance', 'section money', views(section('personal finance'), 2, 30)),
  query(20113, 'Guides', 'section service', views(path('guides'), 1, 84)),
  query(20114, 'Tech how-to guides', 'section service', views(path('tech/how-to'), 1, 84)),
  query(20115, 'News', 'section news', views(either(section('news'), path('news')), 2, 7)),
  query(20116, 'Tech', 'section tech', views(either(section('tech'), path('tech')), 1, 28)),
  query(
    20117,
    'Supply chain',
    'section business',
    views(
      either(path('supply-chain', 'small-business/operations'), headline('supply chain', 'freight', 'logistics')),
      1,
      84,
    ),
  ),
  query(20118, 'Investing reference', 'section markets', views(path('investing/reference'), 2, 84)),
  query(
    20119,
    'HR leaders',
    'section business',
    views(either(section('hr'), taxonomy('Business and Finance/Business/Human Resources')), 2, 84),
  ),
  query(
    20120,
    'Healthcare',
    'section business',
    views(
      either(section('healthcare'), taxonomy('Medical Health', 'Business and Finance/Industries/Healthcare Industry')),
      1,
      30,
    ),
  ),
  query(
    20121,
    'Sustainability',
    'section business',
    views(either(section('sustainability'), keywords(['net zero', 'renewable energy', 'wind power', 'carbon'])), 1, 30),
  ),
  query(20122, 'Section hoppers', 'section', {
    match: [
      views(path('markets'), 1, 7),
      views(path('small-business'), 1, 7),
      views(path('personal-finance'), 1, 7),
      views(path('tech'), 1, 7),
      views(path('hr', 'healthcare', 'sustainability'), 1, 7),
    ],
    min: 3,
  }),
  query(
    20123,
    'Long-form readers',
    'section service',
    event('PageviewComplete', { p: 'total_completion', gte: 0.75 }, { is: atLeast(3), within: days(28) }),
  ),
];

/** Readers who came by a tagged link in a newsletter. */
export const newsletters = [
  query(20301, 'Newsletter: finance', 'newsletter', event('Pageview', fromNewsletter('finance'), { within: days(28) })),
  query(
    20302,
    'Newsletter: life weekly',
    'newsletter',
    event('Pageview', fromNewsletter('life-weekly'), { within: days(28) }),
  ),
  query(
    20303,
    'Newsletter: advertising',
    'newsletter',
    event('Pageview', fromNewsletter('advertising'), { within: days(28) }),
  ),
  query(
    20304,
    'Newsletter: healthcare',
    'newsletter',
    event('Pageview', fromNewsletter('healthcare'), { within: days(84) }),
  ),
  query(
    20305,
    'Any newsletter since yesterday',
    'newsletter',
    event('Pageview', { p: 'client.url', contains: ['utm_medium=email'] }, { within: nextDay }),
  ),
  query(
    20306,
    'Newsletter loyalists',
    'newsletter',
    event('Pageview', { p: 'client.url', contains: ['utm_medium=email'] }, { is: atLeast(7), within: days(84) }),
  ),
  query(20307, 'Newsletter readers of two or more titles', 'newsletter', {
    match: [{ cohort: '20301' }, { cohort: '20302' }, { cohort: '20303' }, { cohort: '20304' }],
    min: 2,
  }),
  query(20308, 'Finance newsletter, markets not read', 'newsletter', {
    and: [{ cohort: '20301' }, { not: { cohort: '20101' } }],
  }),
  query(20309, 'Newsletter visit in this session, nothing bought', 'newsletter session', {
    and: [
      {
        event: 'Pageview',
        where: both({ p: 'client.url', contains: ['utm_medium=email'] }, { p: 'isp_info.organization', exists: true }),
        within: 'session',
      },
      { event: 'ProductBuyClick', is: { eq: 0 }, within: 'session' },
    ],
  }),
  query(
    20310,
    'Arrived from a search engine',
    'referrer',
    event(
      'Pageview',
      { p: 'client.referrer', domain: ['google.com', 'bing.com', 'duckduckgo.com'] },
      { within: days(7) },
    ),
  ),
  query(
    20311,
    'Newsletter form used',
    'newsletter',
    event('FormSubmission', { p: 'form.name', in: ['newsletter'] }, { within: days(168) }),
  ),
];
