import type { EngineEvent } from '../engineEvent';
import type { PageEngine } from '../engineInterface';
import { type EngineReport, nothingNew } from '../evaluate/report';
import { decodeChunk } from './chunk';

/** Events that no stored chunk is known to contain, at most: the newest. A caller may never store anything. */
const maxRemembered = 10_000;

/** An engine that remembers by itself what the stored chunk does not contain. */
export interface MergingEngine extends PageEngine {
  /**
   * Takes in the chunk found in the store, if another engine of the same event source has written it, before `snapshot`
   * overwrites it. A chunk of the latest snapshot's revision, or of a later one, is taken to contain that snapshot.
   */
  readonly mergeStored: (chunk: unknown) => EngineReport;
}

/** Adds `mergeStored` to an engine, for callers that keep no list of their own of the events that are pending. */
export const merging = (engine: PageEngine): MergingEngine => {
  const { machine, storage } = engine.parts;
  let events: EngineEvent[] = [];
  let appended = 0;
  let seen = storage.rev;
  let written = { rev: Infinity, events: 0, appended: 0 };
  return {
    ...engine,
    process: (fed, now) => {
      events.push(...fed);
      const excess = Math.max(0, events.length - maxRemembered);
      if (excess > 0) events.splice(0, excess);
      written = { ...written, events: Math.max(0, written.events - excess) };
      return engine.process(fed, now);
    },
    snapshot: () => {
      const chunk = engine.snapshot();
      written = { rev: chunk.rev, events: events.length, appended: storage.appended.length };
      return chunk;
    },
    mergeStored: (stored) => {
      const chunk = decodeChunk(stored);
      // Another source means that the user was reset meanwhile: those counts are someone else's.
      if (chunk instanceof Error || chunk.version !== 2 || chunk.source !== storage.loaded.source || chunk.rev <= seen)
        return nothingNew;
      seen = chunk.rev;
      if (chunk.rev >= written.rev) {
        events = events.slice(written.events);
        appended = written.appended;
        const isOwn = chunk.rev === written.rev;
        written = { rev: Infinity, events: 0, appended: 0 };
        if (isOwn) return nothingNew;
      }
      return engine.rebase(stored, { events, appended }, machine.present.now);
    },
  };
};
