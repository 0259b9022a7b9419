import * as t from 'io-ts';

import { Properties } from '../model/event';
import type { Endpoint } from './endpoint';

/** An event without the cohorts of its moment: the lists are empty on purpose (spec S§7). */
const LiftedEvent = t.strict(
  {
    id: t.string,
    name: t.string,
    time: t.string,
    properties: Properties,
    session_id: t.string,
    view_id: t.string,
    cohorts: t.readonlyArray(t.string),
    segments: t.readonlyArray(t.number),
  },
  'LiftedEvent',
);
export type LiftedEvent = Readonly<t.TypeOf<typeof LiftedEvent>>;

export const LiftEventsRequest = t.strict({ events: t.readonlyArray(LiftedEvent) }, 'LiftEventsRequest');
export type LiftEventsRequest = Readonly<t.TypeOf<typeof LiftEventsRequest>>;

/** Per query what the posted events alone amount to; the engine reads it query by query. */
export const LiftEventsAnswer = t.type(
  { result: t.type({ state: t.record(t.string, t.unknown) }) },
  'LiftEventsAnswer',
);
export type LiftEventsAnswer = Readonly<t.TypeOf<typeof LiftEventsAnswer>>;

/** POST /cloud-lift/v1/lift?qid= : evaluates events for queries that are not shipped to the page (spec S§7). */
export const liftEvents: Endpoint<LiftEventsRequest, LiftEventsAnswer> = {
  method: 'POST',
  prefix: '/cloud-lift',
  version: 'v1',
  path: 'lift',
  body: LiftEventsRequest,
  responseType: 'json',
  answer: LiftEventsAnswer,
};
