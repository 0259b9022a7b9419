import { checkProject } from '../../../project/checkProject';
import {
  and,
  atLeast,
  cohort,
  days,
  declareEvents,
  defineProject,
  earliest,
  event,
  inCohort,
  latest,
  lookup,
  not,
  or,
  sequence,
  step,
  taxonomyEntry,
  where,
} from '../../../project/define/define';

const ids = {
  workspaceId: 'b1cb1816-7d85-457c-9f32-2a1422d00e17',
  organizationId: 'organization',
  apiKey: '5bb7fb0f-d8d9-415b-8725-460b8ce504db',
};
const site = declareEvents({
  Pageview: { article: { section: 'string', keywords: ['string'], words: 'number' }, subscriber: 'boolean' },
  Purchase: { price: 'number', items: [{ sku: 'string', amount: 'number' }] },
});

describe('defineProject', () => {
  it('makes plain JSON that the check accepts', () => {
    const defined = defineProject({
      ...ids,
      events: site.events,
      addons: { web: { track_link_click: true }, dfp: {} },
      queries: [
        cohort(
          '1',
          event('Pageview', { where: where('article.section', { eq: 'markets' }), is: { gte: 3 }, within: days(7) }),
          {
            name: 'Markets',
            activations: { dfp: { trigger: 'EveryTime' } },
          },
        ),
        cohort('2', and(inCohort('1'), not(event('LinkClick', { where: where('dest_url', { contains: ['a'] }) })))),
        cohort(
          '3',
          or(
            site.event(['Purchase', 'Pageview'], { where: site.where('client.domain', { eq: 'a.example' }) }),
            sequence([site.step('Pageview'), site.step('Purchase', site.where('price', { gte: 5 }))], {
              span: days(1),
            }),
          ),
        ),
        cohort(
          '4',
          atLeast(
            2,
            latest(step('Pageview'), where('subscriber', { is: true })),
            earliest(step('Pageview'), where('subscriber', { is: false })),
            lookup('geo', where('country', { in: ['fr'] })),
          ),
        ),
        cohort(
          '5',
          site.event('Purchase', {
            where: site.where('items', { any: and({ p: 'sku', eq: 'a' } as const, { p: 'amount', gte: 2 } as const) }),
          }),
        ),
      ],
    });
    expect(JSON.parse(JSON.stringify(defined))).toEqual(defined);
    const { project, findings } = checkProject(defined);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(project?.definitions[0]).toEqual({
      id: '1',
      name: 'Markets',
      q: { event: 'Pageview', where: { p: 'article.section', eq: 'markets' }, is: { gte: 3 }, within: { days: 7 } },
      activations: { dfp: { trigger: 'EveryTime' } },
    });
  });

  it('is typed', () => {
    // The compiler reads this function, and nobody calls it.
    const typed = (): void => {
      // @ts-expect-error -- no event has that name
      event('Pagview');
      event('Pageview', { where: where('any.path', { eq: 1 }) });
      // @ts-expect-error -- no operator has that name
      where('a', { like: 'x' });
      // @ts-expect-error -- no event of the site has that name
      site.event('Purchas');
      // @ts-expect-error -- no event has such a property
      site.where('article.sectoin', { eq: 'x' });
      // @ts-expect-error -- a Purchase has no article
      site.event('Purchase', { where: site.where('article.section', { eq: 'x' }) });
      site.event('PageviewEngagement', { where: site.where('article.section', { eq: 'x' }), sum: 'engaged_time' });
      // @ts-expect-error -- the property is a text
      site.where('article.section', { gte: 5 });
      // @ts-expect-error -- the property is a boolean
      site.where('subscriber', { in: ['a'] });
      // @ts-expect-error -- the elements have no such property
      site.where('items', { any: { p: 'price', eq: 1 } });
      // @ts-expect-error -- there is nothing to add up at that path
      site.event('Purchase', { sum: 'pric' });
      // @ts-expect-error -- no unit has that name
      event('Pageview', { within: { day: 7 } });
      // @ts-expect-error -- no platform has that name
      cohort('1', event('Pageview'), { activations: { dpf: { trigger: 'EveryTime' } } });
      // @ts-expect-error -- no trigger has that name
      cohort('1', event('Pageview'), { activations: { dfp: { trigger: 'Always' } } });
      // @ts-expect-error -- no addon has that name
      defineProject({ ...ids, addons: { dfpp: {} } });
      // @ts-expect-error -- the addon has no such option
      defineProject({ ...ids, addons: { web: { track_link_clicks: true } } });
      // @ts-expect-error -- the option is a boolean
      defineProject({ ...ids, addons: { dfp: { track_slot_rendered: 'no' } } });
      // @ts-expect-error -- a definition has no functions
      defineProject({ ...ids, addons: { web: { completion: () => 1 } } });
      // @ts-expect-error -- Prebid has no such place of a bid request
      defineProject({ ...ids, addons: { prebid: { locations: { own: { path: 'user.dat', name: 'own' } } } } });
      // @ts-expect-error -- no setting has that name
      defineProject({ ...ids, config: { requestTimeOut: 5000 } });
      // @ts-expect-error -- nothing of a definition has that name
      defineProject({ ...ids, query: [] });
    };
    expect(typed).toBeInstanceOf(Function);
  });
});

describe('taxonomyEntry', () => {
  it('finds the number and the id of an entry by its name', () => {
    expect(taxonomyEntry(4, 'Interest > Business and Finance')).toEqual({ segtax: 4, id: '268' });
    expect(taxonomyEntry(6, 'Sports')).toEqual({ segtax: 6, id: '483' });
    expect(taxonomyEntry(7, 'Entertainment')).toEqual({ segtax: 7, id: 'JLBCU7' });
  });

  it('refuses a name that the taxonomy lacks, to the compiler and when it runs', () => {
    // @ts-expect-error Content Taxonomy 3.0 has this entry, and the Audience Taxonomy has none.
    expect(() => taxonomyEntry(4, 'Entertainment')).toThrow(new Error('taxonomy 4 has no entry Entertainment'));
    // @ts-expect-error No such taxonomy is known.
    expect(() => taxonomyEntry(5, 'Sports')).toThrow(new Error('taxonomy 5 has no entry Sports'));
    // @ts-expect-error A name of objects is none of entries.
    expect(() => taxonomyEntry(4, 'toString')).toThrow(new Error('taxonomy 4 has no entry toString'));
  });
});
