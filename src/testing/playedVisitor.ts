import { createEngine, readTrusted } from '../engine/cohortEngine';
import type { PageEngine } from '../engine/engineInterface';
import { explainQuery, type Explanation } from '../engine/evaluate/explain';
import { type EngineReport, runToEnd } from '../engine/evaluate/report';
import type { PublishedDefinition } from '../engine/language/canonicalLanguage';
import type { Definition, Id, LookupName } from '../engine/language/language';
import { ownFields } from '../hardening/ownFields';
import { clientContext } from '../model/clientContext';
import { configTable } from '../model/config';
import type { ClientContext, Properties } from '../model/event';
import { sessionTimeoutMs } from '../model/pageContext';
import { minuteMs } from '../primitives/duration';

/** Engagement is told every 5 s (spec S§9). */
const engagementSeconds = 5;

interface PlayedView {
  readonly id: string;
  readonly startedAt: number;
  readonly properties: Properties;
  readonly client: ClientContext;
  /** Seconds, and the share of the page, that the visitor has seen so far. */
  engagedTime: number;
  completion: number;
  isComplete: boolean;
}

/**
 * A visitor with an engine of their own, in virtual time. An event takes place at the present moment, or a little later
 * where another event has taken place at that moment.
 */
export class PlayedVisitor {
  readonly errors: string[] = [];
  private readonly engine: PageEngine;
  private session: { readonly id: string; readonly startedAt: number } | null = null;
  private view: PlayedView | null = null;
  private lastAt = -Infinity;
  private ids = 0;

  constructor(
    queries: readonly PublishedDefinition[],
    private now: number,
  ) {
    this.engine = createEngine(
      {
        event_source_id: 'visitor',
        now,
        // The canonical form of a definition has a type of its own.
        bundle: { v: 1, id: 'visitor', seed: 0, queries: queries as readonly unknown[] as readonly Definition[] },
        state: null,
        context: { session: null, view: null },
        lookups: { ...noData },
        pending: [],
      },
      readTrusted,
    );
    this.note(runToEnd(this.engine.bootstrapSteps()));
    this.note(runToEnd(this.engine.replaySteps([])));
  }

  /** A page is opened. */
  openView(properties: Properties): void {
    this.leave();
    this.passTo(this.nextMoment(minuteMs));
    const client = clientOf(properties);
    this.view = {
      ...{ id: this.newId(), startedAt: this.now, properties, client },
      ...{ engagedTime: 0, completion: 0, isComplete: false },
    };
    this.note(this.engine.updateData({ client }));
    this.feed('Pageview', properties);
  }

  /** The visitor reads the page for some seconds, and has seen that share of it in the end. */
  engage(seconds: number, completion: number | undefined): void {
    const view = this.viewFor('engages');
    const [start, end] = [view.completion, Math.max(view.completion, completion ?? view.completion)];
    for (let told = 0; told < seconds;) {
      const engaged_time = Math.min(engagementSeconds, seconds - told);
      told += engaged_time;
      this.passTo(this.now + engaged_time * 1000);
      const before = view.completion;
      view.completion = told < seconds ? start + ((end - start) * told) / seconds : end;
      view.engagedTime += engaged_time;
      this.feed('PageviewEngagement', {
        ...view.properties,
        ...{ engaged_time, total_engaged_time: view.engagedTime },
        ...{ completion: view.completion - before, total_completion: view.completion },
      });
    }
  }

  /** The view ends. `given` stands in the place of what the view has added up to. */
  complete(given: Properties): void {
    const view = this.viewFor('completes');
    if (view.isComplete) throw new Error('the view is complete already: call views() for another one');
    this.tellCompletion(view, this.nextMoment(1000), given);
  }

  track(name: string, properties: Properties): void {
    this.passTo(this.nextMoment(1000));
    this.feed(name, properties);
  }

