import * as fc from 'fast-check';

import { bytesOf, type CachedEvent } from '../../src/engineHost/cachedEvent';
import { eventsCache } from '../../src/engineHost/eventsCache';
import { json } from '../../src/hardening/plainJson';
import { dayMs } from '../../src/primitives/duration';
import { contents, done, newDatabase, storeOf, tamper } from '../support/database';
import { eventOf, noon } from '../support/events';
import { asyncLawOf } from '../support/laws';
import { reportMock } from '../support/reports';

// The cache over the encrypted store, against what a list of events would do.

const world = ({
  limitBytes = 0,
  ttlDays = null,
}: { readonly limitBytes?: number; readonly ttlDays?: number | null } = {}) => {
  newDatabase();
  let now = noon;
  let count = 0;
  const report = reportMock();
  const page = () => {
    const cache = eventsCache({ store: storeOf(), json, now: () => now, report, limitBytes, ttlDays, page: 'page' });
    return {
      load: async () => (await done(cache.load()))!,
      track: async (size: number) => {
        const event: CachedEvent = {
          ...eventOf(`${(count += 1)}`, {
            time: new Date((now += 1)).toISOString(),
            properties: { text: 'x'.repeat(size) },
          }),
          cohorts: [],
        };
        cache.add(event);
        expect(await done(cache.save())).toBeUndefined();
        return event;
      },
      reset: () => done(cache.reset()),
    };
  };
  return { page, report, now: () => now, pass: (ms: number) => void (now += ms) };
};
const idsOf = (events: readonly CachedEvent[]): readonly string[] => events.map(({ id }) => id);

type Step = readonly ['track', number] | readonly ['pass', number] | readonly ['open' | 'reset', null];
const track = fc.tuple(fc.constant('track' as const), fc.integer({ min: 0, max: 9000 }));
const open = fc.constant(['open', null] as const);
const steps = fc.array(
  fc.oneof<fc.WeightedArbitrary<Step>[]>(
    { weight: 8, arbitrary: track },
    { weight: 3, arbitrary: open },
    { weight: 2, arbitrary: fc.tuple(fc.constant('pass' as const), fc.integer({ min: 1, max: 2 * dayMs })) },
    { weight: 1, arbitrary: fc.constant(['reset', null] as const) },
  ),
  { maxLength: 40 },
);

