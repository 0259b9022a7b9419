import { hashOf } from './hash';

/** What a page can be about, and what each of the services makes of it. */
export interface Theme {
  readonly words: readonly string[];
  /** Labels of the classifier, the most telling first. */
  readonly labels: readonly [string, ...string[]];
  /** Standard cohort, and the short code for projects that give it none. */
  readonly cohort: number;
  readonly code: string;
  /** Number in the IAB content taxonomy 3.0. */
  readonly category: string;
}

const theme = (
  cohort: number,
  code: string,
  category: string,
  words: string,
  ...labels: readonly [string, ...string[]]
): Theme => ({ cohort: 10_000_000 + cohort, code, category, words: words.split(' '), labels });

const themes: readonly Theme[] = [
  theme(
    1,
    'bfin',
    '52',
    'business finance economy economic market markets trade company companies',
    '/business and industrial/company',
    '/finance',
  ),
  theme(
    2,
    'bsml',
    '57',
    'small shop shopkeepers shopkeeper freelance freelancers trader bakery',
    '/business and industrial/small business',
  ),
  theme(
    3,
    'bstu',
    '58',
    'startup startups founder founders venture seed',
    '/business and industrial/company/start-ups',
  ),
  theme(
    4,
    'bhrs',
    '60',
    'hr hiring employees employee salary workforce staff',
    '/business and industrial/human resources',
    '/society/work',
  ),
  theme(5, 'blog', '93', 'logistics freight shipping supply ports warehouse', '/business and industrial/logistics'),
  theme(
    6,
    'bacc',
    '54',
    'accounting bookkeeping invoices invoicing payroll',
    '/business and industrial/business operations/accounting',
  ),
  theme(
    7,
    'bmkt',
    '61',
    'advertising marketing campaign brand brands',
    '/business and industrial/advertising and marketing',
  ),
  theme(8, 'breq', '441', 'property estate offices rent housing', '/real estate'),
  theme(
    10,
    'psav',
    '403',
    'savings saving savers deposits emergency',
    '/finance/bank/savings',
    '/finance/personal finance',
  ),
  theme(
    11,
    'pinv',
    '409',
    'investing investor investors portfolio dividends dividend',
    '/finance/investing',
    '/finance/personal finance',
  ),
  theme(12, 'pret', '406', 'pension pensions retirement annuity', '/finance/financial planning/retirement'),
  theme(15, 'mstk', '412', 'stock stocks shares equities index indices premarket futures', '/finance/investing/stocks'),
  theme(16, 'mcom', '413', 'commodities commodity oil copper gold wheat', '/finance/investing/commodities'),
  theme(17, 'mfnd', '414', 'fund funds etf etfs', '/finance/investing/funds'),
  theme(18, 'tcmp', '596', 'tech technology computer software laptop cloud conferencing', '/technology and computing'),
  theme(
    19,
    'tsec',
    '618',
    'security password passwords phishing ransomware cybersecurity',
    '/technology and computing/computer security',
  ),
  theme(
    20,
    'taai',
    '597',
    'ai artificial intelligence automation robots',
    '/technology and computing/artificial intelligence',
  ),
  theme(
    21,
    'tmob',
    '634',
    'phone phones smartphone tablet tablets mobile',
    '/technology and computing/consumer electronics/telephones/mobile phones',
  ),
  theme(
    22,
    'thom',
    '633',
    'smart thermostat doorbell speaker',
    '/technology and computing/consumer electronics/smart home',
  ),
  theme(24, 'ggam', '680', 'game games gaming console', '/hobbies and interests/games'),
  theme(25, 'sfas', '552', 'fashion apparel clothes textiles', '/style and fashion'),
  theme(26, 'sbty', '553', 'beauty skincare cosmetics', '/style and fashion/beauty'),
  theme(27, 'ffod', '210', 'food recipe recipes restaurant restaurants cooking', '/food and drink'),
  theme(28, 'fwin', '211', 'wine beer spirits whisky', '/food and drink/beverages/alcoholic beverages'),
  theme(
    29,
    'hmed',
    '286',
    'health healthcare hospital hospitals medical clinic',
    '/health and fitness',
    '/business and industrial/healthcare',
  ),
  theme(31, 'hfit', '225', 'fitness running workout gym', '/health and fitness/exercise'),
  theme(
    32,
    'egrn',
    '381',
    'sustainability climate carbon recycling green',
    '/science/ecology/environmental protection',
  ),
  theme(33, 'eene', '95', 'energy wind solar renewable electricity', '/business and industrial/energy'),
  theme(34, 'nnws', '379', 'news politics election government', '/law, govt and politics'),
  theme(35, 'nwea', '380', 'wildfire flood floods hurricane earthquake storm', '/science/weather/natural disaster'),
  theme(36, 'aaut', '1', 'car cars motoring electric vehicle vehicles', '/automotive and vehicles'),
  theme(37, 'atrv', '653', 'travel hotel hotels holiday flights', '/travel'),
  theme(38, 'aprk', '192', 'parents parenting family children school', '/family and parenting'),
  theme(39, 'apet', '422', 'pet pets dog dogs cat cats', '/pets'),
  theme(40, 'aspo', '483', 'sport sports football cricket golf', '/sports'),
  theme(41, 'aent', '150', 'film films music television concert', '/art and entertainment'),
  theme(42, 'aedu', '132', 'education university students guides guide', '/education'),
  theme(43, 'ahou', '274', 'home garden furniture kitchen', '/home and garden'),
  theme(44, 'abks', '42', 'book books novel novels author', '/art and entertainment/books and literature'),
  theme(45, 'ajob', '123', 'career careers job jobs remote gig', '/society/work'),
  theme(25, 'sfas', '186', 'equality gender parental pay', '/society/gender equality'),
];

/** The words of a URL's host and path. */
export const wordsOf = (url: string): readonly string[] => {
  const text = URL.canParse(url) ? withoutSuffix(new URL(url)) : url;
  return [
    ...new Set(
      unescaped(text)
        .toLowerCase()
        .match(/[\p{L}\p{N}]{2,}/gu),
    ),
  ].filter((word) => !fillers.has(word) && !/^\d+$/.test(word));
};

/** The themes that share a word with the page, the most words first. */
export const themesOf = (words: readonly string[]): readonly Theme[] => {
  const hits = ({ words: own }: Theme): number => own.filter((word) => words.includes(word)).length;
  return themes.filter((one) => hits(one) > 0).sort((a, b) => hits(b) - hits(a));
};

/** How sure a service is of something on a page: between 0.55 and 0.99, always the same. */
export const confidenceOf = (text: string): number => Math.round((0.55 + (hashOf(text) % 1000) / 2273) * 100) / 100;

const withoutSuffix = ({ hostname, pathname }: URL): string =>
  `${hostname.replace(/\.[^.]*$/, '')} ${pathname.replace(/\.\w+$/, '')}`;

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const fillers = new Set(
  'www http https html index the and for with from this that how to of in on at is it an or by as amp localhost'.split(
    ' ',
  ),
);
