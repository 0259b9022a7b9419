import * as fc from 'fast-check';

import { publishedBundle } from '../../bundle/publishedBundle';
import { createEngine } from '../../src/engine/cohortEngine';
import type { EngineEvent } from '../../src/engine/engineEvent';
import type { Engine } from '../../src/engine/engineInterface';
import { type EngineReport, runToEnd } from '../../src/engine/evaluate/report';
import { published } from '../../src/engine/language/canonical';
import type { PublishedBundle } from '../../src/engine/language/canonicalLanguage';
import type { Bundle, Definition } from '../../src/engine/language/language';
import type { RuntimeInput } from '../../src/engine/runtimeInput';
import { exchanging } from '../../src/engine/state/exchange';
import { law } from '../support/laws';
import { history, pred, queries } from './support/language';
import { event, inputOf, t0 } from './support/run';

/** What happens to an engine, with a number that chooses among possibilities. */
const steps = fc.array(
  fc.tuple(
    fc.constantFrom('event', 'event', 'event', 'tick', 'view', 'reload', 'publish', 'other tab', 'push', 'pull'),
    fc.nat(7),
  ),
  { maxLength: 14 },
);

const kind = fc.constantFrom('any', 'resting', 'asking');
/** Queries of any kind, those that rest, and those that ask for the cohort of the one before. */
const restingOften = fc
  .tuple(queries(), fc.tuple(pred, pred, pred), fc.tuple(kind, kind, kind))
  .map(([definitions, preds, kinds]) =>
    definitions.map((definition, i): Definition => {
      if (kinds[i] === 'any') return definition;
      if (kinds[i] === 'resting' || i === 0)
        return { ...definition, q: { event: ['A', 'B'], where: preds[i]!, is: { gte: 1 } }, sub: [] };
      return { ...definition, q: { not: { cohort: String(i) } } };
    }),
  );

/** A browser in which one engine after another runs, over one store. */
class Browser {
  readonly told: unknown[] = [];
  readonly past: EngineEvent[] = [];
  private engine: Engine;
  private now = t0;

  constructor(
    private readonly prepare: (definitions: readonly Definition[]) => PublishedBundle,
    private definitions: readonly Definition[],
    readonly source: string,
  ) {
    this.engine = this.begin(null);
  }

  process(event: EngineEvent): void {
    this.past.push(event);
    this.now = Math.max(this.now, event.time);
    this.tell(this.engine.process([event], this.now));
  }

  tick(ms: number): void {
    this.tell(this.engine.tick((this.now += ms)));
  }

  view(id: string): void {
    this.tell(this.engine.updateContext({ session: { id: 's1', startedAt: t0 }, view: { id, startedAt: t0 } }));
  }

  snapshot(): unknown {
    const chunk = this.engine.snapshot();
    // The list is a set.
    return JSON.parse(JSON.stringify({ ...chunk, unsynced: [...chunk.unsynced].sort() }));
  }

  reload(definitions = this.definitions): void {
    this.definitions = definitions;
    this.engine = this.begin(this.snapshot());
  }

  /** Takes what another tab has stored, which lacks the latest events of this one and some that it never had. */
  rebase(chunk: unknown, events: readonly EngineEvent[]): void {
    this.tell(this.engine.rebase(chunk, { events: [...this.past.slice(-2), ...events], appended: 0 }, this.now));
  }

  push(full: boolean): string | null {
    const delta = this.engine.delta(full);
    if (delta !== null) this.engine.ack(delta.token);
    this.told.push(['delta', delta?.state ?? null]);
    return delta?.state ?? null;
  }

  pull(state: string, source: string): void {
    this.tell(
      runToEnd(
        this.engine.externalStateSteps(
          JSON.stringify({ v: 2, s: { [source]: (JSON.parse(state) as { q: unknown }).q } }),
          1,
        ),
      ),
    );
  }

  dormant(): number {
    return this.engine.parts.machine.catalogue.dormant.size;
  }