describe('the events cache', () => {
  it(
    'has on the next page what a list would have, by age and reset',
    asyncLawOf(100)(steps, fc.constantFrom(null, 1, 3), async (walk, ttlDays) => {
      const { page, report, pass, now } = world({ ttlDays });
      let model: readonly CachedEvent[] = [];
      let current = page();
      await current.load();
      for (const [step, value] of walk) {
        if (step === 'track') {
          model = [...model, await current.track(value)];
        } else if (step === 'pass') pass(value);
        else if (step === 'open') {
          current = page();
          if (ttlDays !== null) model = model.filter(({ time }) => now() - Date.parse(time) < ttlDays * dayMs);
          expect(idsOf(await current.load())).toEqual(idsOf(model));
        } else {
          await current.reset();
          model = [];
        }
      }
      expect(report).not.toHaveBeenCalled();
    }),
  );

  it(
    'stays within its limit, and has the newest',
    asyncLawOf(100)(
      fc.array(
        fc.oneof<fc.WeightedArbitrary<Step>[]>({ weight: 5, arbitrary: track }, { weight: 1, arbitrary: open }),
        { maxLength: 40 },
      ),
      fc.integer({ min: 20_000, max: 80_000 }),
      async (walk, limitBytes) => {
        const { page, report } = world({ limitBytes });
        const tracked: CachedEvent[] = [];
        let current = page();
        await current.load();
        for (const [step, value] of walk) {
          if (step === 'track') tracked.push(await current.track(value));
          else {
            current = page();
            await current.load();
          }
        }
        const kept = await page().load();
        expect(idsOf(kept)).toEqual(idsOf(tracked.slice(tracked.length - kept.length)));
        expect(bytesOf(json.stringify(kept))).toBeLessThanOrEqual(limitBytes);
        if (tracked.length > 0) expect(kept.length).toBeGreaterThan(0);
        expect(report).not.toHaveBeenCalled();
      },
    ),
  );

  it('loses nothing, and has nothing twice, where tabs come, go and track at the same time', async () => {
    const visits = fc.array(fc.array(fc.integer({ min: 0, max: 9000 }), { maxLength: 6 }), {
      minLength: 1,
      maxLength: 4,
    });
    await asyncLawOf(100)(fc.array(visits, { minLength: 2, maxLength: 3 }), async (tabs) => {
      const { page, report } = world();
      const tracked: string[] = [];
      await Promise.all(
        tabs.map(async (pages) => {
          for (const sizes of pages) {
            const current = page();
            await current.load();
            for (const size of sizes) tracked.push((await current.track(size)).id);
          }
        }),
      );
      expect([...idsOf(await page().load())].sort()).toEqual([...tracked].sort());
      expect([...idsOf(await page().load())].sort()).toEqual([...tracked].sort());
      expect(report).not.toHaveBeenCalled();
    })();
  });

  it('goes on where another tab prunes what this one knows', async () => {
    const { page, report } = world({ limitBytes: 60_000 });
    const [one, other] = [page(), page()];
    await Promise.all([one.load(), other.load()]);
    for (let i = 0; i < 30; i += 1) await Promise.all([one.track(3000), other.track(3000)]);
    const kept = await page().load();
    expect(idsOf(kept).slice(-2).sort()).toEqual(['59', '60']);
    expect(bytesOf(json.stringify(kept))).toBeLessThanOrEqual(60_000);
    expect(report).not.toHaveBeenCalled();
  });

  it('rewrites nothing that may stay: records of previous pages become chunks, once', async () => {
    const { page } = world();
    const blobs = async (): Promise<Map<string, number>> =>
      new Map(
        Object.entries((await contents())['events_w'] ?? {}).map(([key, blob]) => [
          key,
          (blob as ArrayBuffer).byteLength,
        ]),
      );
    for (let i = 0; i < 6; i += 1) {
      const current = page();
      await current.load();
      for (let e = 0; e < 20; e += 1) await current.track(1000);
    }
    const before = await blobs();
    await page().load();
    const after = await blobs();
    // 20 records of a kB have become a chunk or two; of those before, at most the last was rewritten.
    const chunks = [...before.keys()].filter((key) => key.startsWith('permutive-events-cache'));
    expect(chunks.length).toBeGreaterThan(5);
    expect(chunks.filter((key) => !after.has(key)).length).toBeLessThanOrEqual(1);
    expect(after.size).toBeLessThanOrEqual(chunks.length + 2);
    expect(Math.max(...after.values())).toBeLessThanOrEqual(16_100);
    // Nothing to do the next time.
    await page().load();
    expect([...(await blobs()).keys()]).toEqual([...after.keys()]);
  });

  it('loses a record with a changed byte, and no other, and says so once', async () => {
    const { page, report } = world();
    const first = page();
    await first.load();
    for (let i = 0; i < 60; i += 1) await first.track(1000);
    expect(await page().load()).toHaveLength(60);
    let broken = 0;
    await tamper('events_w', (_, value) => {
      const blob = new Uint8Array(value as ArrayBuffer);
      if ((broken += 1) === 2) blob[5000]! ^= 1;
      return blob.buffer;
    });
    expect(broken).toBeGreaterThan(3);
    const left = await page().load();
    expect(left.length).toBeGreaterThan(40);
    expect(left.length).toBeLessThan(60);
    expect(report.mock.calls.map(([message]) => message)).toEqual(['Error fetching data from store']);
    expect(await page().load()).toHaveLength(left.length);
    expect(report).toHaveBeenCalledTimes(1);
  });

  it('starts over when the key is lost, and says so once', async () => {
    const { page, report } = world();
    const first = page();
    await first.load();
    for (let i = 0; i < 30; i += 1) await first.track(2000);
    await tamper('keys_w', () => undefined);
    const next = page();
    expect(await next.load()).toEqual([]);
    expect(report.mock.calls.map(([message]) => message)).toEqual(['Error fetching data from store']);
    const { id } = await next.track(1);
    expect(idsOf(await page().load())).toEqual([id]);
    expect(report).toHaveBeenCalledTimes(1);
  });
});
