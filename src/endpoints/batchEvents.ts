import * as t from 'io-ts';

import { batchTexts, type EventResult } from './batchTexts';
import type { Endpoint } from './endpoint';
import { bodyOfType } from './ioTs';

/**
 * An event as it is uploaded: with the visitor's id and cohorts of the moment when it was tracked (spec C§3).
 * `segments` are those cohorts that have a number, `cohorts` all of them as text. `time` is ISO 8601.
 */
export const UploadedEvent = t.exact(
  t.intersection([
    t.type({
      id: t.string,
      user_id: t.string,
      name: t.string,
      time: t.string,
      segments: t.array(t.number),
      cohorts: t.array(t.string),
      properties: t.UnknownRecord,
      session_id: t.string,
      view_id: t.string,
    }),
    /** The visitor's group, where the project has an experiment. */
    t.partial({ experiment_group: t.keyof({ control: null, exposed: null }) }),
  ]),
  'UploadedEvent',
);
export type UploadedEvent = t.TypeOf<typeof UploadedEvent>;

/** The same call as `batchTexts`, with the events as such. */
export const batchEvents: Endpoint<readonly UploadedEvent[], readonly EventResult[]> = {
  ...batchTexts,
  body: bodyOfType(t.readonlyArray(UploadedEvent)),
};
