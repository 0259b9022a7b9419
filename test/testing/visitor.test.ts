import { rules as sampleRules } from '../../demo/project/rules';
import { visitor } from '../../src/testing/testing';

const query = (id: string, q: object, more: object = {}): object => ({ id, q, ...more });
const within7Days = { within: { days: 7 } };
const sport = { event: 'Pageview', where: { p: 'article.section', eq: 'sport' } };
const project = {
  queries: [
    query('sport-fans', { ...sport, is: { gte: 3 }, ...within7Days }, { name: 'Sport fans' }),
    query('20102', { event: 'Pageview', distinct: '$view_id', is: { gte: 3 } }),
    query('20103', { event: 'Pageview', distinct: '$session_id', is: { gte: 2 } }),
    query('20104', { event: 'Pageview', is: { gte: 2 }, within: 'session' }),
    query('20105', { event: 'PageviewEngagement', sum: 'engaged_time', is: { gte: 12 }, within: 'view' }),
    query('20106', { event: 'PageviewComplete', where: { p: 'total_completion', gte: 0.5 } }),
    query('20107', { and: [{ cohort: 'sport-fans' }, { not: { cohort: '20104' } }] }),
    query('20108', { event: 'Newsletter', where: { p: 'list', eq: 'markets' } }),
    query('20109', { lookup: 'geo', where: { p: 'country', eq: 'NO' } }),
    query('20110', { thirdParty: { provider: 'acme', in: ['17'] } }),
    query('20111', { secondParty: { provider: 'sister', in: ['s1'] } }),
    query('20112', { lookup: 'classification', where: { p: 'label', eq: 'sport' } }),
    query('20113', { lookalike: { model: '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d', gte: 0.7 } }),
    query('20114', { event: 'Pageview', where: { p: 'client.referrer', domain: ['search.example'] } }),
    query('20115', { event: 'Pageview', distinct: '$day', is: { gte: 2 } }),
    query('20116', { entered: 'sport-fans', is: { gte: 2 } }),
  ],
  rules: { '30001': { t: 1, cat: ['sport'], n: 2 } },
  cohortNames: { '30001': 'Rule of sport' },
};
const sportPage = { article: { section: 'sport' } };

/** The message of the error that a function throws. */
const errorOf = (run: () => void): string => {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
};

