import { webOptions } from '../../../src/addons/web/options';

const defaults = { page: {}, context: {}, track_pageview_engagement: true, track_pageview_complete: true, engagement_edge_only: true };
const read = (input: unknown) => {
  const faults: string[] = [];
  return { options: webOptions(input, (cause) => faults.push((cause as Error).message)), faults };
};

describe('webOptions', () => {
  it.each([undefined, null, {}])('are the defaults for %p', (input) => {
    expect(read(input)).toEqual({ options: defaults, faults: [] });
  });

  it('are what the page gives', () => {
    const given = { page: { a: 1 }, context: { url: 'https://a.example', title: 'A', referrer: '' }, track_pageview_engagement: false, track_pageview_complete: false, engagement_edge_only: false };
    expect(read(given)).toEqual({ options: given, faults: [] });
  });

  it.each([
    ['page', 'text', 'page: expected'],
    ['page', null, 'page: expected'],
    ['context', { url: 7 }, 'context/url: expected string'],
    ['track_pageview_engagement', 'yes', 'track_pageview_engagement: expected boolean'],
    ['track_pageview_complete', 1, 'track_pageview_complete: expected boolean'],
    ['engagement_edge_only', null, 'engagement_edge_only: expected boolean'],
  ])('drop %s: %p, and say where', (name, value, expected) => {
    const { options, faults } = read({ [name]: value, [name === 'page' ? 'engagement_edge_only' : 'page']: name === 'page' ? false : { a: 1 } });
    expect(options).toEqual(name === 'page' ? { ...defaults, engagement_edge_only: false } : { ...defaults, page: { a: 1 } });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(expected);
  });

  it.each(['text', 7, true])('are the defaults where the page gives %p, and say so', (input) => {
    const { options, faults } = read(input);
    expect([options, faults.length]).toEqual([defaults, 1]);
  });

  it('are own properties only', () => {
    expect(read(Object.create({ track_pageview_complete: false })).options).toEqual(defaults);
  });

  it('never say the value', () => {
    expect(read({ page: 'reader@site.example', context: { url: ['reader@site.example'] } }).faults.join()).not.toContain('reader');
  });
});
