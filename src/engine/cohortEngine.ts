import type { PublishedDefinition, ReadDefinition } from './canonicalLanguage';
import type { QueriesChunk } from './chunk';
import { isRecord } from './codecs';
import type { Environment } from './compile';
import type { Context } from './context';
import type { EngineEvent } from './engineEvent';
import type { Engine, RuntimeInput } from './engineInterface';
import type { Definition, Id, LookupName } from './language';
import { idOf, LifeCycle } from './lifeCycle';
import { appendStates } from './lift';
import { lookupNames } from './lookups';
import { Machine } from './machine';
import { compareIds, type Query } from './query';
import { isTransition } from './replay';
import type { Report } from './report';
import { Storage } from './storage';
import { type Delta, type DeltaToken, Sync } from './sync';
import { Tabs } from './tabs';
import { type Usage, usageOf } from './usage';

/**
 * Makes the engine of a page. Nothing is evaluated before `bootstrap`. Without `read`, the definitions are trusted to be what
 * the build makes of them: checked and canonical, with their checksums.
 */
export const createEngine = (input: RuntimeInput, read: ReadDefinition = trusted): Engine => {
  if (!isRecord(input)) throw new Error('Invalid runtime input specified.');
  return new CohortEngine(input, read);
};

const trusted: ReadDefinition = (input) => {
  if (!isRecord(input) || input['canonical'] !== true || typeof input['checksum'] !== 'string') throw new Error('it is not canonical with its checksum.');
  return input as unknown as PublishedDefinition;
};

// They may come before the data that they tell of.
const thirdPartyEvents: ReadonlySet<string> = new Set(['ThirdPartySegments', 'UpdateThirdPartyData']);

class CohortEngine implements Engine {
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
    this.life = new LifeCycle({ machine, storage, sync, tabs, read });
    this.machine = machine;
    this.storage = storage;
    this.sync = sync;
    this.tabs = tabs;
    this.stateMigratedThisInitialisation = storage.migrated;
  }

  bootstrapSteps = (): Generator<void, Report> => this.life.bootstrap(this.input.bundle.queries, this.input.bundle.lift !== undefined);
  bootstrap = (): Report => runToEnd(this.bootstrapSteps());
  replaySteps = (events: readonly EngineEvent[], only?: ReadonlySet<Id>): Generator<void, Report> => this.life.replay(events, only);
  replay = (events: readonly EngineEvent[], only?: ReadonlySet<Id>): Report => runToEnd(this.replaySteps(events, only));

  process = (events: readonly EngineEvent[], now: number): Report =>
    this.machine.turn((turn) => {
      for (const event of events) {
        if (isTransition(event)) continue;
        if (thirdPartyEvents.has(event.name) && this.machine.lookups.isPending('thirdParty')) {
          this.postponed.push(event);
          continue;
        }
        this.machine.feed(event, turn);
        this.machine.settle(turn);
      }
    }, now);

  tick = (now: number): Report => this.machine.turn(() => undefined, now);

  updateExternalState = (stateJson: string, offset: number): Report =>
    this.machine.turn((turn) => {
      try {
        this.sync.receive(stateJson, turn);
        if (this.storage.lastSeenOffset !== offset) turn.findings.stateChanged();
        this.storage.lastSeenOffset = offset;
      } catch (error) {
        turn.findings.errors.push(`Failed to parse State API response, got ${error instanceof Error ? error.message : String(error)}`);
      }
    });

  updateData = (patch: Partial<Record<LookupName, unknown>>): Report =>
    this.machine.turn((turn) => {
      const { machine } = this;
      const names = new Set(lookupNames.filter((name) => patch[name] !== undefined));
      for (const name of names) machine.lookups.provide(name, patch[name]);
      machine.refreshData(names);
      for (const query of machine.usersOf(names)) turn.dirty.add(query);
      machine.settle(turn);
      if (!machine.lookups.isPending('thirdParty')) for (const event of this.postponed.splice(0)) machine.feed(event, turn);
    });

  updateContext = (context: Context): Report =>
    this.machine.turn((turn) => {
      if (this.machine.present.enter(context)) for (const query of this.machine.catalogue.scoped) turn.dirty.add(query);
    });

  appendLifted = (states: unknown, definitions: readonly Definition[] = [], read?: ReadDefinition): Report =>
    this.machine.turn((turn) => {
      const added = definitions.flatMap((definition, i) => this.life.add(definition, `at index ${i}`, turn, read)?.query ?? []);
      for (const query of added) turn.dirty.add(query);
      if (definitions.length > 0) {
        const named = new Set(definitions.map(idOf));
        this.storage.forget((id) => !named.has(id));
        this.machine.refreshData(new Set());
      }
      if (isRecord(states)) appendStates(this.machine, states, turn);
      else turn.findings.errors.push('Failed to append lifted state');
    });

  delta = (full: boolean): Delta | null => this.sync.delta(full);
  ack = (token: DeltaToken): void => this.sync.ack(token);

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
    for (const { id, activations } of this.inForce()) for (const platform of activations) idsByPlatform.set(platform, [...(idsByPlatform.get(platform) ?? []), id]);
    return Object.fromEntries(idsByPlatform);
  };

  usage = (): Usage[] => usageOf(this.inForce(), this.machine.lookups);

  triggersOf = (id: Id): string[] => {
    const uses = this.machine.catalogue.queries.get(id)?.uses;
    return uses === undefined ? [] : [...uses.events, ...pseudoEvents.filter(([lookup]) => uses.lookups.has(lookup)).map(([, name]) => name)];
  };

  inspect = <A>(id: Id, look: (query: Query, environment: Environment) => A): A | null => {
    const query = this.machine.catalogue.queries.get(id);
    return query === undefined ? null : look(query, this.machine.environment);
  };

  unknownIds = (): Id[] => [...this.storage.kept.keys()].sort(compareIds);
  lastSeenOffset = (): number => this.storage.lastSeenOffset;

  private inForce(): readonly Query[] {
    return [...this.machine.catalogue.queries.values()].filter(({ result }) => result).sort((a, b) => compareIds(a.id, b.id));
  }
}

/** The names under which the arrival of data is listed among the events of a query. */
const pseudoEvents: readonly (readonly [LookupName, string])[] = [
  ['thirdParty', 'UpdateThirdPartyData'],
  ['secondParty', 'UpdateSecondPartyData'],
  ['lookalike', 'UpdateLookalikeModels'],
];

const runToEnd = (steps: Generator<void, Report>): Report => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};
