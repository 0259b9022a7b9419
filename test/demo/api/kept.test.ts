import { ampCohortsOfVisitors } from '../../../demo/api/amp';
import { boundedMap } from '../../../demo/api/boundedMap';
import { ampCohorts } from '../../../src/endpoints/ampCohorts';
import { identify } from '../../../src/endpoints/identify';
import { stateSync } from '../../../src/endpoints/stateSync';
import { client } from './support/client';

const large = 'x'.repeat(900_000);
/** More than a store of 64 MB takes. */
const requests = 75;

describe('a bounded map', () => {
  it('loses what was written longest ago, and counts an entry once that is written again', () => {
    const map = boundedMap<string, number>({ items: 100, bytes: 10 });
    map.set('a', 1, 4);
    map.set('b', 2, 4);
    map.set('a', 3, 4);
    expect(map.values()).toEqual([2, 3]);
    map.set('c', 4, 4);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4]);
    map.clear();
    map.set('d', 5, 10);
    expect(map.values()).toEqual([5]);
  });
});

describe('what requests leave in the reference API', () => {
  it('is 64 MB of cohorts for AMP', () => {
    const { of: cohortsOf } = keptAmp(requests);
    expect(cohortsOf('0')).toEqual([]);
    expect(cohortsOf(String(requests - 1))).toEqual([large]);
  });

  it('is 64 MB of identities', async () => {
    const api = client();
    const ask = (user_id: string, id: string) =>
      api.call(identify, { body: { user_id, aliases: [{ tag: 'default', id, priority: 0 }] } });
    for (let i = 0; i < requests; i += 1) await ask(`user-${i}`, `${large}${i}`);
    await expect(ask('another', `${large}${requests - 1}`)).resolves.toEqual({ user_id: `user-${requests - 1}` });
    await expect(ask('another', `${large}0`)).resolves.toEqual({ user_id: 'another' });
  });

  it('is 8 MB of states of a group, the newest, and 64 MB of all', async () => {
    const api = client();
    const sync = (group_id: string, event_source_id: string, state: string) =>
      api.call(stateSync, {
        query: [['fetch_unseen', 'true']],
        body: { group_id, event_source_id, state, last_seen_offset: 0 },
      });
    const tell = (group: string, source: string) =>
      sync(group, source, JSON.stringify({ v: 2, q: { '1': ['c', [large]] } }));
    const sourcesOf = async (group: string): Promise<readonly string[]> => {
      const { state } = await sync(group, 'reader', '{}');
      return Object.keys((JSON.parse(state) as { s?: Record<string, unknown> }).s ?? {});
    };
    for (let i = 0; i < 12; i += 1) await tell('large', `s${i}`);
    expect(await sourcesOf('large')).toEqual(Array.from({ length: 9 }, (_, i) => `s${i + 3}`));
    for (let i = 0; i < requests; i += 1) await tell(`group-${i}`, 's');
    expect(await sourcesOf('large')).toEqual([]);
    expect(await sourcesOf(`group-${requests - 1}`)).toEqual(['s']);
  });
});

/** The store after so many visitors have posted a large list. */
const keptAmp = (visitors: number) => {
  const amp = ampCohortsOfVisitors();
  const { respond } = amp.routes.find(({ endpoint }) => endpoint.path === ampCohorts.path)!;
  for (let i = 0; i < visitors; i += 1)
    void respond(
      {
        bytes: large.length,
        params: {},
        query: new URLSearchParams({ i: String(i) }),
        headers: new Headers(),
        address: '127.0.0.1',
        answerHeaders: new Headers(),
      },
      JSON.stringify({ cohorts: [large] }),
    );
  return amp;
};
