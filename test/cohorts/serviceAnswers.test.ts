import nock from 'nock';
import { concat, filter, interval, map, NEVER, of, takeUntil, tap, toArray } from 'rxjs';

import { advertiserCohorts } from '../../src/cohorts/advertiserCohorts';
import { affinityCohorts } from '../../src/cohorts/affinityCohorts';
import { ampMembership } from '../../src/cohorts/ampMembership';
import { classificationCohorts } from '../../src/cohorts/classificationCohorts';
import type { CohortService, ServiceDeps, ServiceStreams } from '../../src/cohorts/service';
import { noExperiment } from '../../src/contracts/experiment';
import { ampCohorts } from '../../src/endpoints/ampCohorts';
import { call } from '../../src/endpoints/call';
import { segmentSync } from '../../src/endpoints/segmentSync';
import { memoryStorage } from '../../src/fakePlatform/memoryStorage';
import { StatusError } from '../../src/model/errors';
import { readNote } from '../../src/model/notes';
import { callDeps, valueOf } from '../endpoints/support/callDeps';
import { addressesOf, eventOf, noon, visitorId } from '../support/events';
import { projectOf } from '../support/project';
import { linesOf, reportMock } from '../support/reports';
import {
  type Answer,
  type Failure,
  failures,
  malformed,
  replyTo,
  settingsFor,
  withoutNetwork,
} from './support/serverAnswers';

const api = 'https://api.permutive.com';
const cdn = 'https://cdn.permutive.com';
const pageUrl = 'https://www.site.example/a';
const client = {
  type: 'web',
  user_agent: 'agent',
  url: pageUrl,
  domain: 'site.example',
  title: 'Title',
  referrer: '',
} as const;
const place = { geo_info: { country: 'Malta' }, isp_info: { isp: 'An Isp' }, ip_hash: 'hash', ip_address: '192.0.2.7' };
const pageview$ = concat(of(eventOf('Pageview', { properties: { section: 'metals', client, ...place } })), NEVER);
const streams: ServiceStreams = {
  event$: NEVER,
  viewed$: pageview$,
  latest$: NEVER,
  transitionsSinceInit$: NEVER,
  initialised$: NEVER,
  pageview$,
  cohorts$: concat(of({ members: ['7', '10000001'], activations: {}, isRealtime: true }), NEVER),
  usage$: NEVER,
  models$: NEVER,
  ends$: NEVER,
  contextual$: NEVER,
  identities$: NEVER,
  tcf$: NEVER,
  sharing$: concat(of(true), NEVER),
  adopted$: NEVER,
  isNew: false,
  lookup: () => NEVER,
  fill: () => NEVER,
  isAdopted: () => false,
  pageExit$: NEVER,
  stop$: NEVER,
  addressOf: addressesOf(),
  context: () => ({
    user_id: visitorId,
    session_id: 'session',
    view_id: 'view',
    client: { ...client, path: '/', view_id: 'view' },
  }),
};

/** Runs a service until it has given so many outputs, or has reported a failure. */
const outcomeOf = async (service: CohortService, outputs: number, answer: Answer) => {
  const report = reportMock();
  const deps: ServiceDeps = {
    ...callDeps(settingsFor(answer)),
    project: { ...projectOf(), tpdProviders: [], standardAudiences: {}, amp: true },
    experiment: noExperiment,
    local: memoryStorage(),
    calls: { addon: () => NEVER },
    page: { url: () => pageUrl, global: () => undefined },
    now: () => noon,
    random: () => 0,
    appears: () => NEVER,
    yieldThread: () => of(null),
    endOfTask: () => of(null),
    report,
  };
  let given = 0;
  const isOver = (): boolean => given >= outputs || report.mock.calls.length > 0;
  const all = await valueOf(
    service(streams, deps).pipe(
      tap(() => (given += 1)),
      map((output) => (output.type === 'produced' ? [output.producer, ...output.cohorts].join(' ') : '')),
      takeUntil(interval(5).pipe(filter(isOver))),
      toArray(),
    ),
  );
  return { given: all, reported: linesOf(report), deps };
};

withoutNetwork();

describe('affinity', () => {
  const ask = (answer: Answer) => {
    replyTo(nock(api).get('/standard-audiences/v1/affinity').query({ url: pageUrl, k: 'key' }), answer);
    return outcomeOf(affinityCohorts, 1, answer);
  };

  it('gives the cohorts of the answer', async () => {
    await expect(ask([200, { affinity_values: { 10000001: 0.9, 10000002: 0.1 }, more: 1 }])).resolves.toMatchObject({
      given: ['affinity 10000001'],
      reported: [],
    });
  });

  it.each([...failures, ...malformed({}, { affinity_values: null }, { affinity_values: { 10000001: '1' } })])(
    'gives no cohort, and reports it, where the answer %s',
    async (_, answer, words) => {
      const { given, reported } = await ask(answer);
      expect(given).toEqual(['affinity']);
      expect(reported).toEqual([expect.stringMatching(/^Failed to fetch affinity cohorts: /)]);
      expect(reported[0]).toMatch(words);
    },
  );
});

