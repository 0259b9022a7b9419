import type { Metric } from '../model/metric';
import { times } from '../primitives/lists';

/**
 * The maximum number of metrics that are kept until they are taken. Beyond that number, the oldest are dropped (spec
 * C§9).
 */
const maxMetrics = 10_000;
/** Characters of a timing's random key (spec S§9). */
const keyLength = 24;
const keyCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Clock and randomness of the metrics. */
export interface EngineMetrics {
  /** Ms since 1970. */
  readonly now: () => number;
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number;
}

/** What was measured and counted in the engine's host, for the page to send. */
export interface Metrics {
  /** Adds a complete metric with its value. */
  readonly count: (name: string, value: number, labels?: Metric['labels']) => void;
  /** Begins a timing of the named metric, in seconds. Answers its key. */
  readonly start: (name: string, labels?: Metric['labels']) => string;
  /** Ends the timing. A key may be unknown, because old timings are dropped. */
  readonly stop: (key: string) => void;
  /** The number of metrics that the engine's host has completed, those included that were taken or dropped. */
  readonly completed: () => number;
  /** Answers the oldest complete metrics, at most so many, and forgets them. Timings that have no value yet stay. */
  readonly take: (most?: number) => Metric[];
}

/** A metric as an entry of the collection. `value` is undefined while its timing runs. */
interface OpenMetric extends Omit<Metric, 'value'> {
  readonly startedAt: number;
  readonly value: number | undefined;
}

/** Makes an empty collection, which is a map in the order of age. The first key is that of the oldest entry. */
export const engineMetrics = ({ now, random }: EngineMetrics): Metrics => {
  const kept = new Map<string, OpenMetric>();
  let completed = 0;

  /** Stores an entry under a new key, in place of the oldest where the collection is full. */
  const keep = (entry: OpenMetric): string => {
    const key = times(keyLength, () => keyCharacters[Math.floor(random() * keyCharacters.length)]).join('');
    for (const oldest of kept.keys()) {
      if (kept.size < maxMetrics) break;
      kept.delete(oldest);
    }
    kept.set(key, entry);
    return key;
  };

  return {
    count: (name, value, labels = {}) => {
      keep({ name, value, labels, startedAt: 0 });
      completed += 1;
    },
    start: (name, labels = {}) => keep({ name, labels, startedAt: now(), value: undefined }),
    stop: (key) => {
      const timing = kept.get(key);
      if (timing === undefined) return;
      // Where the clock was set back meanwhile, the difference is negative, and counts as 0.
      kept.set(key, { ...timing, value: Math.max(0, now() - timing.startedAt) / 1000 });
      completed += 1;
    },
    completed: () => completed,
    take: (most = Infinity) => {
      const taken: Metric[] = [];
      for (const [key, { name, labels, value }] of kept) {
        if (taken.length === most) break;
        if (value === undefined) continue;
        kept.delete(key);
        taken.push({ name, value, labels });
      }
      return taken;
    },
  };
};
