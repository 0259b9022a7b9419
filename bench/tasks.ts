import { createHash } from 'node:crypto';

import { readAs } from '../src/codecs/codecs';
import { type Engine, type EngineEvent, init, type RuntimeInput } from '../src/engine/engine';
import { Machine } from '../src/engine/evaluate/machine';
import { published } from '../src/engine/language/canonical';
import type { Bundle, Definition } from '../src/engine/language/language';
import { DefinitionCodec } from '../src/engine/language/languageCodec';
import { packChunk } from '../src/engine/state/packedChunk';
import { isCached } from '../src/engineHost/cachedEvent';
import { Limit } from './limit';
import { subjects } from './matchers';
import { heapBytes, percentile, type Timed, timed } from './measure';
import { predicatesOf } from './predicates';
import { definitionOf } from './rules';
import { type Size, workload } from './workload';

// What one process of the bench does. Each subject has a process of its own, so that none warms up, slows down or
// fills the heap of another.

export type Numbers = Readonly<Record<string, number>>;

const source = 'aaaaaaaa-0000-4000-8000-000000000001';

const inputOf = (bundle: Bundle, now: number, state: unknown): RuntimeInput => ({
  event_source_id: source,
  now,
  bundle,
  state,
  context: { session: null, view: null },
  lookups: {},
  pending: [],
});

const startEngine = (text: string, now: number, state: unknown = null, past: readonly EngineEvent[] = []): Engine => {
  const engine = init(inputOf(JSON.parse(text) as Bundle, now, state));
  engine.bootstrap();
  engine.replay(past);
  return engine;
};

/** The whole life of an engine: start, events, state, replay. */
export const life = (size: Size): Numbers => {
  const { rules, events } = workload(size);
  const text = JSON.stringify({ v: 1, id: 'bench', seed: 0, queries: rules.map(definitionOf) });
  const now = events[0]?.time ?? 0;
  const end = events.at(-1)?.time ?? 0;
  const before = heapBytes();
  const first = timed(() => startEngine(text, now));
  const heap = heapBytes() - before;
  const { engine, numbers: live } = liveCost(() => startEngine(text, now), events);
  const chunk = engine.snapshot();
  const withState = Object.keys(chunk.internal_query_states).length;
  const bytes = (value: unknown): number => JSON.stringify(value).length;
  const past = events.filter(({ name }) => isCached(name));
  const replayed = (history: readonly EngineEvent[]): Numbers => {
    const fresh = init(inputOf(JSON.parse(text) as Bundle, end, null));
    fresh.bootstrap();
    const { ms, cpuMs } = timed(() => fresh.replay(history));
    return { events: history.length, ms, cpuMs };
  };
  const some = replayed(past.slice(0, 600));
  const all = replayed(past);
  return {
    definitionBytes: text.length,
    firstStartMs: first.ms,
    heapBytes: heap,
    ...live,
    ...coldStart(text, end, chunk),
    replay600Ms: some['cpuMs'] ?? NaN,
    replayAllEvents: past.length,
    replayAllMs: all['cpuMs'] ?? NaN,
    members: engine.members().length,
    statesWritten: withState,
    bytesPerState: bytes(chunk.internal_query_states) / withState,
    packedBytesPerState: bytes(packChunk(chunk).internal_query_states) / withState,
    syncBytes: engine.delta(true)?.state.length ?? 0,
    tickUs:
      timed(() => {
        for (let i = 0; i < 100_000; i++) engine.tick(end);
      }).cpuMs / 100,
  };
};

const passes = 3;

/**
 * All events through fresh engines, a few times over. Of the times of each event the best one is taken, for on a busy
 * machine any one of them may have been interrupted.
 */
