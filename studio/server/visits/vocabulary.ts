import { isRecord } from '../../../src/codecs/codecs';
import type { SeenEvent, SeenProperty, Vocabulary } from '../../protocol';
import { eventAt, type EventTable } from './eventTable';

/** Events of a name that are looked at, and values of a property that are counted, at most. */
const maxLooked = 2000;
const maxCounted = 2000;
const maxValues = 20;
const maxDepth = 6;
/** Texts that are longer are no values that somebody would choose. */
const maxLength = 100;

interface Seen {
  readonly types: Set<SeenProperty['types'][number]>;
  readonly values: Map<string | number | boolean, number>;
  count: number;
}

/**
 * The events of a table by name, the most frequent first, with the properties that they have. Of each name 2000 events
 * are looked at, evenly over the table, and the counts of properties are those of the sample, scaled to all.
 */
export const vocabularyOf = (table: EventTable): Vocabulary => {
  const byName = table.names.map((): number[] => []);
  for (let i = 0; i < table.name.length; i++) byName[table.name[i]!]!.push(i);
  const events = byName.map((list, i): SeenEvent => {
    const step = Math.max(1, list.length / maxLooked);
    const looked = Array.from({ length: Math.min(list.length, maxLooked) }, (_, n) => list[Math.floor(n * step)]!);
    const seen = new Map<string, Seen>();
    for (const event of looked) lookAt(eventAt(table, event).properties, '', 0, seen, new Set());
    const scale = list.length / Math.max(1, looked.length);
    return { name: table.names[i]!, count: list.length, properties: propertiesOf(seen, scale) };
  });
  return { events: events.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)) };
};

const propertiesOf = (seen: ReadonlyMap<string, Seen>, scale: number): readonly SeenProperty[] =>
  [...seen]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { types, values, count }]) => ({
      path,
      types: [...types].sort(),
      count: Math.round(count * scale),
      values: [...values]
        .sort(([, a], [, b]) => b - a)
        .slice(0, maxValues)
        .map(([value]) => value),
    }));

/** Notes a value under its path. `counted`: the paths that the event has already, so that a list counts once. */
const lookAt = (value: unknown, path: string, depth: number, seen: Map<string, Seen>, counted: Set<string>): void => {
  if (value === null || value === undefined || depth > maxDepth) return;
  if (path !== '') note(value, path, seen, counted);
  if (Array.isArray(value)) for (const item of value.slice(0, 50)) lookAt(item, path, depth + 1, seen, counted);
  else if (isRecord(value))
    for (const [key, item] of Object.entries(value))
      lookAt(item, path === '' ? key : `${path}.${key}`, depth + 1, seen, counted);
};

const note = (value: unknown, path: string, seen: Map<string, Seen>, counted: Set<string>): void => {
  const known: Seen = seen.get(path) ?? { types: new Set(), values: new Map(), count: 0 };
  seen.set(path, known);
  if (!counted.has(path)) known.count++;
  counted.add(path);
  known.types.add(Array.isArray(value) ? 'list' : (typeof value as 'string' | 'number' | 'boolean' | 'object'));
  if (typeof value === 'object' || (typeof value === 'string' && value.length > maxLength)) return;
  const scalar = value as string | number | boolean;
  if (known.values.size < maxCounted || known.values.has(scalar))
    known.values.set(scalar, (known.values.get(scalar) ?? 0) + 1);
};
