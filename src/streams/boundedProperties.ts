import { jsonBytes, jsonValue } from '../hardening/jsonValue';
import type { ClientContext, Properties } from '../model/event';
import type { Report } from '../model/report';

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
  const taken = Object.values(client).reduce<number>((sum, text: string) => sum + jsonBytes(text), frameBytes);
  return { ...(jsonValue(properties, onDrop, taken) as Properties), client };
};
