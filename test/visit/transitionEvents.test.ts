import { isTransition } from '../../src/model/cohort';
import { queuedEvent, transitionDraft, uploadedCohorts } from '../../src/visit/transitionEvents';
import { eventOf, visitorId } from '../support/events';

describe('transitionDraft', () => {
  it.each([
    ['7', true, { name: 'SegmentEntry', properties: { segment_number: 7 }, tellsTransition: true }],
    ['7', false, { name: 'SegmentExit', properties: { segment_number: 7 }, tellsTransition: true }],
    ['abc', true, { name: 'SegmentEntry', properties: { segment_number: 'abc' }, tellsTransition: true }],
  ])('of %s, entry %p', (id, entry, expected) => {
    expect(transitionDraft({ id, entry, time: 0 })).toEqual(expected);
  });
});

describe('isTransition', () => {
  it.each([
    ['SegmentEntry', true],
    ['SegmentExit', true],
    ['Pageview', false],
    ['segmentEntry', false],
    ['', false],
  ])('%s: %p', (name, expected) => {
    expect(isTransition(name)).toBe(expected);
  });
});

describe('queuedEvent', () => {
  it('says whose the event is, and the cohorts of that moment', () => {
    const event = eventOf('a');
    const cohorts = uploadedCohorts(['7', 'abc', '10000001']);
    expect(queuedEvent({ draft: { name: 'Pageview' }, event }, visitorId, cohorts)).toEqual({
      ...event,
      user_id: visitorId,
      segments: [7, 10_000_001],
      cohorts: ['7', 'abc', '10000001'],
    });
  });

  it('leaves to the server what has not been filled', () => {
    const draft = { name: 'Pageview', requiresEnrichment: true, unfilled: { place: '$ip_geo_info' } };
    const event = eventOf('a', { properties: { place: null } });
    expect(queuedEvent({ draft, event }, visitorId, uploadedCohorts([])).properties).toEqual(draft.unfilled);
  });

  it('keeps what the draft says of its treatment, and of that only what is sent', () => {
    const draft = { name: 'Pageview', requiresEnrichment: true, sdkProcessed: false, beacon: true, edgeOnly: false };
    expect(queuedEvent({ draft, event: eventOf('a') }, visitorId, uploadedCohorts([]))).toEqual({
      ...eventOf('a'),
      user_id: visitorId,
      segments: [],
      cohorts: [],
      requiresEnrichment: true,
      sdkProcessed: false,
    });
  });
});
