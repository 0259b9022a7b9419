import { cellOrder, stepsOf } from '../cells/cellOrder';
import type { EngineEvent } from '../engineEvent';
import { coverOf } from '../index/cover';
import { KeySources } from '../index/keySources';
import type { PublishedDefinition } from '../language/canonicalLanguage';
import type { Id } from '../language/language';

/** The definition that a key of an event wakes. One key is enough, whatever else its condition asks for. */
interface WakingLeaf {
  readonly definition: PublishedDefinition;
  readonly min: 1;
  readonly max: typeof Infinity;
}

/**
 * Definitions that are not compiled before they are concerned. Most visitors meet a small part of a project's cohorts,
 * and a compiled query costs several times as much time and memory as its definition. The build marks those that may
 * wait here (`withResting`).
 */
export class Dormant {
  private readonly definitions = new Map<Id, PublishedDefinition>();
  /** By name of the event, the keys that wake definitions. */
  private readonly byName = new Map<string, KeySources<WakingLeaf>>();
  private found: PublishedDefinition[] = [];
  private stamp = 0;

  constructor(private readonly seed: number) {}

  get size(): number {
    return this.definitions.size;
  }

  has(id: Id): boolean {
    return this.definitions.has(id);
  }

  values(): Iterable<PublishedDefinition> {
    return this.definitions.values();
  }

  /** Enters a definition. Throws what is wrong with the definition. */
  add(definition: PublishedDefinition): void {
    const { id, q, sub = [] } = definition;
    const leaf: WakingLeaf = { definition, min: 1, max: Infinity };
    for (const node of cellOrder({ q, sub }).keys())
      for (const { event, where } of stepsOf(node))
        for (const question of (where && coverOf(where)) ?? [])
          for (const name of event) this.sourcesOf(name).add(question, leaf);
    this.definitions.set(id, definition);
  }

  /** Frees the room that lists keep to grow. */
  settle(): void {
    for (const sources of this.byName.values()) sources.settle();
  }

  /** Takes out the definitions of which an event may meet a condition. */
  takeFor(event: EngineEvent): readonly PublishedDefinition[] {
    this.found = [];
    this.byName.get(event.name)?.run({ root: event.properties, event }, (this.stamp += 1));
    return this.found;
  }

  /** Takes out a definition; undefined where there is none of that id. */
  take(id: Id): PublishedDefinition | undefined {
    const definition = this.definitions.get(id);
    this.definitions.delete(id);
    return definition;
  }

  private sourcesOf(name: string): KeySources<WakingLeaf> {
    const sources = this.byName.get(name) ?? new KeySources<WakingLeaf>(this.seed, this.onHit);
    this.byName.set(name, sources);
    return sources;
  }

  /** The keys of a definition stay when it is taken out, so they may be met again. */
  private readonly onHit = ({ definition }: WakingLeaf): void => {
    if (this.definitions.delete(definition.id)) this.found.push(definition);
  };
}
