import { both, either, headline, keywords, query, taxonomy, views } from './query';

// The three hashed lists come from partners who keep their words secret: h53 of the engine, normalised word, seed 0.
const partnerFintechWords = [7782761718040774];
const partnerPropertyWords = [6417745209404558];
const partnerRemoteWords = [4878022700063606];

const category = (labels: readonly string[], score: number) => ({
  p: 'classifications.categories',
  any: both({ p: 'label', under: labels }, { p: 'score', gte: score }),
});

/** What readers are interested in: the author's keywords, phrases of the headline, the page's place in the taxonomy. */
export const topics = [
  query(
    20201,
    'Fashion',
    'topic',
    views(
      either(
        keywords(['fashion', 'resale', 'apparel', 'luxury goods', 'textiles'], 2),
        taxonomy('Style & Fashion'),
        headline('second-hand season', 'fashion week'),
      ),
      1,
      28,
    ),
  ),
  query(
    20202,
    'Fintech',
    'topic',
    views(
      either(
        keywords(partnerFintechWords),
        keywords(['digital banking', 'open banking', 'embedded finance', 'payments'], 2),
      ),
      1,
      28,
    ),
  ),
  query(
    20203,
    'Real estate',
    'topic',
    views(
      either(
        keywords(partnerPropertyWords),
        taxonomy('Business and Finance/Industries/Real Estate Industry', 'Real Estate'),
      ),
      1,
      30,
    ),
  ),
  query(
    20204,
    'Remote work',
    'topic',
    views(
      either(
        keywords(partnerRemoteWords),
        keywords(['home office', 'hybrid work', 'distributed teams']),
        headline('remote work', 'home office'),
      ),
      1,
      28,
    ),
  ),
  query(
    20205,
    'Video conferencing tools',
    'topic',
    views(
      either(
        keywords(['video conferencing', 'video meetings', 'webcam', 'meeting software'], 2),
        headline('video calls', 'meeting software'),
      ),
      1,
      28,
    ),
  ),
  query(
    20206,
    'Gaming devices',
    'topic',
    views(
      either(keywords(['handheld console', 'game console', 'gaming pc', 'gaming'], 2), taxonomy('Video Gaming')),
      1,
      28,
    ),
  ),
  query(
    20207,
    'LGBT topics',
    'topic sensitive',
    views(
      either(keywords(['lgbt', 'lgbtq', 'pride', 'inclusion networks']), taxonomy('Family and Relationships/LGBTQ')),
      1,
      84,
    ),
  ),
  query(
    20208,
    'Gender equality',
    'topic',
    views(keywords(['gender equality', 'equal pay', 'pay gap', 'women on boards', 'parental leave'], 2), 1, 84),
  ),
  query(
    20209,
    'Disaster and wildfire news',
    'topic sensitive',
    views(
      either(
        keywords(['wildfire', 'flood', 'hurricane', 'earthquake', 'evacuation']),
        taxonomy('News and Politics/Disasters'),
      ),
      1,
      7,
    ),
  ),
  query(
    20210,
    'Alcohol and food',
    'topic',
    views(
      either(keywords(['wine', 'beer', 'spirits', 'restaurants', 'food retail', 'bakery']), taxonomy('Food & Drink')),
      1,
      28,
    ),
  ),
  query(
    20211,
    'Accounting',
    'topic',
    views(
      either(
        keywords(['accounting', 'bookkeeping', 'cash flow', 'invoicing', 'tax return'], 2),
        headline('bookkeeping', 'own numbers'),
      ),
      1,
      84,
    ),
  ),
  query(
    20212,
    'Oral care',
    'topic',
    views(
      either(keywords(['oral care', 'dentistry', 'toothpaste', 'dental']), taxonomy('Medical Health/Dental Care')),
      1,
      84,
    ),
  ),
  query(
    20213,
    'Cybersecurity',
    'topic',
    views(
      either(
        keywords(['cybersecurity', 'passwords', 'phishing', 'ransomware', 'two-factor'], 2),
        taxonomy('Technology & Computing/Computing/Information and Network Security'),
      ),
      1,
      28,
    ),
  ),
  query(
    20214,
    'Asset management',
    'topic',
    views(
      either(
        keywords(['asset management', 'fund manager', 'index funds', 'expense ratio', 'portfolio'], 2),
        taxonomy('Personal Finance/Personal Investing/Mutual Funds'),
      ),
      1,
      84,
    ),
  ),
  query(
    20215,
    'Small business topics',
    'topic',
    views(keywords(['small business', 'shopkeepers', 'sole trader', 'family business', 'local trade']), 2, 28),
  ),
  query(
    20216,
    'Start-ups',
    'topic',
    views(
      either(
        keywords(['start-ups', 'venture capital', 'seed funding', 'founders'], 2),
        taxonomy('Business and Finance/Business/Startups'),
      ),
      1,
      28,
    ),
  ),
  query(
    20217,
    'Gig economy',
    'topic',
    views(either(keywords(['gig economy', 'freelancing', 'platform work', 'couriers']), headline('gig work')), 1, 30),
  ),
  query(
    20227,
    'Wildfires',
    'topic sensitive',
    views(either(keywords(['wildfire', 'evacuation']), headline('wildfire season', 'wildfires')), 1, 7),
  ),
  query(
    20218,
    'Sentiment: positive',
    'topic sentiment',
    views({ p: 'classifications.sentiment.label', eq: 'positive' }, 2, 7),
  ),
  query(
    20219,
    'Sentiment: negative',
    'topic sentiment',
    views({ p: 'classifications.sentiment.label', eq: 'negative' }, 2, 7),
  ),
  query(
    20220,
    'Sentiment: neutral',
    'topic sentiment',
    views({ p: 'classifications.sentiment.label', eq: 'neutral' }, 3, 7),
  ),
  query(
    20221,
    'Upbeat about technology',
    'topic sentiment',
    views(both(taxonomy('Technology & Computing'), { p: 'classifications.sentiment.label', neq: 'negative' }), 2, 28),
  ),
  query(
    20222,
    'Gender equality, classified',
    'topic classification',
    views(
      both(category(['/society/work', '/society/gender equality'], 0.74), {
        p: 'classifications.sentiment.label',
        eq: 'positive',
      }),
      1,
      30,
    ),
  ),
  query(
    20223,
    'Security, classified with high score',
    'topic classification',
    views(category(['/technology and computing/computer security'], 0.85), 1, 30),
  ),
  query(
    20224,
    'Energy, classified',
    'topic classification',
    views({ p: 'classifications.taxonomy_labels', under: ['/business and industrial/energy'] }, 2, 84),
  ),
  query(
    20225,
    'Main subject is investing',
    'topic breakdown',
    views(
      {
        p: 'article.taxonomy_breakdown',
        any: both({ p: 'label', under: ['Personal Finance/Personal Investing'] }, { p: 'score', gte: 0.69 }),
      },
      2,
      30,
    ),
  ),
  query(
    20226,
    'Deep topic match: home working',
    'topic',
    views(
      keywords(
        [
          'home office',
          'hybrid work',
          'video conferencing',
          'passwords',
          'two-factor',
          'distributed teams',
          'webcam',
          'remote work',
        ],
        3,
      ),
      1,
      30,
    ),
  ),
];
