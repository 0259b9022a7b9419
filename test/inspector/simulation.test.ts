import { firstValueFrom, type Observable, of } from 'rxjs';

import { readSimulation, simulatedWorld, writeSimulation } from '../../src/inspector/simulation';
import { json } from '../../src/model/plainJson';
import type { World } from '../../src/world';
import { fakePlatform } from '../support/fakePlatform';

const changed = { type: 'changed', membership: { members: ['1', '2'], activations: {} } };
const first = (source$: Observable<unknown>): Promise<unknown> => firstValueFrom(source$, { defaultValue: undefined });
const world = (): World => {
  const platform = fakePlatform({});
  return {
    ...platform,
    json,
    consent$: of(true),
    openEngine: () => ({ message$: of(changed, { type: 'saved', eventId: 'x' }), send: () => undefined }),
  } as unknown as World;
};

describe('A simulation', () => {
  it('is kept for the tab, and gone when it pretends nothing', () => {
    const real = world();
    writeSimulation({ in: ['5'], offline: true }, real);
    expect(readSimulation(real)).toEqual({ in: ['5'], offline: true });
    writeSimulation({}, real);
    expect(real.session.keys()).toEqual([]);
    expect(readSimulation(real)).toEqual({});
  });

  it.each(['{', '[]', '{"in":5}', 'null'])('counts as none where the tab has %s', (stored) => {
    const real = world();
    real.session.write('__permutiveSimulation', stored);
    expect(readSimulation(real)).toEqual({});
  });

  it('leaves the world as it is where it pretends nothing', () => {
    const real = world();
    expect(simulatedWorld(real, {})).toBe(real);
  });

  it('changes the cohorts that the engine tells', async () => {
    const { openEngine } = simulatedWorld(world(), { in: ['7', '1'], out: ['2'] });
    expect(await first(openEngine().message$)).toEqual({
      ...changed,
      membership: { ...changed.membership, members: ['1', '7'] },
    });
  });

  it('keeps what the SDK writes in memory', () => {
    const real = world();
    real.local.write('kept', 'before');
    const { local } = simulatedWorld(real, { in: ['7'] });
    local.write('kept', 'after');
    local.write('new', 'text');
    expect([local.read('kept'), real.local.read('kept')]).toEqual(['after', 'before']);
    expect(real.local.read('new')).toBeNull();
    local.remove('kept');
    expect(local.keys()).toEqual(['new']);
    expect(real.local.keys()).toContain('kept');
  });

  it('sends no events, and nothing at all where it is offline', async () => {
    const request = { method: 'POST', url: 'https://api.example/v2.0/batch/events?k=1', responseType: 'json' } as const;
    const other = { ...request, url: 'https://api.example/v2.0/geoip' };
    const real = { ...world(), http: { send: () => of({ status: 200, body: '{}' }), beacon: () => true } };
    const { http } = simulatedWorld(real, { in: ['7'] });
    await expect(first(http.send(request))).rejects.toThrow('Network request failed');
    expect(await first(http.send(other))).toMatchObject({ status: 200 });
    expect(http.beacon('', '')).toBe(false);
    const offline = simulatedWorld(real, { offline: true });
    await expect(first(offline.http.send(other))).rejects.toThrow('Network request failed');
    expect(offline.page.online()).toBe(false);
  });

  it('answers for consent', async () => {
    expect(await first(simulatedWorld(world(), { consent: false }).consent$)).toBe(false);
  });
});
