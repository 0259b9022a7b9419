import { BehaviorSubject, defer, EMPTY, filter, firstValueFrom, map, type Observable, of } from 'rxjs';

import { readTrusted } from '../../src/engine/cohortEngine';
import { askPage } from '../../src/engineHost/ask';
import { engineHost } from '../../src/engineHost/engineHost';
import { partsAtHand } from '../../src/engineHost/partsAtHand';
import {
  readSimulation,
  simulatedWorld,
  type SimulatedWorldDeps,
  simulationText,
  writeSimulation,
} from '../../src/inspector/simulation';
import type { Consent } from '../../src/model/consent';
import type { EngineMessage } from '../../src/model/engineCommands';
import { storeKeys } from '../../src/model/storageKeys';
import { eventOf, noon, visitorId } from '../support/events';
import { hostDepsOf, startOf } from '../support/hostDeps';
import { worldOf } from '../support/world';

const first = (source$: Observable<unknown>): Promise<unknown> => firstValueFrom(source$, { defaultValue: undefined });

const { bundle } = hostDepsOf([
  { id: '1', q: { event: 'Pageview', within: { days: 28 } } },
  { id: '2', q: { event: 'Pageview' } },
]);
/** The store of a visitor who has seen a page at noon. */
const stored = { [`${storeKeys.previousPages}/1`]: JSON.stringify([{ ...eventOf('seen'), cohorts: [] }]) };
const copied: SimulatedWorldDeps = {
  erase: () => EMPTY,
  loadEngine: () => Promise.resolve({ askPage, bundle, engineHost, partsAtHand, read: readTrusted }),
  stored: (userId) => of(userId === visitorId ? stored : {}),
};

/** The cohorts that an engine finds when it starts. */
const membersAtStart = async (simulation: Parameters<typeof simulatedWorld>[1], userId = visitorId) => {
  const world = simulatedWorld(worldOf(), simulation, copied);
  const { message$, send } = world.openEngine();
  send(startOf({ userId, lookups: [] }));
  return firstValueFrom(
    (message$ as Observable<EngineMessage>).pipe(
      filter((message) => message.type === 'initialised'),
      map(({ membership }) => [...membership.members].sort()),
    ),
    { defaultValue: undefined },
  );
};

