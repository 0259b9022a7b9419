import { type Observable, of } from 'rxjs';

import { thirdPartyData } from '../../src/cohorts/thirdPartyData';
import type { Identity, IdentityState } from '../../src/model/identity';
import type { ServiceOutput } from '../../src/model/serviceOutput';
import { noon, visitorId } from '../../test/support/events';
import { marble, type MarbleHelpers, marbles } from '../support/marbles';
import { serviceWorld } from '../support/serviceWorld';

const day = 86_400_000;
const chunkKey = 'permutive-data-tpd';
const project = { tpdProviders: ['acme', 'northlight'] };
const matching = 'audience-matching';
const legacy = '/v2.0/tpd?';

const known = (tag: string, expiry = noon + 8 * day): Identity => ({ tag, id: `${tag}-id`, priority: 0, expiry });
const identities = (ready: boolean, ...list: readonly Identity[]): IdentityState => ({
  ready,
  byTag: new Map(list.map((identity) => [identity.tag, identity])),
});
const states = { w: identities(false, known('crm')), r: identities(true, known('crm')) };
const answer = (...items: readonly (readonly [provider: string, ...segments: string[]])[]) => ({
  items: items.map(([provider, ...segments]) => ({ provider, segments })),
});
const data = (thirdParty: object) => ({ type: 'data', patch: { thirdParty } });
const segmentsEvent = (provider: string, ...segments: string[]) => ({
  type: 'draft',
  draft: { name: 'ThirdPartySegments', properties: { data_provider: provider, segments }, edgeOnly: false },
});
const changed = { type: 'draft', draft: { name: 'UpdateThirdPartyData', properties: {}, edgeOnly: true } };

/** A visitor whose identities are known, who shares their data. */
const worldOf = (helpers: MarbleHelpers, answers: Readonly<Record<string, unknown>>, diagram = 'r') => {
  const world = serviceWorld(helpers, { standing: true, project, answers });
  const paths = (): readonly string[] => world.asked.map(({ url }) => new URL(url).pathname);
  const reports = (): readonly (readonly string[])[] =>
    world.deps.report.mock.calls.map(([message, cause]) => [
      message,
      ...(cause instanceof Error ? [cause.message] : []),
    ]);
  const kept = (): Readonly<Record<string, unknown>> =>
    JSON.parse(world.deps.local.read(chunkKey) ?? '{}') as Readonly<Record<string, unknown>>;
  return {
    ...world,
    paths,
    reports,
    kept,
    streams: { ...world.streams, sharing$: of(true), identities$: helpers.state(diagram, states) },
    /** The next page of the same browser, so much later. */
    later: (ms: number) => ({ ...world.deps, now: () => noon + ms }),
  };
};

/** All that a page gives, where it does not matter when. */
const outputsOf = ({ flush }: MarbleHelpers, output$: Observable<ServiceOutput>): readonly ServiceOutput[] => {
  const outputs: ServiceOutput[] = [];
  const page = output$.subscribe((output) => outputs.push(output));
  flush();
  page.unsubscribe();
  return outputs;
};

