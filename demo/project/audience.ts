import {
  atLeast,
  attention,
  both,
  cohort,
  cohorts,
  days,
  event,
  nextDay,
  path,
  query,
  section,
  taxonomy,
  views,
} from './query';

const anyPage = { p: 'client.url', exists: true };

/** How readers behave: how much they read, what they give their time to, which interests come together. */
export const audience = [
  query(20401, 'Read something', 'engagement', event('Pageview')),
  query(20402, 'Active this week', 'engagement', event('Pageview', undefined, { is: atLeast(3), within: days(7) })),
  query(
    20403,
    'Between two and six pages this week',
    'engagement',
    event('Pageview', undefined, { is: { between: [2, 6] }, within: days(7) }),
  ),
  query(20404, 'Heavy readers', 'engagement', event('Pageview', undefined, { is: atLeast(7), within: days(28) })),
  query(
    20405,
    'Came back within thirty hours',
    'engagement',
    event('Pageview', undefined, { is: atLeast(2), within: nextDay }),
  ),
  query(20406, 'Quiet for a month, read this half-year', 'engagement', {
    and: [
      event('Pageview', anyPage, { within: days(168) }),
      event('Pageview', anyPage, { is: { lt: 2 }, within: days(30) }),
    ],
  }),
  query(20407, 'Ten seconds with an article', 'engagement', attention({ p: 'type', in: ['article'] }, 10, 7)),
  query(20408, 'A minute with technology', 'engagement', attention(taxonomy('Technology & Computing'), 60, 7)),
  query(20409, 'Half a minute with markets', 'engagement', attention(section('markets'), 30, 7)),
  query(
    20410,
    'Two minutes with savings and guides',
    'engagement',
    attention(path('personal-finance/savings', 'guides'), 120, 28),
  ),
  query(20411, 'Five minutes of small business', 'engagement', attention(section('small business'), 300, 84)),
  query(
    20412,
    'Finished an article',
    'engagement',
    event('PageviewComplete', both({ p: 'type', in: ['article'] }, { p: 'total_completion', gte: 0.9 }), {
      within: days(30),
    }),
  ),
  query(
    20413,
    'Morning readers',
    'engagement',
    event('Pageview', { p: '$hour', between: [5, 9] }, { is: atLeast(3), within: days(28) }),
  ),
  query(20414, 'Front page only', 'engagement', {
    and: [
      event('Pageview', { p: 'type', in: ['front'] }, { is: atLeast(2), within: days(7) }),
      { not: event('Pageview', { p: 'type', in: ['article'] }, { within: days(7) }) },
    ],
  }),
  query(20415, 'Three different days in four weeks', 'engagement', {
    event: 'Pageview',
    distinct: '$day',
    is: atLeast(3),
    within: days(28),
  }),
  query(20416, 'Three long views of technology', 'engagement', {
    event: 'PageviewEngagement',
    where: both(taxonomy('Technology & Computing'), { p: 'total_engaged_time', gte: 30 }),
    distinct: '$view_id',
    is: atLeast(3),
    within: days(7),
  }),
  query(20417, 'Logged in', 'login', { last: { event: 'LoginStatus' }, is: { p: 'logged_in', is: true } }),
  query(
    20418,
    'Signed in during the last month',
    'login',
    event('LoginStatus', { p: 'logged_in', is: true }, { within: days(30) }),
  ),
  query(20419, 'First page was an article', 'engagement', {
    first: { event: 'Pageview' },
    is: { p: 'type', in: ['article'] },
  }),
  query(20420, 'Three pages in this session', 'engagement session', {
    event: 'Pageview',
    is: atLeast(3),
    within: 'session',
  }),
  query(20421, 'Attention on this page', 'engagement view', {
    event: 'PageviewEngagement',
    sum: 'engaged_time',
    is: atLeast(20),
    within: 'view',
  }),
  query(
    20422,
    'Read technology since the spring relaunch',
    'engagement',
    event('Pageview', both({ p: 'article.published', after: '2026-03-01T00:00:00.000Z' }, section('tech')), {
      within: days(168),
    }),
  ),
  query(
    20423,
    'Reads tagged articles',
    'engagement',
    event('Pageview', { p: 'article.keywords', size: { gte: 5 } }, { is: atLeast(2), within: days(7) }),
  ),
];

/** Interests that come together. */
export const combinations = [
  query(20601, 'Money on the mind', 'combination', {
    match: cohorts(20101, 20105, 20111, 20112, 20118, 20214),
    min: 2,
  }),
  query(20602, 'Owner-managers', 'combination', { match: cohorts(20109, 20110, 20117, 20211, 20215, 20216), min: 3 }),
  query(20603, 'Modern workplace', 'combination', { or: cohorts(20204, 20205, 20226) }),
  query(20604, 'Business technology buyers', 'combination', {
    and: [cohort(20116), { or: cohorts(20109, 20110, 20213) }],
  }),
  query(20605, 'Savers who do not trade', 'combination', { and: [cohort(20111), { not: cohort(20101) }] }),
  query(20606, 'Responsible business', 'combination', { match: cohorts(20121, 20207, 20208, 20119), min: 2 }),
  query(20607, 'Brand-safe tech readers', 'combination', { and: [cohort(20116), { not: cohort(20209) }] }),
  query(20608, 'Curious all-rounders', 'combination', {
    match: cohorts(20101, 20109, 20111, 20116, 20120, 20121, 20117),
    min: 3,
    max: 6,
  }),
  query(20609, 'Every business theme', 'combination', {
    match: cohorts(20109, 20110, 20117, 20119, 20120, 20121, 20211, 20215, 20216),
    min: 7,
  }),
  query(20610, 'Committed readers of money and markets', 'combination', { and: [{ sub: 1 }, { sub: 2 }] }, [
    { or: cohorts(20402, 20404, 20405) },
    { match: cohorts(20101, 20111, 20112), min: 1 },
  ]),
  query(20611, 'Workplace, but not in gig work', 'combination', { and: [{ sub: 1 }, { not: { sub: 2 } }] }, [
    { or: [cohort(20603), views(section('hr'), 1, 28)] },
    cohort(20217),
  ]),
  query(20612, 'Premium: engaged business readers', 'combination', {
    and: [cohort(20407), { or: cohorts(20602, 20604, 20610) }],
  }),
  // The newsroom's switch: with `true`, everybody is in the group.
  query(20613, 'Measurement group', 'combination', { or: [{ const: false }, cohort(20402)] }),
  query(20614, 'Everyone with a page view', 'combination', { and: [{ const: true }, cohort(20401)] }),
  query(20615, 'Entered savings this quarter', 'combination recent', { entered: '20111', within: { weeks: 12 } }),
  query(20616, 'Left small business this month', 'combination recent', { exited: '20109', within: days(30) }),
  query(20617, 'Logged-in savers of four weeks', 'combination recent', {
    and: [
      cohort(20417),
      { event: 'Pageview', distinct: '$day', is: atLeast(3), within: days(28) },
      { entered: '20111', within: { weeks: 12 } },
    ],
  }),
];
