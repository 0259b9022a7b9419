import nock from 'nock';
import { NEVER, of } from 'rxjs';

import { serviceWorld } from '../../marbles/support/serviceWorld';
import { thirdPartyData } from '../../src/cohorts/thirdPartyData';
import { thirdPartyUsage } from '../../src/cohorts/thirdPartyUsage';
import type { ServiceOutput } from '../../src/model/serviceOutput';
import { callDeps } from '../endpoints/support/callDeps';
import { noon, visitorId } from '../support/events';
import { linesOf } from '../support/reports';
import { withoutNetwork } from './support/serverAnswers';

const api = 'https://api.permutive.com';
const matching = `/audience-matching/v1/id/${visitorId}?k=key`;
const [legacy, usage] = ['/v2.0/tpd?k=key', '/v2.0/tpd/usage?k=key'];
const acme = { items: [{ provider: 'acme', segments: ['1'] }] };

/** A visitor who shares their data, whose identities are known, and one of whose segments made a cohort true. */
const visit = () => {
  const world = serviceWorld({ cold: () => NEVER } as never, { standing: true, answers: {} });
  const deps = {
    ...world.deps,
    ...callDeps({ requestTimeout: 700 }),
    project: { ...world.deps.project, tpdProviders: ['acme'] },
    yieldThread: () => of(undefined),
  };
  const streams = {
    ...world.streams,
    usage$: of([{ provider: 'acme', id: '1' }]),
    identities$: of({ ready: true, byTag: new Map<string, never>() }),
    sharing$: of(true),
  };
  return { streams, deps, report: deps.report };
};

/** What queries are given first, and what was reported by then. */
const given = async (): Promise<readonly [data: ServiceOutput, lines: readonly string[]]> => {
  const { streams, deps, report } = visit();
  const data = await new Promise<ServiceOutput>((resolve) => {
    thirdPartyData(streams, deps).subscribe(resolve);
  });
  return [data, linesOf(report)];
};
const dataOf = (thirdParty: object) => ({ type: 'data', patch: { thirdParty } });

withoutNetwork();

describe('audience matching', () => {
  it('is asked with the identities, and answers segments', async () => {
    const server = nock(api).post(matching, '{"identities":[]}').reply(200, acme);
    await expect(given()).resolves.toEqual([dataOf({ acme: ['1'] }), []]);
    expect(server.isDone()).toBe(true);
  });

  it.each([
    ['no JSON', () => nock(api).post(matching).reply(200, '{')],
    ['an empty body', () => nock(api).post(matching).reply(200, '')],
    ['no list', () => nock(api).post(matching).reply(200, { items: {} })],
    [
      'an item without provider',
      () =>
        nock(api)
          .post(matching)
          .reply(200, { items: [{ segments: ['1'] }] }),
    ],
    [
      'segments that are no texts',
      () =>
        nock(api)
          .post(matching)
          .reply(200, { items: [{ provider: 'acme', segments: [1] }] }),
    ],
    ['a refusal', () => nock(api).post(matching).reply(403)],
    ['an error', () => nock(api).post(matching).reply(503)],
    ['a broken connection', () => nock(api).post(matching).replyWithError('broken')],
    ['a silence', () => nock(api).post(matching).delay(3000).reply(200, acme)],
  ])('gives way to the legacy endpoint for %s', async (_, fails) => {
    fails();
    const server = nock(api).post(legacy, { user_id: visitorId }).reply(200, acme);
    const [data, lines] = await given();
    expect([data, server.isDone()]).toEqual([dataOf({ acme: ['1'] }), true]);
    expect(lines).toEqual([expect.stringMatching(/^Error fetching TPD: /)]);
  });

  it.each([
    ['no JSON', () => nock(api).post(legacy).reply(200, '<html>')],
    [
      'another shape',
      () =>
        nock(api)
          .post(legacy)
          .reply(200, { items: [[]] }),
    ],
    ['an error', () => nock(api).post(legacy).reply(500)],
    ['nothing', () => nock(api).post(legacy).delay(3000).reply(200, acme)],
  ])('is empty with a warning where the legacy endpoint answers %s', async (_, fails) => {
    nock(api).post(matching).reply(500);
    fails();
    const [data, lines] = await given();
    expect(data).toEqual(dataOf({}));
    expect(lines).toEqual([
      expect.stringMatching(/^Error fetching TPD: /),
      expect.stringMatching(/^Third-party data is empty: /),
    ]);
  });
});

describe('usage', () => {
  it('is posted with user and time, whatever the answer says', async () => {
    const server = nock(api)
      .post(usage, { user_id: visitorId, time: new Date(noon).toISOString(), tpd_segments: { acme: ['1'] } })
      .reply(200, 'anything');
    const { streams, deps, report } = visit();
    await new Promise<void>((complete) => {
      thirdPartyUsage(streams, deps).subscribe({ complete });
    });
    expect([server.isDone(), linesOf(report)]).toEqual([true, []]);
  });

  it.each([
    ['a refusal', () => nock(api).post(usage).reply(403)],
    ['an error', () => nock(api).post(usage).reply(500)],
    ['a broken connection', () => nock(api).post(usage).replyWithError('broken')],
    ['a silence', () => nock(api).post(usage).delay(3000).reply(200)],
  ])('is not kept as reported after %s, and not posted again at once', async (_, fails) => {
    fails();
    const { streams, deps, report } = visit();
    const reportUsage = (): Promise<void> =>
      new Promise((complete) => {
        thirdPartyUsage(streams, deps).subscribe({ complete });
      });
    await reportUsage();
    await reportUsage();
    expect(linesOf(report)).toEqual([expect.stringMatching(/^Failed to report TPD usage: /), 'Blocked by backoff: ']);
  });
});
