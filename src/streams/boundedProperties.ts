import { jsonBytes, jsonValue } from '../hardening/jsonValue';
import type { ClientContext, Properties } from '../model/event';
import type { Report } from '../model/report';
import { sumOf } from '../primitives/lists';

/** Bytes of the client context but its texts: the names of its fields, and what stands between them. */
const frameBytes = 100;

/**
 * The properties of an event with its client context, together in the bytes that an event may have. What JSON cannot
 * hold or what has no room is dropped and reported; the client context is always there.
 */
export const boundedProperties = (
  name: string,
  properties: Properties,
  client: ClientContext,
  report: Report,
): Properties => {
  // The path holds names that the page has made up. The console shows it; an error report quotes no such error.
  const onDrop = (path: string, reason: string): void =>
    report(`Event ${name}: dropped ${reason}`, new Error(`at ${path}`));
  const taken = frameBytes + sumOf(Object.values(client), (text: string) => jsonBytes(text));
  return { ...(jsonValue(properties, onDrop, taken) as Properties), client };
};
