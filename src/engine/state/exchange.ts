import { isRecord, readAs, shape, type TypeOf, value } from '../../codecs/codecs';
import { NoJson } from '../../hardening/json';
import { json } from '../../hardening/plainJson';
import { bottom, type Component } from '../cells/cell';
import { decodeCells } from '../cells/cellCodec';
import type { Delta, Engine, EngineParts, PageEngine } from '../engineInterface';
import { bottomCells, isBottom, type Query } from '../evaluate/query';
import type { Turn } from '../evaluate/turn';
import type { Id } from '../language/language';
import { open } from '../language/storedCodecs';
import { wireState } from './chunk';
import { wireQuery } from './storage';
import { maxSources } from './sync';

/**
 * Characters of an answer that are read at most. Text is parsed in one piece, so it must not stall the thread; no
 * answer of a server is larger (`maxAnswerBytes` of the page).
 */
export const maxStateLength = 1_000_000;

/**
 * Adds to an engine what only the exchange with other devices needs: deltas, and the states of other devices. The
 * exchange is a module of its own because it is loaded after the engine has started.
 */
export const exchanging = (engine: PageEngine): Engine => {
  const { parts } = engine;
  const { machine, storage, sync } = parts;
  return {
    ...engine,
    externalStateSteps: function* (stateJson, offset) {
      const turn = machine.newTurn();
      try {
        // Other turns may come between two steps. Such turns see nothing of the answer, because the answer is laid out
        // as a whole.
        for (const query of yield* receive(parts, stateJson, turn)) {
          sync.layOut(query);
          turn.dirty.add(query);
          turn.changed(query);
        }
        // The offset alone is worth saving: without it the next page would fetch the same again.
        if (storage.lastSeenOffset !== offset) turn.stateChanged();
        storage.lastSeenOffset = offset;
      } catch (error) {
        turn.errors.push(
          `Failed to parse State API response, got ${error instanceof Error ? error.message : String(error)}`,
        );
      }
      machine.settle(turn);
      return turn.report();
    },
    delta: (full) => {
      try {
        return computeDelta(parts, full);
      } catch {
        throw new Error('Failed to compute delta for state sync.');
      }
    },
    ack: ({ sent }) => {
      for (const [query, own] of sent) {
        sync.acked.set(query, own);
        // A query that has counted since has news for the next delta.
        if (query.cells.own === own) query.isUnsynced = false;
      }
    },
  };
};

/**
 * What the server lacks, or everything; null when there is nothing to send. Joined to what the server has confirmed, it
 * gives the state of this source. A server that got it before, or gets it late, comes to the same state.
 */
const computeDelta = ({ machine, sync }: EngineParts, full: boolean): Delta | null => {
  const sent = new Map<Query, readonly Component[]>();
  const entries: [Id, unknown][] = [];
  for (const query of machine.catalogue.queries.values()) {
    if (!full && !query.isUnsynced) continue;
    const { own } = query.cells;
    // A query without an entry has nothing confirmed.
    const base = full ? bottomCells(query.specs) : (sync.acked.get(query) ?? bottomCells(query.specs));
    const news = query.specs.map((spec, i) => spec.kind.delta(spec, base[i] ?? bottom, own[i] ?? bottom));
    sent.set(query, own);
    if (!isBottom(news)) entries.push([query.id, wireQuery(query, news)]);
    // Nothing of the change has to be sent: session and view cells never are.
    else if (!full) query.isUnsynced = false;
  }
  return entries.length === 0 && !full
    ? null
    : { state: json.stringify({ v: 2, q: Object.fromEntries(entries) }), token: { sent } };
};

/**
 * Joins the answer of the server, one source a step, and returns the queries that changed. Throws a decode error when
 * it is malformed or too long, and then joins nothing. An entry that is malformed, of an unknown query or under another
 * checksum is passed over, and so are sources beyond the most that are kept.
 */
function* receive(parts: EngineParts, stateJson: string, turn: Turn): Generator<void, ReadonlySet<Query>> {
  const { s: sources = {} } = readAnswer(stateJson);
  const changed = new Set<Query>();
  const { sync } = parts;
  // Our own counts, which a server may send back. Joined as those of another source they would count twice.
  const others = Object.keys(sources).filter((source) => source !== sync.source);
  const isKnown = (source: string): boolean => sync.external.has(source);
  // Known sources come first: they are heard of, and must not give way to new ones of the same answer.
  const ordered = [...others.filter(isKnown), ...others.filter((source) => !isKnown(source))];
  for (const source of ordered.slice(0, maxSources)) {
    if (!(sync.admits(source) || forgetOldest(parts, changed))) continue;
    if (sync.seen.get(source) !== sync.today()) turn.stateChanged();
    sync.seen.set(source, sync.today());
    for (const [id, wire] of Object.entries(sources[source] ?? {})) {
      const query = receiveOne(parts, source, id, wire);
      if (query !== null) changed.add(query);
    }
    yield;
  }
  return changed;
}

/**
 * Forgets the source that has not been heard of for longest, and adds its queries to those that changed. Answers false
 * where all were heard of today.
 */
const forgetOldest = ({ sync }: EngineParts, changed: Set<Query>): boolean => {
  const [oldest] = [...sync.external.keys()].sort((a, b) => (sync.seen.get(a) ?? 0) - (sync.seen.get(b) ?? 0));
  if (oldest === undefined || (sync.seen.get(oldest) ?? 0) >= sync.today()) return false;
  for (const query of sync.external.get(oldest)?.keys() ?? []) changed.add(query);
  sync.external.delete(oldest);
  sync.seen.delete(oldest);
  return true;
};

/** Joins one entry, and answers its query if it brought anything new, else null. */
const receiveOne = ({ sync, life }: EngineParts, source: string, id: Id, wire: unknown): Query | null => {
  const query = life.find(id);
  const state = wireState(wire);
  if (query === undefined || state?.checksum !== query.checksum) return null;
  const components = decodeCells(query.specs, state.cells);
  return components !== null && sync.join(source, query, components) ? query : null;
};

/**
 * The states of other sources, by source and query; each is `[checksum, cells]`. An answer without any is an empty
 * object.
 */
const SyncAnswer = open(
  'a state',
  shape(
    {},
    {
      v: value('version 2', (input) => input === 2),
      s: value<Readonly<Record<string, Readonly<Record<Id, unknown>>>>>(
        'sources with their queries',
        (input) => isRecord(input) && Object.values(input).every(isRecord),
      ),
    },
  ),
);

/** Reads the text of an answer. Throws when the text is malformed or too long. */
const readAnswer = (stateJson: string): TypeOf<typeof SyncAnswer> => {
  if (stateJson.length > maxStateLength) throw new Error(`more than ${maxStateLength} characters`);
  const parsed = json.parse(stateJson);
  if (parsed === NoJson) throw new Error('text that is not JSON');
  const answer = readAs(SyncAnswer, parsed);
  if (answer instanceof Error) throw answer;
  return answer;
};
