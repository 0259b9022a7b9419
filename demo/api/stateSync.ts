import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';

import { decode } from '../../src/codecs/decode';
import { stateSync } from '../../src/endpoints/stateSync';
import { json } from '../../src/hardening/plainJson';
import { boundedMap, keptLimits, type Limits } from './boundedMap';
import { type Ring, ring } from './ring';
import { Refused, type Route, served } from './served';

const QueryState = t.tuple([t.string, t.UnknownArray], 'QueryState');
const ToldState = t.partial({ v: t.literal(2), q: t.record(t.string, QueryState) }, 'ToldState');

/** Unites two components of one source: `cells` in their wire form. */
export type JoinCells = (
  queryId: string,
  checksum: string,
  a: readonly unknown[],
  b: readonly unknown[],
) => readonly unknown[];

interface Entry {
  readonly offset: number;
  readonly source: string;
  readonly id: string;
  readonly checksum: string;
  /** As JSON, which takes less room than what it says. */
  readonly cells: string;
}

/** Room that an entry takes besides its cells, about, in bytes. */
const entryBytes = 300;
/** Room of one group. What was told longest ago goes. */
const groupLimits: Limits = { items: Infinity, bytes: 8 * 1024 * 1024 };

export interface StateSync {
  readonly routes: readonly Route[];
  readonly clear: () => void;
}

/** Per group a log of what each source has told; a reader gets what others have told since its offset, joined. */
export const stateSyncService = (join: JoinCells): StateSync => {
  const groups = boundedMap<string, Ring<Entry>>(keptLimits);

  const route = served(stateSync, ({ body: { group_id, event_source_id, state, last_seen_offset }, query }) => {
    const told = toldIn(state);
    const entries = groups.get(group_id) ?? ring<Entry>(groupLimits);
    const offset = (entries.all().at(-1)?.offset ?? 0) + 1;
    for (const one of told) entries.add({ ...one, offset, source: event_source_id }, one.cells.length + entryBytes);
    groups.set(group_id, entries, group_id.length + entries.bytes());
    // Who only tells has not seen what others told: the offset stays.
    if (query.get('fetch_unseen') !== 'true') return { state: '{}', state_offset: last_seen_offset };

    const log = entries.all();
    const end = log.at(-1)?.offset ?? 0;
    // An offset beyond the end is from before the log was emptied.
    const seen = last_seen_offset > end ? 0 : last_seen_offset;
    const unseen = log.filter((entry) => entry.offset > seen && entry.source !== event_source_id);
    return { state: stateOf(unseen, join), state_offset: end };
  });

  return { routes: [route], clear: groups.clear };
};

const toldIn = (state: string): readonly Pick<Entry, 'id' | 'checksum' | 'cells'>[] => {
  const told = decode(ToldState)(json.parse(state));
  if (isLeft(told))
    throw new Refused(
      400,
      `state: ${told.left.message}`,
      told.left.faults.map(({ path, expected }) => ({ path: `state/${path}`, expected })),
    );
  return Object.entries(told.right.q ?? {}).map(([id, [checksum, cells]]) => ({
    ...{ id, checksum },
    cells: JSON.stringify(cells),
  }));
};

const stateOf = (entries: readonly Entry[], join: JoinCells): string => {
  const sources = new Map<string, Map<string, readonly [string, readonly unknown[]]>>();
  for (const { source, id, checksum, ...entry } of entries) {
    const cells = JSON.parse(entry.cells) as readonly unknown[];
    const queries = sources.get(source) ?? new Map<string, readonly [string, readonly unknown[]]>();
    const known = queries.get(id);
    // Another checksum is another meaning: the newest one counts.
    queries.set(id, [checksum, known?.[0] === checksum ? join(id, checksum, known[1], cells) : cells]);
    sources.set(source, queries);
  }
  if (sources.size === 0) return '{}';
  return JSON.stringify({
    v: 2,
    s: Object.fromEntries([...sources].map(([source, queries]) => [source, Object.fromEntries(queries)])),
  });
};