describe('a visitor', () => {
  it('is in a cohort by what they do, and not by one thing less', () => {
    const almost = visitor().views(2, sportPage);
    almost.expect(project).not.toBeIn('sport-fans');
    almost.views(1, sportPage).expect(project).toBeIn('sport-fans', 'Sport fans');
    almost
      .views(1, { article: { section: 'arts' } })
      .expect(project)
      .not.toBeIn('sport-fans');
  });

  it('never changes', () => {
    const reader = visitor().views(2, sportPage);
    reader.views(5, sportPage).after('1 day').expect(project).toBeIn('sport-fans');
    reader.expect(project).not.toBeIn('sport-fans');
    expect(reader.cohorts(project)).toStrictEqual(reader.cohorts(project));
  });

  it('leaves a cohort when time has passed, on the page or at the next one', () => {
    const fan = visitor().views(3, sportPage);
    fan.after('6 days').expect(project).toBeIn('sport-fans');
    fan.after({ days: 8 }).expect(project).not.toBeIn('sport-fans');
    fan.at('2026-01-13T12:10:00Z').expect(project).not.toBeIn('sport-fans');
    fan.after('8 days').views(3, sportPage).expect(project).toBeIn('20116');
    fan.views(3, sportPage).expect(project).not.toBeIn('20116');
  });

  it('has a view for each page, and a session until half an hour without an event', () => {
    visitor().views(3).expect(project).toBeIn('20102', '20104');
    visitor().views(2).expect(project).not.toBeIn('20102', '20103');
    visitor().views(1).after('29 minutes').views(1).expect(project).not.toBeIn('20103');
    visitor().views(1).after('30 minutes').views(1).expect(project).toBeIn('20103');
    visitor().views(1).newSession().views(1).expect(project).toBeIn('20103');
    visitor().views(2).after('31 minutes').expect(project).not.toBeIn('20104');
    visitor().views(2).newSession().expect(project).not.toBeIn('20104');
    visitor().views(1).newSession().views(1).expect(project).not.toBeIn('20104');
  });

  it('engages with the page it is on', () => {
    visitor().views(1).engages(12).expect(project).toBeIn('20105');
    visitor().views(1).engages(11).expect(project).not.toBeIn('20105');
    visitor().views(1).engages(10).views(1).engages(10).expect(project).not.toBeIn('20105');
    expect(() => visitor().engages(5).expect(project).toBeIn('20105')).toThrow('engages() needs an open page');
  });

  it('completes a view once: when it says so, or when the next one opens', () => {
    const reader = visitor().views(1).engages(10, 0.6);
    reader.expect(project).not.toBeIn('20106');
    reader.completes().expect(project).toBeIn('20106');
    reader.views(1).expect(project).toBeIn('20106');
    reader.after('1 day').expect(project).toBeIn('20106');
    visitor().views(1).completes({ total_completion: 0.5 }).expect(project).toBeIn('20106');
    visitor().views(1).completes({ total_completion: 0.4 }).views(1).expect(project).not.toBeIn('20106');
    const twice = { queries: [query('1', { event: 'PageviewComplete', is: { gte: 2 } })] };
    reader.completes().views(1).expect(twice).not.toBeIn('1');
    expect(() => reader.completes().completes().cohorts(twice)).toThrow('complete already');
  });

  it('sends events, and has data', () => {
    visitor().event('Newsletter', { list: 'markets' }).expect(project).toBeIn('20108');
    visitor().event('Newsletter', { list: 'arts' }).expect(project).not.toBeIn('20108');
    const known = visitor().data({
      geo: { country: 'NO' },
      thirdParty: { acme: [17] },
      secondParty: { sister: ['s1'] },
      classification: { label: 'sport' },
    });
    known.expect(project).toBeIn('20109', '20110', '20111', 20112);
    visitor().expect(project).not.toBeIn('20109', '20110', '20111', 20112);
  });

  it('has the scores of models over the cohorts that they name', () => {
    const scored = visitor().data({
      models: { '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d': { '1p': { const: -1, 'sport-fans': 2 } } },
    });
    scored.views(3, sportPage).expect(project).toBeIn('20113');
    scored.views(2, sportPage).expect(project).not.toBeIn('20113');
    expect(() => visitor().data({ models: { no: { '1p': { a: 1 } } } })).toThrow('no');
  });

  it('has the client context of the SDK', () => {
    const led = (referrer: string) => visitor().views(1, { client: { url: 'https://www.site.example/a/', referrer } });
    led('https://www.search.example/?q=x').expect(project).toBeIn('20114');
    led('https://other.example/').expect(project).not.toBeIn('20114');
    const urls = {
      queries: [
        query('1', { event: 'Pageview', where: { p: 'client.url', eq: 'https://www.site.example/a' } }),
        query('2', { event: 'Pageview', where: { p: 'client.domain', eq: 'site.example' } }),
      ],
    };
    expect(led('').cohorts(urls)).toStrictEqual(['1', '2']);
  });

  it('begins on the date of its first call', () => {
    visitor().at('2020-02-01').views(1).at('2020-02-02').views(1).expect(project).toBeIn('20115');
    visitor().at('2020-02-01').views(1).at('2020-02-01T23:00Z').views(1).expect(project).not.toBeIn('20115');
    expect(() => visitor().at('2020-02-01').views(1).at('2020-01-01').cohorts(project)).toThrow(
      'time does not go back',
    );
    expect(() => visitor().at('never')).toThrow('never is no date');
    expect(() => visitor().after('3 moons')).toThrow('"3 moons" is no time');
  });

  it('is in the cohorts of rules, by id or name', () => {
    visitor().views(2, sportPage).expect(project).toBeIn('30001', 'Rule of sport', 30001);
    visitor().views(1, sportPage).expect(project).not.toBeIn('Rule of sport');
    expect(() => visitor().cohorts({ queries: [], rules: sampleRules })).not.toThrow();
  });
});

describe('an expectation that is not met', () => {
  it('says which clause has how many of how many', () => {
    const message = errorOf(() => visitor().views(2, sportPage).expect(project).toBeIn('Sport fans'));
    expect(message).toMatchInlineSnapshot(`
      "Expected the visitor to be in “Sport fans” (sport-fans).
      Cohort sport-fans: the visitor is not a member.
      ✗ Pageview events in the last 7 days: has 2, needs at least 3
      To enter: Pageview events in the last 7 days: has 2, needs at least 3."
    `);
  });

  it('explains the cohorts that the cohort depends on', () => {
    const message = errorOf(() => visitor().views(1, sportPage).expect(project).toBeIn('20107'));
    expect(message).toContain('Cohort sport-fans: the visitor is not a member.');
    expect(message).toContain('has 1, needs at least 3');
    expect(errorOf(() => visitor().views(3, sportPage).expect(project).not.toBeIn('sport-fans'))).toContain(
      'Expected the visitor not to be in “Sport fans” (sport-fans).',
    );
  });

  it('names cohorts that there are not, and queries that are none', () => {
    expect(() => visitor().expect(project).toBeIn('cooks')).toThrow(
      'No query of the project has the id or the name cooks',
    );
    const twins = { queries: [query('1', sport, { name: 'A' }), query('2', sport, { name: 'A' })] };
    expect(() => visitor().expect(twins).toBeIn('A')).toThrow('Several queries have the name A: 1, 2');
    const wrong = { queries: [query('1', { event: 'Pageview', is: { least: 3 } })], rules: { '2': { t: 9 } } };
    expect(() => visitor().expect(wrong)).toThrow(/rules\/2: .*\n.*queries\/0: q\/is: expected a comparison/);
    expect(() => visitor().expect({ queries: [query('1', sport), query('1', sport)] })).toThrow(
      'another query has the id 1',
    );
    const outside = { queries: [query('1', { sub: 2 })] };
    expect(() => visitor().expect(outside).toBeIn('1')).toThrow('subquery index out of bounds');
  });
});
