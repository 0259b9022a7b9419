import * as t from 'io-ts';

import { endpointOf } from './ioTs';

/**
 * An event for cloud-lifted queries, in the shape of an uploaded one. The lists of its cohorts are always empty (spec
 * S§7).
 */
const LiftedEvent = t.strict(
  {
    id: t.string,
    name: t.string,
    time: t.string,
    properties: t.UnknownRecord,
    session_id: t.string,
    view_id: t.string,
    cohorts: t.readonlyArray(t.string),
    segments: t.readonlyArray(t.number),
  },
  'LiftedEvent',
);
export type LiftedEvent = Readonly<t.TypeOf<typeof LiftedEvent>>;

/** Events that the server has not counted yet. */
export const LiftEventsRequest = t.strict({ events: t.readonlyArray(LiftedEvent) }, 'LiftEventsRequest');

/** By query, the state that these events alone amount to. The engine appends it to the stored state, query by query. */
export const LiftEventsAnswer = t.type(
  { result: t.type({ state: t.record(t.string, t.unknown) }) },
  'LiftEventsAnswer',
);

/**
 * POST /cloud-lift/v1/lift?qid= : the server evaluates events for queries whose definitions the page does not have
 * (spec S§7).
 */
export const liftEvents = endpointOf({
  method: 'POST',
  path: '/cloud-lift/v1/lift',
  body: LiftEventsRequest,
  answer: LiftEventsAnswer,
});
