import { isRecord } from '../codecs/codecs';
import type { Lane } from './logEntry';

/** Fields of DOM events that the SDK reads and JSON can hold. */
const notedFields = [
  'isTrusted',
  'key',
  'newValue',
  'persisted',
  'button',
  'effectiveDirective',
  'disposition',
  'blockedURI',
] as const;

/** What is noted of a DOM event. */
export const domSignal = (event: unknown): Readonly<Record<string, unknown>> => {
  const given = event as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    notedFields
      .map((name) => [name, given[name]] as const)
      .filter(([, value]) => ['string', 'boolean', 'number'].includes(typeof value) || value === null),
  );
};

/** The lane of a DOM event: a signal at the first part that hears it, and nothing to look at for the others. */
export const signalLane =
  (seen: WeakSet<object>) =>
  (event: unknown): Lane => {
    if (!isRecord(event)) return 'signals';
    const isKnown = seen.has(event);
    seen.add(event);
    return isKnown ? 'door' : 'signals';
  };
