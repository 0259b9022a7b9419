import { eventFindings } from '../../../project/check/eventFindings';
import type { EventTypes } from '../../../project/define/eventTypes';
import type { Expr, Pred } from '../../../src/engine/language/language';

const declared: EventTypes = {
  Pageview: { article: { section: 'string', words: 'number' }, free: 'boolean' },
  Purchase: { price: 'number', items: [{ sku: 'string' }], more: {} },
};
const found = (q: Expr, ...[events = declared]: readonly (EventTypes | 'none')[]): readonly string[] =>
  eventFindings([{ id: '7', q }], events === 'none' ? undefined : events).map(
    ({ path, severity, message, fix }) => `${severity} ${path}: ${message}; ${fix}`,
  );
const bought = (where: Pred): Expr => ({ event: 'Purchase', where });

describe('eventFindings', () => {
  it.each<readonly [Expr, string]>([
    [{ event: 'Purchas' }, 'warning queries/7/q/event: no known event has the name Purchas; write Purchase'],
    [
      { event: ['Pageview', 'Login'] },
      'warning queries/7/q/event: no known event has the name Login; declare it in events',
    ],
    [
      { sequence: [{ event: 'Pageview' }, { event: 'Pagview' }] },
      'warning queries/7/q/sequence/1/event: no known event has the name Pagview; write Pageview',
    ],
    [
      { event: 'page view' },
      'error queries/7/q/event: no event can have the name "page view"; write up to 100 letters, digits and _',
    ],
    [bought({ p: 'pric', gte: 1 }), 'warning queries/7/q/where: Purchase has no property pric; write price'],
    [
      bought({ and: [{ p: 'price', gte: 1 }, { not: { p: 'article.section', eq: 'x' } }] }),
      'warning queries/7/q/where/and/1/not: Purchase has no property article.section; declare it in events',
    ],
    [
      { event: 'PageviewEngagement', where: { p: 'article.sections', eq: 'x' } },
      'warning queries/7/q/where: PageviewEngagement has no property article.sections; write article.section',
    ],
    [
      { event: 'Pageview', where: { p: 'article.section', gte: 5 } },
      'warning queries/7/q/where: article.section is a string, and the test needs a number; test another property, or otherwise',
    ],
    [
      bought({ p: 'items', is: true }),
      'warning queries/7/q/where: items is an object, and the test needs a boolean; test another property, or otherwise',
    ],
    [{ event: 'Purchase', sum: 'prise' }, 'warning queries/7/q/sum: Purchase has no property prise; write price'],
    [
      { event: 'Pageview', sum: 'article.section' },
      'warning queries/7/q/sum: article.section is a string, and the test needs a number; test another property, or otherwise',
    ],
    [{ event: 'Purchase', distinct: '$days' }, 'error queries/7/q/distinct: no event has $days; write $day'],
    [
      { last: { event: 'Purchase' }, is: { p: 'pric', gte: 1 } },
      'warning queries/7/q/is: Purchase has no property pric; write price',
    ],
    [
      bought({ p: 'items', any: { and: [{ p: '$hour', lt: 6 }] } }),
      'error queries/7/q/where/any/and/0: $hour belongs to the event and not to an element of a list; move the test out of the list',
    ],
    [
      { event: 'PageviewComplete', where: { p: 'total_completion', gte: 50 } },
      'error queries/7/q/where: total_completion is from 0 to 1, so this is true for nobody; write 0.5',
    ],
    [
      bought({ p: '$hour', between: [24, 30] }),
      'error queries/7/q/where: $hour is from 0 to 23, so this is true for nobody; compare with a number within',
    ],
    [
      { event: 'PageviewEngagement', sum: 'completion', is: { gte: 50 }, within: 'view' },
      'error queries/7/q: completion adds up to 1 at most in a view, and more is asked for; ask for a share from 0 to 1',
    ],
  ])('finds %j', (q, finding) => {
    expect(found(q)).toEqual([finding]);
  });

  it.each<readonly [Expr]>([
    [bought({ p: 'items.sku', eq: 'a' })],
    [bought({ p: 'items', any: { p: 'sku', eq: 'a' } })],
    [bought({ p: 'more.whatever', gte: 1 })],
    [bought({ p: 'client.url', contains: ['a'] })],
    [{ event: ['Purchase', 'Pageview'], where: { p: 'article.section', eq: 'a' } }],
    [{ event: 'PageviewEngagement', where: { p: 'free', is: true }, sum: 'engaged_time' }],
    // Of other events of the SDK not all properties are known.
    [{ event: 'SlotClicked', where: { p: 'whatever', eq: 1 } }],
    [{ event: 'PageviewEngagement', where: { p: 'total_completion', gte: 0.5 } }],
    [bought({ p: 'price', in: ['5'] })],
    [{ event: ['UpdateThirdPartyData', 'UpdateSecondPartyData', 'UpdateLookalikeModels'] }],
  ])('has nothing to say of %j', (q) => {
    expect(found(q)).toEqual([]);
  });

  it('doubts near names only, where nothing is declared', () => {
    expect(found({ event: 'Purchase', where: { p: 'anything', gte: 5 } }, 'none')).toEqual([]);
    expect(found({ event: 'Pageveiw' }, 'none')).toEqual([
      'warning queries/7/q/event: no known event has the name Pageveiw; write Pageview',
    ]);
    expect(found({ event: 'Purchase', where: { p: 'completion', gte: 50 } }, 'none')).toEqual([]);
  });
});
