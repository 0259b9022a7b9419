import type { EngineEvent } from '../engineEvent';
import type { Probe } from '../index/probe';
import type { PublishedDefinition } from '../language/canonicalLanguage';
import type { LookupName } from '../language/language';
import { type LookalikeModel, Scores } from '../models/scores';
import { Catalogue } from './catalogue';
import { compile, type Environment } from './compile';
import { type Context, Present } from './context';
import { Dirty } from './dirty';
import { Feeding } from './feeding';
import { Lookups } from './lookups';
import { Memberships } from './memberships';
import { isActive, type Query } from './query';
import { Findings, type Report } from './report';
import { Settling } from './settle';

/** One call of the engine: the queries that it has to evaluate, and what it found. */
export class Turn {
  readonly findings: Findings;

  constructor(
    number: number,
    readonly dirty: Dirty,
  ) {
    this.findings = new Findings(number);
  }

  /** Notes that cells of a query changed. */
  readonly touch = (query: Query): void => {
    this.dirty.add(query);
    this.change(query);
  };

  /** Notes that cells of a query took in an event. */
  readonly fed = (query: Query): void => {
    // Its end, if it has one, was noted when it last was evaluated, and can only be later now.
    if (!query.result || !query.isRising) this.dirty.add(query);
    this.change(query);
  };

  private change(query: Query): void {
    this.findings.changed(query);
    query.isUnsynced = true;
  }
}

interface MachineInput {
  readonly seed: number;
  readonly now: number;
  readonly context: Context;
  readonly lookups: Partial<Record<LookupName, unknown>>;
  readonly pending: readonly LookupName[];
}

/** Queries, memberships and data, and the two things that can be done with them: feed and settle. */
export class Machine {
  readonly memberships = new Memberships();
  readonly scores = new Scores();
  readonly present: Present;
  readonly lookups: Lookups;
  readonly catalogue: Catalogue;
  readonly environment: Environment;
  private readonly feeding: Feeding;
  private readonly settling: Settling;
  private readonly dirty = new Dirty();
  private turns = 0;

  constructor(input: MachineInput) {
    this.present = new Present(input.now, input.context);
    this.lookups = new Lookups(input.lookups, input.pending, input.seed);
    this.catalogue = new Catalogue(this.memberships, input.seed);
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

  /** Compiles a definition and adds it. Throws what is wrong with it, and then adds nothing. */
  add(definition: PublishedDefinition): Query {
    if (this.catalogue.queries.has(definition.id)) throw new Error('its id is not unique.');
    const query = compile(definition, this.environment);
    this.catalogue.add(query);
    return query;
  }

  /** Does one piece of work at an instant, then settles what it has touched and what time has brought. */
  turn(work: (turn: Turn) => void, now = this.present.now): Report {
    this.present.advance(now);
    const turn = this.newTurn();
    work(turn);
    this.settle(turn);
    return turn.findings.report();
  }

  newTurn(): Turn {
    return new Turn(++this.turns, this.dirty);
  }

  feed(event: EngineEvent, turn: Turn, isWanted?: (probe: Probe) => boolean): void {
    this.feeding.event(event, turn.fed, isWanted);
  }

  /** Cells may lose what still counts. */
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

  /** Whether a query would keep its result if it were evaluated now. */
  agrees(query: Query): boolean {
    try {
      return !isActive(query) || query.holds() === query.result;
    } catch {
      return true;
    }
  }

  /** Brings models and the holding of queries in line with the data that is there. */
  refreshData(changed: ReadonlySet<LookupName>): void {
    if (changed.has('lookalike') && this.lookups.has('lookalike')) {
      const models = this.lookups.value('lookalike');
      this.scores.load(Array.isArray(models) ? (models as readonly LookalikeModel[]) : [], (id) =>
        this.memberships.isMember(id),
      );
    }
    if ((changed.has('lookalike') || changed.has('thirdParty')) && this.lookups.has('thirdParty'))
      this.scores.onProviders(this.lookups.providers('thirdParty'));
    for (const query of this.catalogue.queries.values()) query.waiting = this.isWaiting(query);
  }

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
