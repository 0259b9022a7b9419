import { isRecord } from '../codecs/codecs';
import { isTransition } from '../model/cohort';
import type { EngineEvent } from './engineEvent';
import type { EngineParts, IsWanted, PageEngine, Pending } from './engineInterface';
import type { Context } from './evaluate/context';
import { LifeCycle } from './evaluate/lifeCycle';
import { dataOf } from './evaluate/lookups';
import { Machine } from './evaluate/machine';
import { compareIds, type Query } from './evaluate/query';
import type { EngineReport } from './evaluate/report';
import type { PublishedDefinition, ReadDefinition } from './language/canonicalLanguage';
import type { Id, LookupName } from './language/language';
import type { RuntimeInput } from './runtimeInput';
import type { QueriesChunk } from './state/chunk';
import { rebase } from './state/rebase';
import { Storage } from './state/storage';
import { Sync } from './state/sync';

/**
 * Makes the engine of a page. Nothing is evaluated before `bootstrapSteps` has run. By default, the definitions are
 * trusted to be what the build makes of them: checked and canonical, with their checksums. Throws when the input is not
 * an object (spec S§5).
 */
export const createEngine = (input: RuntimeInput, read: ReadDefinition = readTrusted): PageEngine => {
  if (!isRecord(input)) throw new Error('Invalid runtime input specified.');
  return new CohortEngine(input, read);
};

/**
 * Takes a definition that the build has prepared, after a look at its two marks. An engine that reads only such
 * definitions does not need the codecs of the language.
 */
export const readTrusted: ReadDefinition = (input) => {
  if (!isRecord(input) || input['canonical'] !== true || typeof input['checksum'] !== 'string')
    throw new Error('it is not canonical with its checksum.');
  return input as unknown as PublishedDefinition;
};

/**
 * Connects the parts of an engine. Each method that answers a report is one turn of the machine: it does its work, then
 * settles all queries that the work or the time has touched. The methods are arrow functions, so that they can be
 * copied into a larger engine (`exchanging`).
 */
class CohortEngine implements PageEngine {
  readonly parts: EngineParts;
  private readonly machine: Machine;
  private readonly storage: Storage;
  private readonly sync: Sync;
  private readonly life: LifeCycle;
  /** Events that wait for the third-party data, in the order in which they came. */
  private readonly postponed: (readonly [EngineEvent, IsWanted | undefined])[] = [];

  readonly stateMigratedThisInitialisation: boolean;

  constructor(
    private readonly input: RuntimeInput,
    read: ReadDefinition,
  ) {
    const { bundle, state, event_source_id: source } = input;
    const { seed, resting } = bundle;
    const machine = (this.machine = new Machine({ ...input, seed, resting }));
    const storage = (this.storage = new Storage(state, source, machine, bundle));
    const sync = (this.sync = new Sync(machine, source));
    const life = (this.life = new LifeCycle({ machine, storage, sync, read }));
    this.parts = { machine, storage, sync, life };
    this.stateMigratedThisInitialisation = storage.migrated;
  }

  bootstrapSteps = (): Generator<void, EngineReport> =>
    // With cloud lift, states of unknown queries are kept, because their definitions can be downloaded.
    this.life.bootstrap(this.input.bundle.queries, this.input.bundle.lift !== undefined);
  replaySteps = (events: readonly EngineEvent[], only?: ReadonlySet<Id>): Generator<void, EngineReport> =>
    this.life.replay(events, only);
  process = (events: readonly EngineEvent[], now: number, isWanted?: IsWanted): EngineReport =>
    this.machine.turn((turn) => {
      for (const event of events) {
        // The page tracks its transitions as events. The engine has counted them already, when it made them.
        if (isTransition(event.name)) continue;
        if (this.machine.lookups.postpones(event.name)) {
          this.postponed.push([event, isWanted]);
          continue;
        }
        // Each event is settled before the next one is fed, so that its transitions come first.
        this.life.feed(event, turn, isWanted);
        this.machine.settle(turn);
      }
    }, now);

  tick = (now: number): EngineReport => this.machine.turn(() => undefined, now);

  updateData = (patch: Partial<Record<LookupName, unknown>>): EngineReport =>
    this.machine.turn((turn) => {
      const { machine } = this;
      const data = dataOf(patch);
      const names = new Set(data.map(([name]) => name));
      for (const [name, value] of data) machine.lookups.provide(name, value);
      // The stored state names the data.
      if (names.has('thirdParty')) turn.stateChanged();
      machine.refreshData(names);
      // All queries that read the data, even if it is the same as before: their cells may have changed while they were
      // held.
      for (const query of machine.usersOf(names)) turn.dirty.add(query);
      // The cohorts that follow from the data come before the events that waited for it.
      machine.settle(turn);
      if (!machine.lookups.isPending('thirdParty'))
        for (const [event, isWanted] of this.postponed.splice(0)) this.life.feed(event, turn, isWanted);
    });

  updateContext = (context: Context): EngineReport =>
    this.machine.turn((turn) => {
      // Cells that counted in a session or a view that is over have the value 0 from here on.
      if (this.machine.present.enter(context)) for (const query of this.machine.catalogue.scoped) turn.dirty.add(query);
    });

  snapshot = (): QueriesChunk => this.storage.write(this.sync.write(), this.life.unbuilt, this.life.isComplete());

  rebase = (chunk: unknown, pending: Pending, now: number): EngineReport => rebase(this.parts, chunk, pending, now);

  members = (): Id[] => this.inForce().map(({ id }) => id);

  activations = (): Record<string, Id[]> => {
    const idsByPlatform = new Map<string, Id[]>();
    for (const { id, activations } of this.inForce())
      for (const platform of activations) idsByPlatform.set(platform, [...(idsByPlatform.get(platform) ?? []), id]);
    return Object.fromEntries(idsByPlatform);
  };

  unknownIds = (): Id[] => [...this.storage.kept.keys()].sort(compareIds);
  lastSeenOffset = (): number => this.storage.lastSeenOffset;

  /** The queries whose cohort the visitor is in, numeric ids first and by value. */
  private inForce(): readonly Query[] {
    return [...this.machine.catalogue.queries.values()]
      .filter(({ result }) => result)
      .sort((a, b) => compareIds(a.id, b.id));
  }
}