  /** The visitor comes back after the session has ended. No page is open. */
  newSession(): void {
    this.leave();
    this.passTo(Math.max(this.now, this.lastAt + sessionTimeoutMs, 0));
    this.session = { id: this.newId(), startedAt: this.now };
    this.enter();
  }

  /**
   * Time passes. After half an hour without an event, the visitor has left the page and the session is over. What time
   * changes is evaluated at the end, as by the page that the visitor opens next.
   */
  passTo(moment: number): void {
    if (moment < this.now)
      throw new Error(
        `${dateText(moment)} is before ${dateText(this.now)}, where the visitor is: time does not go back`,
      );
    if (moment - this.lastAt >= sessionTimeoutMs) {
      this.leave();
      this.session = null;
      this.enter();
    }
    this.now = moment;
    this.note(this.engine.tick(moment));
  }

  passFor(ms: number): void {
    this.passTo(this.now + ms);
  }

  provide(data: Partial<Record<LookupName, unknown>>): void {
    this.note(this.engine.updateData(data));
  }

  isMember(id: Id): boolean {
    return this.engine.members().includes(id);
  }

  members(): readonly Id[] {
    return this.engine.members();
  }

  explain(id: Id): Explanation | undefined {
    const { machine, life } = this.engine.parts;
    const query = life.find(id);
    return query && explainQuery(query, machine);
  }

  /** The view before tells its completion, at the time of its last event. */
  private leave(): void {
    if (this.view !== null && !this.view.isComplete) this.tellCompletion(this.view, this.lastAt, {});
    this.view = null;
  }

  private tellCompletion(view: PlayedView, time: number, given: Properties): void {
    view.isComplete = true;
    const { engagedTime: engaged_time, completion } = view;
    this.feed(
      'PageviewComplete',
      {
        ...view.properties,
        aggregations: { PageviewEngagement: { engaged_time, completion } },
        ...{ total_engaged_time: engaged_time, total_completion: completion },
        ...given,
      },
      time,
    );
  }

  private feed(name: string, properties: Properties, time = this.now): void {
    if (this.session === null) this.session = { id: this.newId(), startedAt: time };
    if (time > this.now) this.now = time;
    this.lastAt = time;
    this.enter();
    const client = this.view?.client ?? clientOf({});
    const event = {
      ...{ name, time, properties: { ...properties, client } },
      ...{ session_id: this.session.id, view_id: this.view?.id ?? null },
    };
    this.note(this.engine.process([event], this.now));
  }

  private enter(): void {
    const { session, view } = this;
    this.note(this.engine.updateContext({ session, view: view && { id: view.id, startedAt: view.startedAt } }));
  }

  private viewFor(call: string): PlayedView {
    if (this.view === null) throw new Error(`${call}() needs an open page: call views() first`);
    return this.view;
  }

  /** The present, or so long after the last event where that has taken place just now. */
  private nextMoment(apartMs: number): number {
    return this.now > this.lastAt ? this.now : this.now + apartMs;
  }

  private newId(): string {
    this.ids += 1;
    return `00000000-0000-4000-8000-${String(this.ids).padStart(12, '0')}`;
  }

  private note({ errors }: EngineReport): void {
    this.errors.push(...errors);
  }
}

/** Nothing is known of the visitor. */
const noData = { geo: {}, client: {}, user: {}, classification: {}, thirdParty: {}, secondParty: {}, lookalike: [] };

const dateText = (moment: number): string => new Date(moment).toISOString();

/** The client context as the SDK makes it; `client` of the properties says where the page is and who led there. */
const clientOf = ({ client }: Properties): ClientContext => {
  const { url = 'https://site.example/article', ...given } = ownFields(
    (client as Partial<ClientContext> | undefined) ?? {},
  );
  const page = {
    ...{ url: () => url, host: () => new URL(url).hostname },
    ...{ title: () => '', referrer: () => '', userAgent: () => 'Test' },
  };
  return clientContext(page, 'web', given, configTable.redactedParameters.fallback as readonly string[]);
};
