import type { QueriesChunk } from '../../src/engine/engine';
import { canon } from '../../src/engine/language/canonical';
import { checksumOf } from '../../src/engine/language/checksums';
import type { HostNotes } from '../../src/engineHost/queriesChunk';
import type { EngineCommand, Start } from '../../src/model/engineCommands';
import { dayMs } from '../../src/primitives/duration';
import { eventOf, noon, numberedOf, sourceId, visitorId } from '../../test/support/events';
import { startOf, storedState } from '../../test/support/hostDeps';
import { marbles } from '../support/marbles';
import { chunkKey, queries, type World, world } from '../support/servedHost';

/** What happens on one page on which no event is evaluated. */
interface Quiet extends Omit<World, 'stored'> {
  /** The fields of the stored chunk that differ from those of a visitor of whom no event is known. */
  readonly found?: Readonly<Record<string, unknown>>;
  /** The visitor has no stored state. */
  readonly isNew?: boolean;
  readonly cached?: readonly unknown[];
  readonly start?: Partial<Start>;
  /** What the page tells the engine after its start. */
  readonly told?: EngineCommand;
  /** The field as it is stored in the end. */
  readonly stored: unknown;
}

const unchanged = JSON.parse(storedState(queries)) as Readonly<Record<string, unknown>>;
const today = Math.floor(noon / dayMs);
const [first] = queries;
const checksum = checksumOf(canon(first!));
const once = { 1: [checksum, [1]] } as const;
/** The server answers an exchange with nothing that is not known. */
const confirming = { stateSync: () => ({ state: '{"v":2}', state_offset: 0 }) };
const fromOther = (offset: number) => ({
  stateSync: () => ({ state: JSON.stringify({ v: 2, s: { other: once } }), state_offset: offset }),
});
const inFrance: Quiet['told'] = { type: 'data', patch: { geo: { country: 'FR' } } };
const exchanged = { synced_session: 'session', validation: 'skipped session' };
const remote = { id: '5', q: { event: 'Pageview', remote: true, is: { gte: 2 } } } as const;

/** For each field of the stored chunk, something other than an event that changes it. */
const changes: Record<keyof QueriesChunk | keyof HostNotes, Quiet> = {
  migration_version: { found: { migration_version: 1, counted: undefined }, stored: 2 },
  rev: { told: inFrance, stored: 2 },
  'event-source-id': { isNew: true, stored: sourceId },
  bundle_checksum: {
    found: { ...exchanged, bundle_checksum: 'another' },
    stored: unchanged['bundle_checksum'],
  },
  internal_query_states: {
    found: exchanged,
    told: inFrance,
    stored: { 3: [expect.any(String), [], 1] },
  },
  external_query_states: { answers: fromOther(0), stored: { other: once } },
  external_seen: {
    found: { external_query_states: { other: once }, external_seen: { other: today - 1 } },
    answers: fromOther(0),
    stored: { other: today },
  },
  unsynced: {
    found: { ...exchanged, internal_query_states: { 1: [checksum, [1], 0] }, unsynced: ['1'] },
    answers: confirming,
    stored: [],
  },
  last_seen_offset: {
    answers: { stateSync: () => ({ state: '{"v":2}', state_offset: 9 }) },
    stored: 9,
  },
  group_id: { found: { ...exchanged, group_id: undefined }, stored: visitorId },
  group_since: { told: inFrance, stored: noon },
  third_party_data_hash: {
    found: exchanged,
    told: { type: 'data', patch: { thirdParty: { nobody: ['reads'] } } },
    stored: expect.any(String),
  },
  unprocessed_pageview_complete: {
    found: {
      unprocessed_pageview_complete: { ...eventOf('c', { name: 'PageviewComplete' }), time: noon },
    },
    stored: null,
  },
  synced_session: {
    found: { ...exchanged, synced_session: 'earlier' },
    answers: confirming,
    stored: 'session',
  },
  validation: { random: () => 0, stored: 'finished session' },
  counted: { found: { ...exchanged, counted: undefined }, stored: { pages: {}, until: 0 } },
  unlifted: {
    found: { ...exchanged, unlifted: ['a'], counted: { pages: { before: [9, 9, 0, noon] }, until: 0 } },
    cached: [{ ...eventOf('a'), page: 'before', number: 1, cohorts: [] }],
    definitions: [...queries, remote],
    lift: ['Pageview'],
    answers: { liftEvents: () => ({ result: { state: {} } }) },
    stored: [],
  },
  unprocessed: {
    found: exchanged,
    told: { type: 'track', event: numberedOf('p', { provisional: true }) },
    stored: [expect.objectContaining({ id: 'p' })],
  },
  untold: { found: exchanged, told: inFrance, stored: { page: [['3'], []] } },
};

describe('What is stored of a visitor is stored although no event comes after it', () => {
  it.each(Object.entries(changes))('%s', (field, quiet) => {
    const { found = {}, isNew = false, cached = [], start = {}, told, stored, ...own } = quiet;
    const page = world({
      ...own,
      stored: {
        ...(!isNew && { [chunkKey]: { ...unchanged, ...found } }),
        'permutive-events-cache': cached,
      },
    });
    marbles(({ hot, expectObservable }) => {
      const message$ = hot<EngineCommand>(told === undefined ? 's' : 's-t', {
        s: startOf(start),
        ...(told !== undefined && { t: told }),
      });
      // Validation begins after a minute, and what changes is saved after 10 s at the latest.
      expectObservable(page.run(message$), '^ 75s !');
    })();
    expect(page.chunk()[field]).toEqual(stored);
  });
});
