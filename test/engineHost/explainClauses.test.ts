import { init } from '../../src/engine/engine';
import type { Cmp, Definition } from '../../src/engine/language/language';
import { explainClauses } from '../../src/engineHost/explainClauses';
import type { CohortExplanation } from '../../src/model/explanation';
import { noon } from '../support/events';
import { contextOf } from '../support/hostDeps';

/** The explanation of a query after so many page views of 2.5 seconds. */
const explained = (q: Definition['q'], views = 0): CohortExplanation => {
  const engine = init({
    event_source_id: 'source',
    now: noon,
    bundle: { v: 1, id: 'b', seed: 0, queries: [{ id: '7', q }] },
    state: null,
    context: contextOf(),
    lookups: { thirdParty: { acme: ['1'] } },
    pending: [],
  });
  engine.bootstrap();
  engine.replay([]);
  for (let i = 0; i < views; i += 1)
    engine.process(
      [{ name: 'Pageview', time: noon, properties: { seconds: 2.5 }, session_id: 'session', view_id: 'view' }],
      noon,
    );
  return explainClauses(engine.explain('7')!);
};
const views = (is: Cmp): Definition['q'] => ({ event: 'Pageview', is, within: { days: 7 } });

describe('explainClauses', () => {
  it('has for each clause what it is about, what the visitor has, and what is needed', () => {
    const { clause, result } = explained({ and: [views({ gte: 3 }), { not: { cohort: '8' } }] }, 1);
    expect(result).toBe(false);
    expect(clause).toMatchObject({ node: 'and', about: 'all of', holds: false, have: 1 });
    expect(clause.of).toMatchObject([
      { holds: false, about: 'Pageview events in the last 7 days', have: 1, needs: 'at least 3', of: [] },
      { holds: true, about: 'not', of: [{ about: 'member of cohort 8', holds: false }] },
    ]);
  });

  it('names the data that a clause reads', () => {
    expect(explained({ thirdParty: { provider: 'acme', in: ['1', '2'], min: 2 } }).clause).toMatchObject({
      about: 'the listed segments of acme',
      have: 1,
      needs: 'at least 2',
    });
  });

  it('has no number for an event that matches or not', () => {
    const { clause } = explained({ last: { event: 'Pageview' }, is: { p: 'seconds', gte: 1 } }, 1);
    expect(clause).toMatchObject({ about: 'the last Pageview matches', holds: true });
    expect('have' in clause).toBe(false);
  });
});

describe('what would change the result', () => {
  it.each<[string, Cmp, number, string]>([
    ['enters with more', { gte: 3 }, 1, '2 more Pageview events in the last 7 days'],
    ['enters with one more than a bound', { gt: 3 }, 1, '3 more Pageview events in the last 7 days'],
    ['enters between bounds from below', { between: [2, 4] }, 0, '2 more Pageview events in the last 7 days'],
    ['leaves beyond bounds', { between: [2, 4] }, 3, '2 more Pageview events in the last 7 days'],
    ['leaves with more where few are wanted', { lt: 3 }, 1, '2 more Pageview events in the last 7 days'],
  ])('is counted: %s', (_, is, count, words) => {
    expect(explained(views(is), count).flip).toBe(words);
  });

  it('is what is missing of a sum', () => {
    const sum = (is: Cmp): Definition['q'] => ({ event: 'Pageview', sum: 'seconds', is });
    expect(explained(sum({ gte: 6 }), 1).flip).toBe('3.5 more seconds of Pageview in all');
  });

  it('is another view or session, where counts are of that', () => {
    expect(explained({ event: 'Pageview', within: 'view' }, 1).flip).toBe('another view');
  });

  it('is nothing that happens where a count must become smaller', () => {
    expect(explained(views({ gte: 2 }), 2)).toMatchObject({ flip: null });
    expect(explained(views({ gte: 2 }), 2).changesAt).toBeDefined();
    expect(explained({ event: 'Pageview' }, 1).flip).toBeNull();
  });

  it('is a change of data or of another cohort', () => {
    expect(explained({ thirdParty: { provider: 'acme', in: ['1', '2', '3'], min: 3 } }).flip).toBe(
      '2 more of the listed segments of acme',
    );
    expect(explained({ thirdParty: { provider: 'acme', in: ['1'] } }).flip).toBe(
      '1 fewer of the listed segments of acme',
    );
    expect(explained({ lookalike: { model: 'm', gte: 0.5 } }).flip).toBe('a score of at least 0.5 by model m');
    expect(explained({ cohort: '8' }).flip).toBe('entering cohort 8');
    expect(explained({ not: { cohort: '8' } }).flip).toBe('entering cohort 8');
  });

  it('is one of several, or all of them', () => {
    expect(explained({ or: [views({ gte: 1 }), { event: 'Read' }] }).flip).toBe(
      '1 more Pageview event in the last 7 days, or 1 more Read event',
    );
  });

  it('is nothing for what always holds', () => {
    expect(explained({ const: true }).flip).toBeNull();
  });
});