describe('classification models', () => {
  const body = { user_id: visitorId, url: pageUrl, page_properties: { section: 'metals' }, cohorts: ['7', '10000001'] };
  const ask = (answer: Answer) => {
    replyTo(nock(api).post('/clm/v1/segment?k=key', JSON.stringify(body)), answer);
    return outcomeOf(classificationCohorts, 1, answer);
  };

  it('give the cohorts of the answer', async () => {
    await expect(ask([200, { cohorts: ['a', 'b'] }])).resolves.toMatchObject({
      given: ['classificationModels a b'],
      reported: [],
    });
  });

  it.each([...failures, ...malformed({}, { cohorts: 'a' }, { cohorts: [7] }, { cohorts: { a: 1 } })])(
    'say nothing of any cohort, and report it, where the answer %s',
    async (_, answer, words) => {
      const { given, reported } = await ask(answer);
      expect(given).toEqual([]);
      expect(reported).toEqual([expect.stringMatching(/^Failed to fetch classification model cohorts: /)]);
      expect(reported[0]).toMatch(words);
    },
  );
});

describe('advertiser segmentation', () => {
  const groups = { types: ['budget', 'clean_room'], counts: [1, 2] };
  const c = {
    cohorts: [
      { code: 'left', groups: [0] },
      { code: 'room', groups: [1] },
    ],
    groups,
  };
  const body = { user_id: visitorId, ctx: null, custom_cohorts: [7], standard_cohorts: [10000001] };
  const ask = (answer: Answer) => {
    replyTo(nock(api).post('/adv/v4/segment?k=key', JSON.stringify(body)), answer);
    return outcomeOf(advertiserCohorts(of(null)), 4, answer);
  };

  it('gives the cohorts of the answer, and keeps it for the user', async () => {
    const { given, reported, deps } = await ask([200, { c, ctx: { asked: 1 } }]);
    expect(given).toEqual(['advertiser', 'cleanRoom', 'advertiser left', 'cleanRoom room']);
    expect(reported).toEqual([]);
    expect(readNote('advertiser', deps)).toEqual([visitorId, { c, ctx: { asked: 1 } }]);
  });

  it.each([
    ...failures,
    ...malformed(
      { ctx: 1 },
      { c: null },
      { c: { cohorts: [] } },
      { c: { cohorts: {}, groups } },
      { c: { cohorts: [{ code: 7, groups: [] }], groups } },
      { c: { cohorts: [{ code: 'a', groups: [0.5] }], groups } },
      { c: { cohorts: [{ code: 'a', groups: '0' }], groups } },
      { c: { cohorts: [], groups: { types: [1], counts: [1] } } },
    ),
    [
      'has more counts than types',
      [200, { c: { cohorts: [], groups: { types: [], counts: [1] } } }],
      /Non matching counts/,
    ],
    [
      'names a group that is not there',
      [200, { c: { cohorts: [{ code: 'a', groups: [2] }], groups } }],
      /Non matching group types/,
    ],
  ] as readonly Failure[])(
    'gives nothing more, reports it, and begins the pause, where the answer %s',
    async (_, answer, words) => {
      const { given, reported, deps } = await ask(answer);
      expect(given).toEqual(['advertiser', 'cleanRoom']);
      expect(reported).toEqual([
        expect.stringMatching(/^(Failed to fetch advertiser cohorts|Failed to decode data from response): /),
      ]);
      expect(reported[0]).toMatch(words);
      expect(readNote('advertiser', deps)).toBeNull();
      expect(readNote('requestPauses', deps)).toEqual({ advertiser: noon + 600_000 });
    },
  );
});

describe('the list of AMP cohorts', () => {
  const ask = (answer: Answer) => {
    replyTo(nock(cdn).get(`/queries/${projectOf().workspaceId}-amp.json?k=key`), answer);
    return outcomeOf(ampMembership, 1, answer);
  };

  it.each(failures.filter(([words]) => !words.includes('404') && !words.includes('429')))(
    'is asked for again after a pause where the answer %s',
    async (_, answer, words) => {
      const { reported, deps } = await ask(answer);
      expect(reported).toEqual([expect.stringMatching(/^Failed to fetch AMP query: /)]);
      expect(reported[0]).toMatch(words);
      expect(readNote('requestPauses', deps)).toEqual({ amp: noon + 600_000 });
      expect(readNote('ampQuery', deps)).toBeNull();
    },
  );

  it('is empty where the CDN has none', async () => {
    const { deps } = await ask([404, '']);
    expect(readNote('ampQuery', deps)).toEqual({ time: noon, cohorts: [] });
  });
});

describe('what servers are told', () => {
  const told = (answer: Answer) => {
    const deps = callDeps(settingsFor(answer));
    replyTo(nock('https://sync.permutive.com').post('/sync/key?k=key', 'segments=7%2Cbfin'), answer);
    replyTo(nock(api).post('/alpha/amp/cohorts?i=user&k=key', '{"cohorts":["7"]}'), answer);
    return Promise.allSettled([
      valueOf(call(segmentSync, { params: { key: 'key' }, body: { segments: ['7', 'bfin'] } }, deps)),
      valueOf(call(ampCohorts, { query: [['i', 'user']], body: { cohorts: ['7'] } }, deps)),
    ]);
  };

  it('is sent whatever they answer', async () => {
    expect((await told([200, '<html>'])).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });

  it.each([400, 403, 500])('fails at a status of %d', async (status) => {
    const reason = expect.any(StatusError) as unknown;
    expect(await told([status, '<html>'])).toMatchObject([{ reason }, { reason }]);
  });

  it('fails in time where no answer comes', async () => {
    const reason = expect.objectContaining({ message: 'Network request timed out' }) as unknown;
    expect(await told('hangs')).toMatchObject([{ reason }, { reason }]);
  });
});