  private begin(state: unknown): Engine {
    const input: RuntimeInput = {
      ...inputOf([], { lookups: { geo: { country: 'FR' } }, event_source_id: this.source }),
      bundle: this.prepare(this.definitions),
      now: this.now,
      state,
    };
    this.engine = exchanging(createEngine(input));
    this.tell(runToEnd(this.engine.bootstrapSteps()));
    // A snapshot of this moment must not say that the state is complete.
    this.told.push(this.snapshot());
    this.tell(runToEnd(this.engine.replaySteps(this.past)));
    return this.engine;
  }

  private tell({ transitions, changed, errors, stateChanged }: EngineReport): void {
    this.told.push({ transitions, changed: [...changed].sort(), errors, stateChanged }, this.engine.members());
    this.told.push(this.engine.activations(), this.snapshot());
  }
}

const eager = (definitions: readonly Definition[]): Bundle => ({
  v: 1,
  id: 'bundle',
  seed: 0,
  queries: definitions.map(published),
});
const lazy = (definitions: readonly Definition[]): PublishedBundle => publishedBundle(eager(definitions));

/** Plays the same to one browser after the other: two tabs of it, and a server that sends what a device has pushed. */
const play = (
  prepare: (definitions: readonly Definition[]) => PublishedBundle,
  definitions: readonly Definition[],
  events: readonly EngineEvent[],
  actions: readonly (readonly [string, number])[],
): { readonly told: readonly unknown[]; readonly dormant: number } => {
  const tabs = ['d1', 'd1', 'd2'].map((source) => new Browser(prepare, definitions, source));
  const [first, second] = tabs as [Browser, Browser];
  let pushed: [string, string] | undefined;
  let dormant = first.dormant();
  const queue = [...events];
  for (const [action, n] of actions) {
    const tab = tabs[n % 3]!;
    const next = action === 'event' ? queue.shift() : undefined;
    if (next !== undefined) tab.process(next);
    if (action === 'tick') tab.tick(n * 400);
    if (action === 'view') tab.view(`v${n}`);
    if (action === 'reload') tab.reload();
    if (action === 'publish') tab.reload(definitions.filter((_, i) => ((n >> i) & 1) === 0));
    if (action === 'other tab') first.rebase(second.snapshot(), queue.splice(0, n % 2));
    if (action === 'push') {
      const state = tab.push(n > 5);
      if (state !== null) pushed = [state, tab.source];
    }
    if (action === 'pull' && pushed !== undefined && pushed[1] !== tab.source) tab.pull(...pushed);
    dormant += first.dormant();
  }
  return { told: tabs.flatMap(({ told }) => told), dormant };
};

describe('a query that the build has found to rest', () => {
  let dormant = 0;

  it(
    'does everything as if it had been compiled at the start',
    law(restingOften, history(10), steps, (definitions, events, actions) => {
      const late = play(lazy, definitions, events, actions);
      dormant += late.dormant;
      expect(late.told).toEqual(play(eager, definitions, events, actions).told);
    }),
  );

  it('is among those that are tried', () => {
    expect(dormant).toBeGreaterThan(0);
  });

  it.each([
    ['holds', true],
    ['has expired from', false],
  ])('holds the cohort that asks for it until the past is known, where the past %s its event', (_, isKept) => {
    const asked: Definition = { id: '1', q: { event: 'A', where: { p: 'kw', in: ['red'] }, is: { gte: 1 } } };
    const asking: Definition = { id: '2', q: { and: [{ event: 'B' }, { not: { cohort: '1' } }] } };
    const told = [eager, lazy].map((prepare) => {
      const browser = new Browser(prepare, [asked, asking], 'd1');
      browser.process(event('A', t0, { kw: 'red' }));
      browser.push(false);
      // The other tab has no query 1, so nothing of it is stored.
      const other = new Browser(prepare, [asking], 'd1');
      other.process(event('B', t0));
      browser.rebase(other.snapshot(), []);
      if (!isKept) browser.past.length = 0;
      browser.told.length = 0;
      browser.reload();
      expect(browser.dormant()).toBe(prepare === lazy && !isKept ? 1 : 0);
      return browser.told;
    });
    expect(told[1]).toEqual(told[0]);
  });
});
