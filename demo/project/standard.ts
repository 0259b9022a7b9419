import type { Expr } from '../../src/engine/language/language';
import {
  atLeast,
  cohort,
  cohorts,
  days,
  either,
  event,
  headline,
  keywords,
  path,
  query,
  section,
  taxonomy,
  views,
} from './query';

const first = 10_000_001;

/** Standard cohorts are numbered from 10000001 in this order. Those without a rule come from the affinity service. */
const taxonomyOfAudiences: readonly (readonly [code: string, name: string, q?: Expr])[] = [
  ['bfin', 'Business and finance', views(taxonomy('Business and Finance'), 1, 30)],
  ['bsml', 'Small and medium-sized business', { or: cohorts(20109, 20215) }],
  ['bstu', 'Start-ups and entrepreneurship', cohort(20216)],
  [
    'bhrs',
    'Human resources',
    views(either(section('hr'), taxonomy('Business and Finance/Business/Human Resources')), 1, 30),
  ],
  ['blog', 'Logistics and transport', cohort(20117)],
  ['bacc', 'Accounting and payroll', cohort(20211)],
  ['bmkt', 'Advertising and marketing', cohort(20303)],
  ['breq', 'Commercial property', cohort(20203)],
  ['pfin', 'Personal finance', views(either(section('personal finance'), taxonomy('Personal Finance')), 1, 30)],
  ['psav', 'Savings and deposits', cohort(20111)],
  [
    'pinv',
    'Personal investing',
    views(either(taxonomy('Personal Finance/Personal Investing'), path('investing')), 1, 30),
  ],
  ['pret', 'Retirement planning', views(keywords(['pension', 'retirement', 'annuity']), 1, 84)],
  [
    'pins',
    'Insurance',
    views(either(keywords(['insurance', 'insurers', 'premiums']), taxonomy('Personal Finance/Insurance')), 1, 84),
  ],
  ['pcrd', 'Credit and loans', views(keywords(['credit cards', 'mortgages', 'loans']), 1, 84)],
  ['mstk', 'Shares', cohort(20102)],
  ['mcom', 'Commodities', cohort(20104)],
  ['mfnd', 'Funds', { or: cohorts(20105, 20214) }],
  ['tcmp', 'Technology and computing', views(taxonomy('Technology & Computing'), 1, 30)],
  ['tsec', 'Information security', cohort(20213)],
  [
    'taai',
    'Artificial intelligence',
    views(either(keywords(['artificial intelligence', 'machine learning', 'automation']), headline('AI')), 1, 30),
  ],
  ['tmob', 'Phones and tablets'],
  ['thom', 'Smart home'],
  ['tsof', 'Business software', { or: cohorts(20205, 20110) }],
  ['ggam', 'Video games', cohort(20206)],
  ['sfas', 'Style and fashion', cohort(20201)],
  ['sbty', 'Beauty and personal care'],
  ['ffod', 'Food and drink', cohort(20210)],
  ['fwin', 'Wine and spirits', views(keywords(['wine', 'spirits', 'beer']), 1, 28)],
  ['hmed', 'Healthcare', cohort(20120)],
  ['hden', 'Dental care', cohort(20212)],
  ['hfit', 'Fitness'],
  ['egrn', 'Green living', cohort(20121)],
  ['eene', 'Energy', views(keywords(['renewable energy', 'wind power', 'oil', 'electricity']), 1, 30)],
  ['nnws', 'News and politics', event('Pageview', section('news'), { is: atLeast(1), within: days(7) })],
  ['nwea', 'Weather and natural events', cohort(20209)],
  ['aaut', 'Cars and motoring'],
  ['atrv', 'Travel'],
  ['aprk', 'Parents'],
  ['apet', 'Pets'],
  ['aspo', 'Sport'],
  ['aent', 'Entertainment'],
  ['aedu', 'Education'],
  ['ahou', 'Home and garden'],
  ['abks', 'Books'],
  ['ajob', 'Careers', views(either(taxonomy('Careers'), keywords(['careers', 'freelancing', 'job market'])), 1, 30)],
];

export const cohortCodes = Object.fromEntries(
  taxonomyOfAudiences.map(([code], index) => [String(first + index), code]),
);
export const standardNames = Object.fromEntries(
  taxonomyOfAudiences.map(([, name], index) => [String(first + index), name]),
);

export const standard = taxonomyOfAudiences.flatMap(([, name, q], index) =>
  q ? [query(first + index, name, 'standard', q)] : [],
);

/** Standard audiences without a rule: the affinity service finds them. */
export const byAffinity = taxonomyOfAudiences.flatMap(([, , q], index) => (q ? [] : [first + index]));
