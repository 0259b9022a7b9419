import type { EngineEvent } from '../engineEvent';
import type { Probe } from '../index/probe';
import type { PublishedBundle, PublishedDefinition } from '../language/canonicalLanguage';
import type { LookupName } from '../language/language';
import { type LookalikeModel, Scores } from '../models/scores';
import type { RuntimeInput } from '../runtimeInput';
import { Catalogue } from './catalogue';
import { compile, type Environment } from './compile';
import { Present } from './context';
import { Feeding } from './feeding';
import { Lookups } from './lookups';
import { Memberships } from './memberships';
import type { Query } from './query';
import type { EngineReport } from './report';
import { Settling } from './settle';
import { Dirty, Turn } from './turn';

/** The parts of the engine's input and of the bundle that the machine needs. */
type MachineInput = Pick<RuntimeInput, 'now' | 'context' | 'lookups' | 'pending'> &
  Pick<PublishedBundle, 'seed'> & { readonly resting?: PublishedBundle['resting'] | undefined };

/**
 * Queries, memberships and data, and the two things that can be done with them. Feeding brings an event to cells and
 * marks the queries whose cells changed. Settling evaluates the marked queries until nothing changes any more.
 */
export class Machine {
  readonly memberships = new Memberships();
  readonly scores = new Scores();
  readonly present: Present;
  readonly lookups: Lookups;
  readonly catalogue: Catalogue;
  /** What compiled conditions read. */
  readonly environment: Environment;
  private readonly feeding: Feeding;
  private readonly settling: Settling;
  /** Queries that are marked for the next settling. */
  private readonly dirty = new Dirty();
  /** Number of the last turn. */
  private turns = 0;

  constructor(input: MachineInput) {
    this.present = new Present(input.now, input.context);
    this.lookups = new Lookups(input.lookups, input.pending, input.seed);
    this.catalogue = new Catalogue(this.memberships, input.seed, input.resting);
    const { present: moment, memberships, lookups, scores } = this;
    this.environment = { seed: input.seed, moment, memberships, lookups, scores };
    this.feeding = new Feeding(this.catalogue, this.present);
    this.settling = new Settling({
      catalogue: this.catalogue,
      memberships,
      scores,
      feeding: this.feeding,
      present: this.present,
      dirty: this.dirty,
    });
  }

  /**
   * Compiles a definition and adds it. Throws what is wrong with it, or that its id is taken, and then adds nothing.
   */
  add(definition: PublishedDefinition): Query {
    if (this.catalogue.has(definition.id)) throw new Error('its id is not unique.');
    const { query, order } = compile(definition, this.environment);
    this.catalogue.add(query, order);
    return query;
  }

  /**
   * Does one piece of work at an instant, then evaluates the queries that it has marked and those that are due by time.
   * `now` is in ms; without it, the work is done in the present.
   */
  turn(work: (turn: Turn) => void, now = this.present.now): EngineReport {
    this.present.advance(now);
    const turn = this.newTurn();
    work(turn);
    this.settle(turn);
    return turn.report();
  }

  /** A turn for work that takes several steps. The caller settles it. */
  newTurn(): Turn {
    return new Turn(++this.turns, this.dirty);
  }

  /** Feeds an event without evaluating anything. `isWanted` leaves cells out. */
  feed(event: EngineEvent, turn: Turn, isWanted?: (probe: Probe) => boolean): void {
    this.feeding.event(event, turn.fed, isWanted);
  }

  /** Has to be called before cells may lose what still counts: in a replay, and when a merge brings another state. */
  forgetFull(): void {
    this.feeding.forgetFull();
  }

  /** Evaluates the dirty queries of a turn, and those whose time has come. */
  settle(turn: Turn): void {
    this.settling.addDue();
    this.settling.settle(turn);
  }

  /** Takes a result as given, without a transition. */
  setResult(query: Query, result: boolean): void {
    if (query.result !== result) this.settling.setResult(query, result);
  }

  /**
   * Brings models, and the holding of queries, in line with the data that is there. `changed`: the lookups that have
   * just been provided.
   */
  refreshData(changed: ReadonlySet<LookupName>): void {
    if (changed.has('lookalike') && this.lookups.has('lookalike')) {
      const models = this.lookups.value('lookalike');
      // A first-party model scores cohorts, so it starts with those that the visitor is in.
      this.scores.load(Array.isArray(models) ? (models as readonly LookalikeModel[]) : [], (id) =>
        this.memberships.isMember(id),
      );
    }
    // New models have not counted third-party ids yet, and new ids change all of them.
    if ((changed.has('lookalike') || changed.has('thirdParty')) && this.lookups.has('thirdParty'))
      this.scores.onProviders(this.lookups.providers('thirdParty'));
    for (const query of this.catalogue.queries.values()) query.waiting = this.isWaiting(query);
  }

  /** Whether data that the query reads is pending. Third-party data counts if a model of the query scores it. */
  isWaiting({ uses: { lookups, models } }: Query): boolean {
    for (const name of lookups) if (this.lookups.isPending(name)) return true;
    return this.lookups.isPending('thirdParty') && models.some((test) => this.scores.needsProviders(test));
  }

  /** Queries that read one of the lookups, in their conditions or through models. */
  usersOf(names: Iterable<LookupName>): Set<Query> {
    const users = new Set<Query>();
    for (const name of names) {
      for (const query of this.catalogue.usersOf(name)) users.add(query);
      if (name !== 'thirdParty') continue;
      for (const query of this.catalogue.usersOf('lookalike'))
        if (query.uses.models.some((test) => this.scores.needsProviders(test))) users.add(query);
    }
    return users;
  }
}
