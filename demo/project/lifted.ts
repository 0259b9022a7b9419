import { atLeast, days, event, query } from './query';

/**
 * Queries whose rules stay with the server: a bank's list of products, and the newsroom's. Pages send it the events
 * that `lift` names and get the visitor's counts back.
 */
export const lifted = [
  query(
    21101,
    'Shops for a product on the bank’s list',
    'advertising lifted',
    event('ProductBuyClick', { p: 'product', in: ['Harbour Easy Saver', 'Ninety Day Notice'] }, { within: days(28) }),
  ),
  query(
    21102,
    'Two newsletters ordered',
    'newsletter lifted',
    event('FormSubmission', { p: 'form.name', startsWith: ['newsletter'] }, { is: atLeast(2), within: days(168) }),
  ),
];

/** The events that the server counts. They are few: each costs a request. */
export const lift = { events: ['ProductBuyClick', 'FormSubmission'] };