describe('thirdPartyData', () => {
  marble('asks once identities are ready, for segments of the listed providers', (helpers) => {
    const { streams, deps, asked, kept } = worldOf(
      helpers,
      { [matching]: answer(['acme', '1', '2'], ['stranger', '3'], ['northlight'], ['acme', '2', '4']) },
      'w-r',
    );
    helpers.expectObservable(thirdPartyData(streams, deps)).toBe('12ms (dsc)', {
      d: data({ acme: ['1', '2', '4'] }),
      s: segmentsEvent('acme', '1', '2', '4'),
      c: changed,
    });
    helpers.flush();
    expect(asked.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      `POST /audience-matching/v1/id/${visitorId}`,
    ]);
    expect(asked[0]?.body).toBe('{"identities":[{"tag":"crm","id":"crm-id"}]}');
    expect(kept()['answer']).toMatchObject({ segments: { acme: ['1', '2', '4'] }, time: noon, freshUntil: noon + day });
  });

  marble('never asks with excluded, unstorable or expired identities', (helpers) => {
    const excluded = ['amp', 'gigya', 'pxid', 'sailthru', 'email', 'Email-MD5', 'public', 'ip_address'];
    const all = identities(true, ...excluded.map((tag) => known(tag)), known('old', noon), known('b'), known('a'));
    const { streams, deps, asked } = worldOf(helpers, { [matching]: answer() });
    helpers.expectObservable(thirdPartyData({ ...streams, identities$: of(all) }, deps)).toBe('10ms d', {
      d: data({}),
    });
    helpers.flush();
    expect(asked[0]?.body).toBe('{"identities":[{"tag":"a","id":"a-id"},{"tag":"b","id":"b-id"}]}');
  });

  marble('uses an answer for a day, then asks again and tells of it only where it differs', (helpers) => {
    const { streams, deps, asked, later } = worldOf(helpers, { [matching]: answer(['acme', '1']) });
    helpers.expectObservable(thirdPartyData(streams, deps)).toBe('10ms (dsc)', {
      d: data({ acme: ['1'] }),
      s: segmentsEvent('acme', '1'),
      c: changed,
    });
    helpers.flush();
    expect(outputsOf(helpers, thirdPartyData(streams, later(day - 1)))).toEqual([data({ acme: ['1'] })]);
    expect(asked).toHaveLength(1);
    expect(outputsOf(helpers, thirdPartyData(streams, later(day)))).toEqual([
      data({ acme: ['1'] }),
      segmentsEvent('acme', '1'),
    ]);
    expect(asked).toHaveLength(2);
  });

  marble('asks again for other identities, and gives up the answer for those before', (helpers) => {
    const { streams, deps, asked } = worldOf(helpers, { [matching]: answer(['acme', '1']) });
    const identities$ = helpers.hot('r--n-n', { ...states, n: identities(true, known('crm'), known('new')) });
    helpers.expectObservable(thirdPartyData({ ...streams, identities$ }, deps)).toBe('13ms (dsc)', {
      d: data({ acme: ['1'] }),
      s: segmentsEvent('acme', '1'),
      c: changed,
    });
    helpers.flush();
    expect(asked).toHaveLength(2);
  });

  marble('falls back to the legacy endpoint, until audience matching may be asked again', (helpers) => {
    const { streams, deps, paths, reports, later } = worldOf(helpers, { [legacy]: answer(['acme', '1']) });
    helpers.expectObservable(thirdPartyData(streams, deps)).toBe('20ms (dsc)', {
      d: data({ acme: ['1'] }),
      s: segmentsEvent('acme', '1'),
      c: changed,
    });
    helpers.flush();
    expect(paths()).toEqual([`/audience-matching/v1/id/${visitorId}`, '/v2.0/tpd']);
    expect(reports()).toEqual([['Error fetching TPD', 'Failed ajax request. Status code was 500.']]);
    expect(outputsOf(helpers, thirdPartyData(streams, later(599_999)))).toEqual([data({ acme: ['1'] })]);
    expect(paths()).toHaveLength(2);
    expect(outputsOf(helpers, thirdPartyData(streams, later(600_000)))).toEqual([
      data({ acme: ['1'] }),
      segmentsEvent('acme', '1'),
    ]);
    expect(paths()).toHaveLength(4);
  });

  marble('is empty with a warning where both fail, and asks neither again for 600,000 ms, on any page', (helpers) => {
    const { streams, deps, paths, reports, later } = worldOf(helpers, {});
    helpers.expectObservable(thirdPartyData(streams, deps)).toBe('20ms d', { d: data({}) });
    helpers.flush();
    const failure = 'Failed ajax request. Status code was 500.';
    expect(reports()).toEqual([
      ['Error fetching TPD', failure],
      ['Third-party data is empty', failure],
    ]);
    deps.report.mockClear();
    expect(outputsOf(helpers, thirdPartyData(streams, later(599_999)))).toEqual([data({})]);
    expect(paths()).toHaveLength(2);
    expect(reports()).toEqual([
      ['Blocked by persistent backoff'],
      ['Third-party data is empty', 'Paused after a failed request'],
    ]);
    expect(outputsOf(helpers, thirdPartyData(streams, later(600_000)))).toEqual([data({})]);
    expect(paths()).toHaveLength(4);
  });

  const week = 7 * day;
  it.each([
    ['uses the last good answer for a week where both fail', week - 1, { acme: ['1'] }, 'that of an earlier page'],
    ['has no answer older than a week', week, {}, 'empty'],
    ['has no answer of the future', -1, {}, 'empty'],
  ] as const)(
    '%s',
    marbles((helpers, _, ms, expected, words) => {
      const { streams, deps, reports } = worldOf(helpers, {});
      const first = serviceWorld(helpers, { standing: true, project, answers: { [matching]: answer(['acme', '1']) } });
      expect(outputsOf(helpers, thirdPartyData(streams, first.deps))).toHaveLength(3);
      const next = { ...deps, local: first.deps.local, now: () => noon + ms };
      expect(outputsOf(helpers, thirdPartyData(streams, next))).toEqual([data(expected)]);
      expect(reports().map(([message]) => message)).toEqual(['Error fetching TPD', `Third-party data is ${words}`]);
    }),
  );

  marble('bounds what it takes of an answer', (helpers) => {
    const many = Array.from({ length: 600 }, (_, i) => `${i}`);
    const items = answer(['acme', 'x'.repeat(65), '', 'y'.repeat(64), ...many]);
    const { streams, deps, kept } = worldOf(helpers, { [matching]: items });
    thirdPartyData(streams, deps).subscribe();
    helpers.flush();
    const { segments } = kept()['answer'] as { segments: { acme: string[] } };
    expect(segments.acme).toEqual(['y'.repeat(64), ...many.slice(0, 499)]);
  });

  marble('asks nothing and keeps nothing while the visitor does not share data, and holds no query', (helpers) => {
    const { streams, deps, asked } = worldOf(helpers, { [matching]: answer(['acme', '1']) });
    const sharing$ = helpers.hot('n-y 19ms n', { n: false, y: true });
    helpers.expectObservable(thirdPartyData({ ...streams, sharing$ }, deps)).toBe('e 11ms (dsc) 5ms e', {
      e: data({}),
      d: data({ acme: ['1'] }),
      s: segmentsEvent('acme', '1'),
      c: changed,
    });
    helpers.flush();
    expect(asked).toHaveLength(1);
    expect(deps.local.read(chunkKey)).toBeNull();
  });

  marble('asks nothing for a project that lists no provider', (helpers) => {
    const { streams, asked, deps } = worldOf(helpers, {});
    const output$ = thirdPartyData(streams, { ...deps, project: { ...deps.project, tpdProviders: [] } });
    helpers.expectObservable(output$).toBe('e', { e: data({}) });
    helpers.flush();
    expect(asked).toEqual([]);
  });

  marble('gives the engine of another user the data of that user', (helpers) => {
    const { streams, deps, asked } = worldOf(helpers, { [matching]: answer(['acme', '1']) });
    let user_id = visitorId;
    helpers.schedule('20ms a', { a: () => (user_id = 'other') });
    const adopted$ = helpers.hot('20ms a');
    const context = () => ({ ...streams.context(), user_id });
    helpers.expectObservable(thirdPartyData({ ...streams, context, adopted$ }, deps)).toBe('10ms (dsc) 15ms (ds)', {
      d: data({ acme: ['1'] }),
      s: segmentsEvent('acme', '1'),
      c: changed,
    });
    helpers.flush();
    expect(asked.map(({ url }) => new URL(url).pathname.split('/').at(-1))).toEqual([visitorId, 'other']);
  });

  it.each([
    ['is no JSON', '{'],
    ['is no object', '7'],
    ['has broken entries', '{"answer":{"asked":"x"},"reported":"y"}'],
  ] as const)(
    'starts over where what is kept %s',
    marbles((helpers, _, text) => {
      const { streams, deps } = worldOf(helpers, { [matching]: answer(['acme', '1']) });
      deps.local.write(chunkKey, text);
      expect(outputsOf(helpers, thirdPartyData(streams, deps))).toHaveLength(3);
      expect(deps.report.mock.calls.every(([message]) => message === 'Error fetching data from store')).toBe(true);
    }),
  );
});