const liveCost = (
  start: () => Engine,
  events: readonly EngineEvent[],
): { readonly engine: Engine; readonly numbers: Numbers } => {
  const bestUs = new Float64Array(events.length).fill(Infinity);
  const means: number[] = [];
  let engine = start();
  let transitions = 0;
  for (let pass = 0; pass < passes; pass++) {
    if (pass > 0) engine = start();
    transitions = 0;
    const { cpuMs } = timed(() => {
      events.forEach((event, i) => {
        const began = performance.now();
        transitions += engine.process([event], event.time).transitions.length;
        bestUs[i] = Math.min(bestUs[i] as number, (performance.now() - began) * 1000);
      });
    });
    means.push((cpuMs * 1000) / events.length);
  }
  const all = Array.from(bestUs);
  const views = all.filter((_, i) => events[i]?.name === 'Pageview');
  const numbers = {
    eventMeanUs: Math.min(...means),
    eventP50Us: percentile(all, 0.5),
    eventP95Us: percentile(all, 0.95),
    eventP99Us: percentile(all, 0.99),
    viewMeanUs: views.reduce((sum, us) => sum + us, 0) / views.length,
    viewP95Us: percentile(views, 0.95),
    transitionsPerEvent: transitions / events.length,
  };
  return { engine, numbers };
};

/** A returning visitor, step by step. Processor time with warm code, best of a few; a first start is measured apart. */
const coldStart = (text: string, now: number, chunk: unknown): Numbers => {
  const state: unknown = JSON.parse(JSON.stringify(chunk));
  const parsed = best(() => JSON.parse(text) as Bundle);
  const decoded = best(() => parsed.result.queries.map((query) => readAs(DefinitionCodec, query)));
  const definitions = decoded.result.filter((read): read is Definition => !(read instanceof Error));
  const compiled = best(() => {
    const machine = new Machine({ seed: 0, now, context: { session: null, view: null }, lookups: {}, pending: [] });
    for (const definition of definitions) machine.add(published(definition));
  });
  const whole = best(() => startEngine(text, now, state));
  return {
    parseMs: parsed.cpuMs,
    decodeMs: decoded.cpuMs,
    compileMs: compiled.cpuMs,
    loadMs: whole.cpuMs - parsed.cpuMs - decoded.cpuMs - compiled.cpuMs,
    startMs: whole.cpuMs,
  };
};

const best = <Result>(work: () => Result): Timed<Result> =>
  [work, work, work, work].map(timed).reduce((a, b) => (b.cpuMs < a.cpuMs ? b : a));

/** The engine written by hand: the whole event, and the finding of matches alone. */
export const limit = (size: Size): Numbers => {
  const { rules, events } = workload(size);
  const before = heapBytes();
  const first = new Limit(rules);
  const heap = heapBytes() - before;
  const whole = best(() => {
    const fresh = new Limit(rules);
    for (const event of events) fresh.process(event);
    return fresh;
  });
  const matches = best(() => events.reduce((found, event) => found + first.match(event), 0));
  return {
    eventMeanUs: (whole.cpuMs * 1000) / events.length,
    matchMeanUs: (matches.cpuMs * 1000) / events.length,
    matchesPerEvent: matches.result / events.length,
    heapBytes: heap,
    members: whole.result.memberIds().length,
  };
};

/** Events on which all subjects must find the same matches before they are timed; they warm up on them, too. */
const checkedEvents = 40;
const longestMs = 3000;

/** One subject that finds matches: how long an event takes, and a digest of what it found. */
export const matching = async (
  name: string,
  size: Size,
): Promise<{ readonly digest: string; readonly numbers: Numbers }> => {
  const subject = subjects.find((candidate) => candidate.name === name);
  if (subject === undefined) throw new Error(`no subject ${name}`);
  const { rules, events } = workload(size);
  const predicates = predicatesOf(rules);
  const before = heapBytes();
  const prepared = timed(() => subject.prepare(predicates));
  const { match, factsOf } = prepared.result;
  const digest = createHash('sha256');
  for (const event of events.slice(0, checkedEvents))
    digest.update(JSON.stringify([...(await match(event, factsOf(event)))].sort((a, b) => a - b)));
  // Now, for some compile at first use.
  const heap = heapBytes() - before;
  const facts = events.map(factsOf);
  const start = process.cpuUsage();
  const deadline = performance.now() + longestMs;
  let done = 0;
  for (; done < events.length && performance.now() < deadline; done++) {
    const found = match(events[done] as EngineEvent, facts[done] ?? {});
    if (found instanceof Promise) await found;
  }
  const { user, system } = process.cpuUsage(start);
  return {
    digest: digest.digest('hex'),
    numbers: { matchMeanUs: (user + system) / done, events: done, prepareMs: prepared.cpuMs, heapBytes: heap },
  };
};
