import { letPass, withClock } from './support/clock';
import { stageForTests } from './support/stage';
import { type StoredSize, storedSizes } from './support/storedSizes';
import { until } from './support/until';

const journal = 'permutive-journal/events';
/** The least that an address may set. The events of seven documents fill it. */
const cacheLimitBytes = 500_000;
const text = 'x'.repeat(5000);

describe('A visit of thirty documents', () => {
  const stage = stageForTests();

  test('stores no more at its end than after twenty', async () => {
    const visitor = await stage.visitor();
    await withClock(visitor.page);
    const visit = async (documents: number): Promise<void> => {
      for (let i = 0; i < documents; i += 1) {
        await visitor.open(`/blank?__permutive.eventsCacheLimitBytes=${cacheLimitBytes}`);
        await visitor.ready();
        await visitor.ask((permutive, filler) => {
          for (let count = 0; count < 8; count += 1) void permutive.track('Many', { count, filler });
        }, text);
      }
    };
    /** What is stored once the server has answered for everything. */
    const settled = async (count: number): Promise<Readonly<Record<string, StoredSize>>> => {
      await stage.untilArrived('Many', count);
      // Else the turned clock ends requests of services that are under way.
      await visitor.ask((permutive) => permutive.startup());
      // Some services note what they have told, and tell what has not changed for 5 s.
      await letPass(visitor.page, 10_000);
      return until(async () => {
        const sizes = await storedSizes(visitor.page);
        return sizes[journal]?.records === 0 ? sizes : undefined;
      }, 'the journal to be empty');
    };

    // More pages than the sixteen whose saved points are kept.
    await visit(20);
    const before = await settled(160);
    await visit(10);
    const after = await settled(240);

    expect(await stage.untilArrived('Many', 240)).toHaveLength(240);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    const isCache = (place: string): boolean => place.startsWith('permutive-store/events');
    /** What a place may hold. The cache's limit counts two bytes for each character, and the store has one. */
    const most = (place: string, { records, bytes }: StoredSize): StoredSize =>
      isCache(place) ? { records: records + 5, bytes: cacheLimitBytes / 2 + 10_000 } : { records, bytes: bytes + 500 };
    const grown = Object.entries(after)
      .map(([place, is]) => ({ place, is, most: most(place, before[place]!) }))
      .filter(({ is, most }) => is.records > most.records || is.bytes > most.bytes);
    expect(grown).toEqual([]);
    // Else the cache has not been full, and nothing was dropped from it.
    const [cache] = Object.entries(before).filter(([place]) => isCache(place));
    expect(cache?.[1].bytes).toBeGreaterThan(0.9 * (cacheLimitBytes / 2));
  });
});
