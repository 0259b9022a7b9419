import type { Bundle, Id } from '../../../src/engine/language/language';
import { dayMs } from '../../../src/primitives/duration';
import type { EventTable } from '../visits/eventTable';
import { distanceTo } from './distance';
import { type Player, playerOf } from './player';

/** What is played for some visitors. */
export type Task =
  /** Members of one cohort, by day. */
  | { readonly type: 'size'; readonly bundle: Bundle; readonly id: Id; readonly visitors: Int32Array }
  /** Members of all cohorts, at the end. */
  | { readonly type: 'all'; readonly bundle: Bundle; readonly visitors: Int32Array }
  /** Of visitors who are not in a cohort, those who are nearest to it. */
  | {
      readonly type: 'near';
      readonly bundle: Bundle;
      readonly id: Id;
      readonly visitors: Int32Array;
      readonly limit: number;
    };

/** Visitors by day, from the day of the table's first event on. */
export interface SizeResult {
  /** By visitor of the task: 1 where the visitor is in the cohort at the end. */
  readonly members: Uint8Array;
  readonly dayMembers: Int32Array;
  readonly dayVisitors: Int32Array;
}
export interface AllResult {
  /** By cohort of the bundle: a list by visitor of the task, 1 where the visitor is in it at the end. */
  readonly members: readonly Uint8Array[];
}
export interface Near {
  readonly visitor: number;
  readonly distance: number;
  readonly missing: string;
}
export type TaskResult = SizeResult | AllResult | { readonly near: readonly Near[] };

/** How many UTC days the events of a table touch. */
export const dayCountOf = ({ from, to }: Pick<EventTable, 'from' | 'to'>): number =>
  Math.floor(to / dayMs) - Math.floor(from / dayMs) + 1;

/** Does tasks one after another. The engine of the last few bundles is kept. */
export class TaskRunner {
  private readonly players = new Map<string, Player>();

  run(table: EventTable, task: Task): TaskResult {
    const player = this.playerFor(task.bundle);
    if (task.type === 'size') return sizeOf(player, table, task);
    if (task.type === 'all') return allOf(player, table, task);
    return { near: nearOf(player, table, task) };
  }

  private playerFor(bundle: Bundle): Player {
    const key = JSON.stringify(bundle);
    const player = this.players.get(key) ?? playerOf(bundle);
    this.players.delete(key);
    this.players.set(key, player);
    for (const [oldest] of this.players) {
      if (this.players.size <= maxPlayers) break;
      this.players.delete(oldest);
    }
    return player;
  }
}

const maxPlayers = 4;

const sizeOf = (player: Player, table: EventTable, { id, visitors }: Task & { readonly type: 'size' }): SizeResult => {
  const first = Math.floor(table.from / dayMs);
  const days = dayCountOf(table);
  const result = {
    members: new Uint8Array(visitors.length),
    dayMembers: new Int32Array(days),
    dayVisitors: new Int32Array(days),
  };
  const onMember = (day: number): void => {
    result.dayMembers[day - first]!++;
  };
  const { order, starts, time } = table;
  for (const [i, visitor] of visitors.entries()) {
    player.play(table, visitor, { id, onMember });
    if (player.isMember(id)) result.members[i] = 1;
    let last = -1;
    for (let at = starts[visitor]!; at < starts[visitor + 1]!; at++) {
      const day = Math.floor(time[order[at]!]! / dayMs) - first;
      if (day !== last) result.dayVisitors[day]!++;
      last = day;
    }
  }
  return result;
};

const allOf = (player: Player, table: EventTable, { bundle, visitors }: Task & { readonly type: 'all' }): AllResult => {
  const members = bundle.queries.map(() => new Uint8Array(visitors.length));
  for (const [i, visitor] of visitors.entries()) {
    player.play(table, visitor);
    for (const [number, { id }] of bundle.queries.entries()) if (player.isMember(id)) members[number]![i] = 1;
  }
  return { members };
};

const nearOf = (
  player: Player,
  table: EventTable,
  { id, visitors, limit }: Task & { readonly type: 'near' },
): readonly Near[] => {
  let nearest: Near[] = [];
  const kept = (): Near[] => nearest.sort((a, b) => a.distance - b.distance || a.visitor - b.visitor).slice(0, limit);
  for (const visitor of visitors) {
    player.play(table, visitor);
    const explanation = player.explain(id);
    // A cohort whose data is not there has no distance.
    if (explanation === null || explanation.result || explanation.failed) continue;
    const { value, missing } = distanceTo(explanation.tree, true);
    if (value === Infinity) continue;
    nearest.push({ visitor, distance: value, missing: missing.join(', and ') });
    if (nearest.length > 4 * limit) nearest = kept();
  }
  return kept();
};
