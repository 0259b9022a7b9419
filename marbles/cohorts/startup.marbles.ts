import { BehaviorSubject, concat, NEVER, type Observable, of } from 'rxjs';

import type { ServiceDeps, ServiceStreams } from '../../src/cohorts/service';
import { startup, startupEnd } from '../../src/cohorts/startup';
import type { EventFlags, Tracked } from '../../src/model/event';
import type { ServiceOutput } from '../../src/model/serviceOutput';
import { eventOf } from '../../test/support/events';
import { marble, type MarbleHelpers } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

const stored = { members: ['7'], activations: {}, isRealtime: false };
const realtime = {
  members: ['7', '10000001', 'abc-c'],
  activations: { dfp: ['7', 'abc-c'], rubicon_ssp: ['9'] },
  isRealtime: true,
};

const trackedOf = (name: string, flags: EventFlags = {}): Tracked => ({
  draft: { name, ...flags },
  event: eventOf(name, { name }),
});
/** A state with a history. */
const history = <A>(...values: readonly A[]): Observable<A> => concat(of(...values), NEVER);

const world = ({ cold, hot }: Pick<MarbleHelpers, 'cold' | 'hot'>, given: Partial<ServiceStreams> = {}) => {
  const { streams, deps } = serviceWorld({ cold }, { answers: {} });
  return {
    deps: deps as ServiceDeps,
    hot,
    streams: { ...streams, stop$: NEVER, cohorts$: new BehaviorSubject(realtime), ...given },
  };
};

describe('startupEnd', () => {
  marble('waits for the cohorts of this page, and for requests that are under way', (helpers) => {
    const { streams, deps } = world(helpers);
    const cohorts$ = helpers.state('s 9ms r', { s: stored, r: realtime });
    const isIdle$ = helpers.state('t 4ms f 9ms t', { t: true, f: false });
    helpers.expectObservable(startupEnd(isIdle$, NEVER, { ...streams, cohorts$ }, deps)).toBe('15ms (e|)', { e: 0 });
  });

  marble('waits for what the queries of the project look up', (helpers) => {
    const { streams, deps } = world(helpers, { lookup: () => helpers.cold('20ms g', { g: { geo: {} } }) });
    const asking = { ...deps, project: { ...deps.project, lookups: ['geo'] as const } };
    helpers.expectObservable(startupEnd(of(true), NEVER, streams, asking)).toBe('20ms (e|)', { e: 0 });
  });

  marble('waits for the data that services give queries, however late they ask for it', (helpers) => {
    const { streams, deps } = world(helpers);
    const asking = { ...deps, project: { ...deps.project, lookups: ['user', 'thirdParty'] as const } };
    const output$ = helpers.hot<ServiceOutput>('5ms u 14ms t', {
      u: { type: 'data', patch: { user: {} } },
      t: { type: 'data', patch: { thirdParty: {} } },
    });
    helpers.expectObservable(startupEnd(of(true), output$, streams, asking)).toBe('20ms (e|)', { e: 0 });
  });

  marble('comes after three times the time that a request may take, whatever hangs', (helpers) => {
    const { streams, deps } = world(helpers, { cohorts$: NEVER });
    helpers.expectObservable(startupEnd(of(true), NEVER, streams, deps)).toBe('15s (e|)', { e: 0 });
  });
});

describe('startup', () => {
  const startedWith = (record: object) => ({ type: 'started', startup: expect.objectContaining(record) as unknown });

  marble('has each of its fields from its stream', ({ expectObservable, hot, cold }) => {
    const transition = { id: '7', entry: true, time: 0 };
    const events = [
      trackedOf('Pageview'),
      trackedOf('SegmentEntry'),
      trackedOf('SegmentExit', { edgeOnly: true }),
      trackedOf('ThirdPartySegments'),
      trackedOf('PageviewEngagement', { edgeOnly: true }),
      trackedOf('LinkClick', { beacon: true }),
    ];
    const { streams, deps } = world(
      { cold, hot },
      {
        latest$: history(...events),
        transitionsSinceInit$: history(transition),
        initialised$: history({ migrated: true }),
        lookup: () => of({ geo: { country: 'GB' } }),
      },
    );
    const context = { ...streams.context(), geoip: { country: 'GB' } };
    const output$ = hot<ServiceOutput>('td', {
      t: { type: 'draft', draft: { name: 'ThirdPartySegments' } },
      d: { type: 'data', patch: { thirdParty: { acme: ['1'] } } },
    });
    const project = {
      ...deps.project,
      lookups: ['geo'] as const,
      platformCohorts: { appnexus_adserver: [10_000_001] },
      cohortCodes: { '10000001': 'bfin' },
    };
    const named = (...names: string[]) => names.map((id) => expect.objectContaining({ id }) as unknown);
    // Transitions wait 500 ms for others before they are published.
    expectObservable(startup(hot('--e'), output$, { ...streams, context: () => context }, { ...deps, project })).toBe(
      '502ms (r|)',
      {
        r: startedWith({
          activations: { dfp: ['7', 'abc'], appnexus_adserver: ['bfin'] },
          cohorts: [7, 10_000_001, 'abc-c'],
          context,
          eventsToPublish: named('SegmentEntry', 'ThirdPartySegments'),
          eventsToPublishOnPageUnload: named('SegmentExit', 'PageviewEngagement', 'LinkClick'),
          externalData: { geo: { country: 'GB' }, thirdParty: { acme: ['1'] } },
          geoIP: { country: 'GB' },
          realtime: true,
          stateMigratedThisInitialisation: true,
          transitionsSinceInit: [transition],
          secureSignal: null,
        }),
      },
    );
  });

  marble('has defaults for what has not come', ({ expectObservable, hot, cold }) => {
    const { streams, deps } = world({ cold, hot }, { cohorts$: new BehaviorSubject(stored) });
    expectObservable(startup(of(0), NEVER, streams, deps)).toBe('500ms (r|)', {
      r: startedWith({
        activations: {},
        cohorts: [7],
        eventsToPublish: [],
        eventsToPublishOnPageUnload: [],
        externalData: {},
        geoIP: null,
        realtime: false,
        stateMigratedThisInitialisation: false,
        transitionsSinceInit: [],
        secureSignal: null,
      }),
    });
  });

  marble('waits for the secure signal where the page has started it', ({ expectObservable, hot, cold }) => {
    const { streams, deps } = world({ cold, hot });
    const wanting = { ...deps, project: { ...deps.project, startsSecureSignal: true } };
    const output$ = hot<ServiceOutput>('600ms s', { s: { type: 'secureSignal', signal: 'sealed' } });
    expectObservable(startup(of(0), output$, streams, wanting)).toBe('600ms (r|)', {
      r: startedWith({ secureSignal: 'sealed' }),
    });
    // A signal that does not come, because the visitor has not answered about sharing.
    expectObservable(startup(of(0), NEVER, streams, wanting)).toBe('5500ms (r|)', {
      r: startedWith({ secureSignal: null }),
    });
  });
});
