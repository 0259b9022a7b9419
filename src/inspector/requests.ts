import { isRecord } from '../codecs/codecs';
import { effectsIn } from './chains';
import type { LogEntry } from './logEntry';
import { shortText } from './shortText';

/** One request as it stands at present. */
export type RequestView = ReturnType<typeof requestsIn>[number];

/** The requests of the log, the latest first. Secrets of an address, such as the key, are left out. */
export const requestsIn = (entries: readonly LogEntry[]) => {
  const uploads = entries.filter(({ lane }) => lane === 'uploads');
  return uploads
    .filter(({ type }) => type === 'request' || type === 'beacon')
    .map((entry) => {
      const data = isRecord(entry.data) ? entry.data : {};
      const answer = effectsIn(entry, uploads).find((each) => isRecord(statusHolder(each.data)));
      const status = answer && statusHolder(answer.data)?.['status'];
      return {
        id: entry.id,
        t: entry.t,
        method: shortText(data['method']),
        url: shortText(data['url'] ?? data['path']).replace(/\?.*/, ''),
        /** Events in its body, or null where the log has no body. */
        events: eventCount(data['body']),
        /** Null before the answer, or where the log has none. */
        status: typeof status === 'number' ? status : null,
        /** Ms until the answer. */
        tookMs: answer ? answer.t - entry.t : null,
      };
    })
    .reverse();
};

/** The part of an answer's entry that has the status. An answer is noted as the value of its stream. */
const statusHolder = (data: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (!isRecord(data)) return undefined;
  if ('status' in data) return data;
  return Object.values(data).find((value): value is Record<string, unknown> => isRecord(value) && 'status' in value);
};

const eventCount = (body: unknown): number | null => {
  if (typeof body !== 'string' || !body.startsWith('[')) return null;
  try {
    const events: unknown = JSON.parse(body);
    return Array.isArray(events) ? events.length : null;
  } catch {
    return null;
  }
};

/** Whether a delivery has ended without the server's accepting the event. */
export const isLost = ({ data }: LogEntry): boolean => isRecord(data) && 'error' in data;

/** Of the events that were made, how many the server has accepted and how many were given up. */
export const deliveryCounts = (
  entries: readonly LogEntry[],
): { readonly made: number; readonly accepted: number; readonly lost: number } => {
  const delivered = entries.filter(({ lane, type }) => lane === 'uploads' && type === 'delivered');
  return {
    made: entries.filter(({ lane }) => lane === 'events').length,
    accepted: delivered.filter((entry) => !isLost(entry)).length,
    lost: delivered.filter(isLost).length,
  };
};
