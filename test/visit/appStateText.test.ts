import * as fc from 'fast-check';

import { json } from '../../src/hardening/plainJson';
import type { QueuedEvent, StoredEvent } from '../../src/model/queuedEvent';
import type { AppState } from '../../src/visit/appState';
import { appStateText, queueEntryOf } from '../../src/visit/appStateText';
import { encodeAppState } from '../support/appState';
import { queuedOf } from '../support/events';
import { law } from '../support/laws';

const anyText = fc.string({ unit: 'grapheme' });
const anyProperties = fc.dictionary(anyText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
/** With fields in the order in which an event of this page is stored. */
const anyQueued: fc.Arbitrary<QueuedEvent> = fc
  .record({ id: anyText, user_id: anyText, name: anyText, segments: fc.array(fc.nat()), cohorts: fc.array(anyText) })
  .chain((fields) =>
    fc.tuple(anyProperties, fc.boolean(), fc.boolean()).map(([properties, requiresEnrichment, sdkProcessed]) => ({
      ...uploadFields(queuedOf(fields.id, { ...fields, properties })),
      requiresEnrichment,
      sdkProcessed,
    })),
  );
const uploadFields = (event: QueuedEvent): QueuedEvent => {
  const { id, user_id, name, time, segments, cohorts, properties, session_id, view_id } = event;
  return { id, user_id, name, time, segments, cohorts, properties, session_id, view_id };
};
const anyStored: fc.Arbitrary<StoredEvent> = fc.record({ page: anyText, event: anyQueued });
const anyState: fc.Arbitrary<AppState> = fc.record({
  cohorts: fc.array(anyText),
  queue: fc.array(anyStored, { maxLength: 4 }),
  pause: fc.constantFrom(null, { at: 1, waitMs: 2, attempts: 3, asked: true }),
});

describe('appStateText', () => {
  it(
    'is the text of the whole state, with events that were read',
    law(anyState, (state) => {
      const queue = state.queue.map((stored) => queueEntryOf(stored, json));
      expect(appStateText({ ...state, queue }, json)).toBe(JSON.stringify(encodeAppState(state)));
    }),
  );
});