describe('A simulation', () => {
  it('is kept for the tab, and gone when it pretends nothing', () => {
    const real = worldOf();
    writeSimulation({ in: ['5'], offline: true, days: 30 }, real);
    expect(readSimulation(real)).toEqual({ in: ['5'], offline: true, days: 30 });
    writeSimulation({}, real);
    expect(real.session.keys()).toEqual([]);
    expect(readSimulation(real)).toEqual({});
  });

  it.each(['{', '[]', '{"in":5}', 'null', '{"days":-1}', '{"days":0.5}', '{"days":3651}'])(
    'counts as none where the tab has %s',
    (text) => {
      const real = worldOf();
      real.session.write('__permutiveSimulation', text);
      expect(readSimulation(real)).toEqual({});
    },
  );

  it('says in words what the tab pretends', () => {
    expect(simulationText({})).toBeUndefined();
    expect(simulationText({ in: ['5', '6'], out: ['7'], consent: false, offline: true, days: 1 })).toBe(
      'Simulated in this tab: in 5, 6; not in 7; consent refused; offline; clock + 1 day',
    );
    expect(simulationText({ consent: true, days: 2 })).toBe('Simulated in this tab: consent given; clock + 2 days');
  });

  it('leaves the world as it is where it pretends nothing', () => {
    const real = worldOf();
    expect(simulatedWorld(real, {}, copied)).toBe(real);
  });

  it('changes the cohorts that the engine tells', async () => {
    expect(await membersAtStart({ in: ['7', '1'], out: ['2'] })).toEqual(['1', '7']);
  });

  it('evaluates at the pretended time what is stored of the visitor', async () => {
    expect(await membersAtStart({ days: 27 })).toEqual(['1', '2']);
    expect(await membersAtStart({ days: 29 })).toEqual(['2']);
    expect(await membersAtStart({ days: 29 }, 'another visitor')).toEqual([]);
    expect(simulatedWorld(worldOf(), { days: 2 }, copied).now()).toBe(noon + 2 * 24 * 3_600_000);
  });

  it('opens no worker', () => {
    const real = worldOf();
    const { message$, send } = simulatedWorld(real, { days: 1 }, copied).openEngine();
    const heard = message$.subscribe();
    send(startOf());
    heard.unsubscribe();
    expect(real.engines).toEqual([]);
  });

  it('reports an engine that does not load', async () => {
    const real = worldOf();
    const gone = { ...copied, loadEngine: () => Promise.reject(new Error('gone')), stored: () => EMPTY };
    const { message$, send } = simulatedWorld(real, { days: 1 }, gone).openEngine();
    const heard = message$.subscribe();
    send(startOf());
    await new Promise((resolve) => setImmediate(resolve));
    heard.unsubscribe();
    expect(real.report.mock.calls).toEqual([
      ['No engine could be loaded, the cohorts stay as they are', new Error('gone')],
    ]);
  });

  it('keeps what the SDK writes in memory', () => {
    const real = worldOf({ local: { kept: 'before' }, session: { tab: 'before' } });
    const { local, session } = simulatedWorld(real, { in: ['7'] }, copied);
    local.write('kept', 'after');
    local.write('new', 'text');
    expect([local.read('kept'), real.local.read('kept')]).toEqual(['after', 'before']);
    expect(real.local.read('new')).toBeNull();
    local.remove('kept');
    expect(local.keys()).toEqual(['new']);
    expect(real.local.keys()).toEqual(['kept']);
    session.remove('tab');
    expect([session.read('tab'), real.session.read('tab')]).toEqual([null, 'before']);
  });

  it('leaves cookies, the encrypted store and other servers’ pixels alone', async () => {
    const real = worldOf({ cookies: { 'permutive-id': visitorId } });
    const { cookies, eraseStore, loadPixel } = simulatedWorld(real, { consent: false }, copied);
    expect(cookies.read('permutive-id')).toBe(visitorId);
    cookies.write('permutive-id=a%20b; expires=Thu, 01 Jan 2026 00:00:00 GMT');
    expect(cookies.read('permutive-id')).toBe('a b');
    cookies.write('permutive-id=; expires=Thu, 01 Jan 1970 00:00:00 GMT');
    expect(cookies.read('permutive-id')).toBeUndefined();
    expect(real.jar.get('permutive-id')).toBe(visitorId);
    expect(await first(eraseStore())).toBeUndefined();
    expect(real.erasures()).toBe(0);
    void loadPixel('https://partner.example/');
    expect(real.pixels).toEqual([]);
  });

  it.each([
    ['POST', 'v2.0/batch/events?k=1', false],
    ['POST', 'v2.0/identify?k=1', false],
    ['POST', 'v1.0/state?fetch_unseen=true', false],
    ['POST', 'sync/key', false],
    ['POST', 'adv/v4/segment', false],
    ['POST', 'clm/v1/segment', false],
    ['POST', 'audience-matching/v1/id/visitor', false],
    ['POST', 'v2.0/tpd', false],
    ['POST', 'cloud-lift/v1/lift?qid=1', false],
    ['POST', 'v1/signal', false],
    ['POST', 'v2.0/internal/metrics', false],
    ['POST', 'sdk-errors/v2/errors', false],
    ['GET', 'anything/else', false],
    ['GET', 'ctx/v1/state?url=a', true],
    ['POST', 'ctx/v1/segment', true],
    ['POST', 'v2.0/watson', true],
    ['GET', 'standard-audiences/v1/affinity?url=a', true],
    ['GET', 'cloud-lift/v1/queries?qid=1', true],
    ['GET', 'queries/b1cb1816-7d85-457c-9f32-2a1422d00e17-amp.json', true],
    ['GET', 'models/v2/b1cb1816-7d85-457c-9f32-2a1422d00e17-models.bin', true],
    ['GET', 'models/b1cb1816-7d85-457c-9f32-2a1422d00e17-models.json', true],
    ['GET', 'v2.0/geoip', true],
  ] as const)('%s %s is sent: %s', async (method, path, isSent) => {
    const real = worldOf({ send: () => of({ status: 200, body: '{}' }) });
    const request = { method, url: `https://api.example/${path}`, responseType: 'json' } as const;
    const answer = first(simulatedWorld(real, { days: 1 }, copied).http.send(request));
    if (isSent) expect(await answer).toMatchObject({ status: 200 });
    else await expect(answer).rejects.toThrow('Network request failed');
    expect(real.requests).toHaveLength(isSent ? 1 : 0);
  });

  it('sends nothing at all where it is offline', async () => {
    const real = worldOf();
    const { http, page } = simulatedWorld(real, { offline: true }, copied);
    const request = { method: 'GET', url: 'https://api.example/v2.0/geoip', responseType: 'json' } as const;
    await expect(first(http.send(request))).rejects.toThrow('Network request failed');
    expect(http.beacon('', '')).toBe(false);
    expect(page.online()).toBe(false);
    expect(real.requests).toEqual([]);
  });

  it('asks nobody who knows the visitor by cookies', async () => {
    const real = worldOf();
    const request = {
      method: 'GET',
      url: 'https://id.example/geoip',
      responseType: 'text',
      credentials: true,
    } as const;
    await expect(first(simulatedWorld(real, { days: 1 }, copied).http.send(request))).rejects.toThrow();
    expect(real.requests).toEqual([]);
  });

  it.each([[{ consent: true }], [{ days: 1 }]])('erases at once at a real refusal: %j', (simulation) => {
    let erased = 0;
    const answer$ = new BehaviorSubject<Consent>('given');
    const erase = () => defer(() => ((erased += 1), EMPTY));
    const heard: Consent[] = [];
    const real = { ...worldOf(), consent$: answer$ };
    simulatedWorld(real, simulation, { ...copied, erase }).consent$.subscribe((consent) => heard.push(consent));
    expect(erased).toBe(0);
    answer$.next('withdrawn');
    expect(erased).toBe(1);
    expect(heard).toEqual('consent' in simulation ? ['given'] : ['given', 'withdrawn']);
  });

  it('answers for consent', async () => {
    expect(await first(simulatedWorld(worldOf(), { consent: false }, copied).consent$)).toBe('refused');
  });
});
