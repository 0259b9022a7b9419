import { startupWords } from '../../src/inspector/startupWords';
import type { Event } from '../../src/model/event';
import type { Startup } from '../../src/model/startup';

const event = (name: string): Event => ({
  id: '1',
  name,
  time: '2026-11-22T12:00:00.000Z',
  properties: {},
  session_id: 's',
  view_id: 'v',
});
const nothing: Startup = {
  activations: {},
  cohorts: [],
  context: {} as Startup['context'],
  eventsToPublish: [],
  eventsToPublishOnPageUnload: [],
  externalData: {},
  geoIP: null,
  realtime: false,
  stateMigratedThisInitialisation: false,
  transitionsSinceInit: [],
  secureSignal: null,
};
const transition = (id: string, entry: boolean) => ({ id, entry, time: 0 }) as Startup['transitionsSinceInit'][number];

describe('startupWords', () => {
  it('says what start-up has found', () => {
    expect(
      startupWords({
        ...nothing,
        activations: { dfp: ['1', '2'], freewheel: ['1'] },
        cohorts: [20101],
        eventsToPublish: [event('SegmentEntry'), event('SegmentExit'), event('SegmentEntry')],
        eventsToPublishOnPageUnload: [event('PageviewEngagement')],
        externalData: { thirdParty: { northlight: ['1'], acme: [] }, user: {} },
        geoIP: { city: 'Porto', country: 'Portugal', lat: 41 },
        realtime: true,
        stateMigratedThisInitialisation: true,
        transitionsSinceInit: [transition('20101', true), transition('20102', false), transition('20103', true)],
        secureSignal: 'abc',
      }),
    ).toEqual([
      ['Cohorts', '1 cohort, of this page'],
      ['Transitions', '2 entered, 1 left'],
      ['Activated', 'dfp 2, freewheel 1'],
      ['Place', 'Porto, Portugal'],
      ['Looked up', 'thirdParty (northlight, acme), user'],
      ['Secure signal', 'abc'],
      ['Events to publish', 'SegmentEntry × 2, SegmentExit'],
      ['Events at page exit', 'PageviewEngagement'],
      ['Stored state', 'brought up to this version'],
    ]);
  });

  it('says so where it has found nothing', () => {
    expect(startupWords(nothing).map(([, words]) => words)).toEqual([
      '0 cohorts, of the last page',
      '0 entered, 0 left',
      'none',
      'not known',
      'none',
      'none',
      'none',
      'none',
      'of this version',
    ]);
  });
});
