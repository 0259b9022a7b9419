import { isTransition } from '../model/cohort';
import type { EngineEvent } from './engineEvent';
import type { EngineParts, PageEngine, RuntimeInput } from './engineInterface';
import type { Context } from './evaluate/context';
import { LifeCycle } from './evaluate/lifeCycle';
import { lookupNames } from './evaluate/lookups';
import { Machine } from './evaluate/machine';
import { compareIds, type Query } from './evaluate/query';
import type { Report } from './evaluate/report';
import type { PublishedDefinition, ReadDefinition } from './language/canonicalLanguage';
import { isRecord } from './language/codecs';
import type { Id, LookupName } from './language/language';
import type { QueriesChunk } from './state/chunk';
import { Storage } from './state/storage';
import { Sync } from './state/sync';
import { Tabs } from './state/tabs';

/**
 * Makes the engine of a page. Nothing is evaluated before `bootstrap`. Without `read`, the definitions are trusted to
 * be what the build makes of them: checked and canonical, with their checksums.
 */
export const createEngine = (input: RuntimeInput, read: ReadDefinition = readTrusted): PageEngine => {
  if (!isRecord(input)) throw new Error('Invalid runtime input specified.');
  return new CohortEngine(input, read);
};

const readTrusted: ReadDefinition = (input) => {
  if (!isRecord(input) || input['canonical'] !== true || typeof input['checksum'] !== 'string')
    throw new Error('it is not canonical with its checksum.');
  return input as unknown as PublishedDefinition;
};

// They may come before the data that they tell of.
const thirdPartyEvents: ReadonlySet<string> = new Set(['ThirdPartySegments', 'UpdateThirdPartyData']);

class CohortEngine implements PageEngine {
  readonly parts: EngineParts;
  private readonly machine: Machine;
  private readonly storage: Storage;
  private readonly sync: Sync;
  private readonly tabs: Tabs;
  private readonly life: LifeCycle;
  private readonly postponed: EngineEvent[] = [];

  readonly stateMigratedThisInitialisation: boolean;

  constructor(
    private readonly input: RuntimeInput,
    read: ReadDefinition,
  ) {
    const { bundle, now, context, lookups, pending, state, event_source_id: source } = input;
    const machine = new Machine({ seed: bundle.seed, now, context, lookups, pending });
    const storage = new Storage(state, source, machine);
    const sync = new Sync(machine, source);
    const tabs = new Tabs(machine, source, storage.rev);
    const life = new LifeCycle({ machine, storage, sync, tabs, read });
    this.parts = { machine, storage, sync, life };
    this.life = life;
    this.machine = machine;
    this.storage = storage;
    this.sync = sync;
    this.tabs = tabs;
    this.stateMigratedThisInitialisation = storage.migrated;
  }

  bootstrapSteps = (): Generator<void, Report> =>
    this.life.bootstrap(this.input.bundle.queries, this.input.bundle.lift !== undefined);
  replaySteps = (events: readonly EngineEvent[], only?: ReadonlySet<Id>): Generator<void, Report> =>
    this.life.replay(events, only);
  process = (events: readonly EngineEvent[], now: number): Report =>
    this.machine.turn((turn) => {
      for (const event of events) {
        if (isTransition(event.name)) continue;
        if (thirdPartyEvents.has(event.name) && this.machine.lookups.isPending('thirdParty')) {
          this.postponed.push(event);
          continue;
        }
        this.machine.feed(event, turn);
        this.machine.settle(turn);
      }
    }, now);

  tick = (now: number): Report => this.machine.turn(() => undefined, now);

  updateData = (patch: Partial<Record<LookupName, unknown>>): Report =>
    this.machine.turn((turn) => {
      const { machine } = this;
      const names = new Set(lookupNames.filter((name) => patch[name] !== undefined));
      for (const name of names) machine.lookups.provide(name, patch[name]);
      machine.refreshData(names);
      for (const query of machine.usersOf(names)) turn.dirty.add(query);
      machine.settle(turn);
      if (!machine.lookups.isPending('thirdParty'))
        for (const event of this.postponed.splice(0)) machine.feed(event, turn);
    });

  updateContext = (context: Context): Report =>
    this.machine.turn((turn) => {
      if (this.machine.present.enter(context)) for (const query of this.machine.catalogue.scoped) turn.dirty.add(query);
    });

  snapshot = (): QueriesChunk => {
    const chunk = this.storage.write(this.sync.write(), this.life.unbuilt);
    this.tabs.onWrite(chunk.rev);
    return chunk;
  };

  mergeStored = (chunk: unknown): Report =>
    this.machine.turn((turn) => {
      const merged = this.tabs.merge(chunk, turn);
      if (merged === null) return;
      this.sync.receiveStored(merged, turn);
      this.storage.onMerge(merged);
    });

  members = (): Id[] => this.inForce().map(({ id }) => id);

  activations = (): Record<string, Id[]> => {
    const idsByPlatform = new Map<string, Id[]>();
    for (const { id, activations } of this.inForce())
      for (const platform of activations) idsByPlatform.set(platform, [...(idsByPlatform.get(platform) ?? []), id]);
    return Object.fromEntries(idsByPlatform);
  };

  unknownIds = (): Id[] => [...this.storage.kept.keys()].sort(compareIds);
  lastSeenOffset = (): number => this.storage.lastSeenOffset;

  private inForce(): readonly Query[] {
    return [...this.machine.catalogue.queries.values()]
      .filter(({ result }) => result)
      .sort((a, b) => compareIds(a.id, b.id));
  }
}
