import { pageDataLookups } from '../../src/cohorts/pageDataLookups';
import { eventOf } from '../../test/support/events';
import { projectOf } from '../../test/support/project';
import { marble, type MarbleHelpers, marbles } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

const [home, other] = ['https://www.site.example', 'https://www.site.example/b'];
const pageviewOf = (url: string) => eventOf('Pageview', { properties: { client: { url } } });
const events = { h: pageviewOf(home), o: pageviewOf(other), e: eventOf('LinkClick') };
const place = { geo: { country: 'Germany' } };
const contentOf = (url: string) => ({ classification: { about: url } });
const data = (patch: object) => ({ type: 'data', patch });
const values = {
  g: data(place),
  n: data({ classification: null }),
  h: data(contentOf(home)),
  o: data(contentOf(other)),
};

/** The service, in a visit whose data comes after 10 ms; `asked`: for what, and when. */
const serve = (helpers: MarbleHelpers, lookups: readonly string[], viewed: string, tracked = viewed) => {
  const { streams, deps } = serviceWorld(helpers, { project: projectOf({ lookups }), answers: {} });
  const asked = helpers.effect<[what: string]>();
  const lookup = (name: string, url: string) => {
    asked(`${name} ${url}`.trim());
    return helpers.cold('10ms (a|)', { a: name === 'geo' ? place : contentOf(url) });
  };
  const visit = { viewed$: helpers.hot(viewed, events), event$: helpers.hot(tracked, events), lookup };
  return { asked$: asked.call$, output$: pageDataLookups({ ...streams, ...visit }, deps) };
};

describe('pageDataLookups', () => {
  marble('gives queries the place, and what each address is about', (helpers) => {
    const { output$ } = serve(helpers, ['geo', 'classification'], 'h 49ms o 49ms o');
    helpers.expectObservable(output$).toBe('n 9ms (gh) 36ms n 9ms o', values);
  });

  marble('gives no query the content of a page that was left', (helpers) => {
    const { output$ } = serve(helpers, ['classification'], 'h----o');
    helpers.expectObservable(output$).toBe('n----n 9ms o', values);
  });

  const all = { a: ['geo'], b: [`classification ${home}`], c: [`classification ${other}`] };

  it.each([
    ['once nothing was tracked for a second', 'h', 'h', '1s (ab)'],
    ['a second after the last event', 'h', 'h 999ms e', '2s (ab)'],
    ['after 5 s at the latest', 'h', `h ${'999ms e '.repeat(6)}`, '5s (ab)'],
    ['in each view', 'h 2s o', 'h 2s o', '1s (ab) 1997ms (ac)'],
    ['not for a view that was left before', 'h 499ms o', 'h 499ms o', '1500ms (ac)'],
  ])('asks for what no query reads: %s', (_, viewed, tracked, expected) => {
    marbles((helpers) => {
      const { asked$, output$ } = serve(helpers, [], viewed, tracked);
      helpers.expectObservable(asked$).toBe(expected, all);
      helpers.expectObservable(output$).toBe('-');
    })();
  });

  marble('asks nothing before a view, where no query reads it', (helpers) => {
    const { asked$, output$ } = serve(helpers, [], '-');
    helpers.expectObservable(asked$).toBe('-');
    helpers.expectObservable(output$).toBe('-');
  });

  marble('ends with the visit', (helpers) => {
    const { asked$, output$ } = serve(helpers, ['classification'], 'h');
    helpers.expectObservable(asked$).toBe('b', all);
    helpers.expectObservable(output$, '^ 4ms !').toBe('n', values);
  });
});
