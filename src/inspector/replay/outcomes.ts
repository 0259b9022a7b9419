import { isRecord } from '../../model/codecs';
import type { LogLine } from '../../model/logEntry';
import { json } from '../../model/plainJson';

/** What a visit has led to, without the times at which it happened: a transition, or an event that was uploaded. */
export type Outcome =
  | { readonly lane: 'transitions'; readonly type: string; readonly cohort: string }
  | { readonly lane: 'uploads'; readonly type: string; readonly event: string; readonly properties: unknown };

/** The transitions that were published, and the events in the bodies of uploads, each at its first attempt. */
export const outcomes = (lines: readonly LogLine[]): readonly Outcome[] => {
  const uploaded = new Set<string>();
  return lines.flatMap(({ lane, type, data }): readonly Outcome[] => {
    if (!isRecord(data)) return [];
    if (lane === 'transitions') return [{ lane, type, cohort: String(data['id']) }];
    if (lane !== 'uploads' || (type !== 'request' && type !== 'beacon')) return [];
    return eventsIn(data['body']).flatMap(({ id, name, properties }) => {
      if (uploaded.has(id)) return [];
      uploaded.add(id);
      return [{ lane, type: name, event: id, properties }];
    });
  });
};

interface UploadedEvent {
  readonly id: string;
  readonly name: string;
  readonly properties: unknown;
}

const eventsIn = (body: unknown): readonly UploadedEvent[] => {
  const parsed = typeof body === 'string' ? json.parse(body) : undefined;
  return Array.isArray(parsed) ? parsed.filter(isEvent) : [];
};

const isEvent = (item: unknown): item is UploadedEvent =>
  isRecord(item) && typeof item['id'] === 'string' && typeof item['name'] === 'string';

/**
 * What the log has and the replay has not, or the other way about, in words. The first of them comes first. Ids of
 * events are not compared: of two events that browsers make within some ms, each may get the id of the other.
 */
export const differences = (recorded: readonly Outcome[], replayed: readonly Outcome[]): readonly string[] =>
  [
    ...missing(recorded, replayed).map(({ text, place }) => ({ text: `only in the log: ${text}`, place })),
    ...missing(replayed, recorded).map(({ text, place }) => ({ text: `only in the replay: ${text}`, place })),
  ]
    .sort((a, b) => a.place - b.place)
    .map(({ text }) => text);

/** The outcomes of a list that another list has not, or not as often, with their places. */
const missing = (outcomes: readonly Outcome[], others: readonly Outcome[]) => {
  const left = others.map(comparedText);
  return outcomes.flatMap((outcome, place) => {
    const at = left.indexOf(comparedText(outcome));
    if (at === -1) return [{ text: json.stringify(outcome), place }];
    left.splice(at, 1);
    return [];
  });
};

const comparedText = (outcome: Outcome): string =>
  json.stringify(outcome.lane === 'uploads' ? { ...outcome, event: '' } : outcome);
