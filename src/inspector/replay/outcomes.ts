import { isRecord } from '../../codecs/codecs';
import { json } from '../../hardening/plainJson';
import type { LogLine } from '../logEntry';

/** What a visit has led to, without the times at which it happened: a transition, or an event that was uploaded. */
export type ReplayOutcome =
  | { readonly lane: 'transitions'; readonly type: string; readonly cohort: string }
  | { readonly lane: 'uploads'; readonly type: string; readonly event: string; readonly properties: unknown };

/** The transitions that were published, and the events in the bodies of uploads, each at its first attempt. */
export const outcomes = (lines: readonly LogLine[]): readonly ReplayOutcome[] => {
  const uploaded = new Set<string>();
  return lines.flatMap(({ lane, type, data }): readonly ReplayOutcome[] => {
    if (!isRecord(data)) return [];
    if (lane === 'transitions') return [{ lane, type, cohort: String(data['id']) }];
    if (lane !== 'uploads' || (type !== 'request' && type !== 'beacon')) return [];
    return uploadedEvents(data['body']).flatMap(({ id, name, properties }) => {
      if (uploaded.has(id)) return [];
      uploaded.add(id);
      return [{ lane, type: name, event: id, properties }];
    });
  });
};

interface ReplayedEvent {
  readonly id: string;
  readonly name: string;
  readonly properties: unknown;
}

const uploadedEvents = (body: unknown): readonly ReplayedEvent[] => {
  const parsed = typeof body === 'string' ? json.parse(body) : undefined;
  return Array.isArray(parsed) ? parsed.filter(isUploadedEvent) : [];
};

const isUploadedEvent = (item: unknown): item is ReplayedEvent =>
  isRecord(item) && typeof item['id'] === 'string' && typeof item['name'] === 'string';

/**
 * What the log has and the replay has not, or the other way about, in words. The earliest difference comes first. Ids
 * of events are not compared: of two events that browsers make within some ms, each may get the id of the other.
 */
export const differences = (
  recorded: readonly ReplayOutcome[],
  replayed: readonly ReplayOutcome[],
): readonly string[] =>
  [
    ...notReplayed(recorded, replayed).map(({ text, place }) => ({ text: `only in the log: ${text}`, place })),
    ...notReplayed(replayed, recorded).map(({ text, place }) => ({ text: `only in the replay: ${text}`, place })),
  ]
    .sort((a, b) => a.place - b.place)
    .map(({ text }) => text);

/** The outcomes of a list that another list has not, or not as often, with their places. */
const notReplayed = (outcomes: readonly ReplayOutcome[], others: readonly ReplayOutcome[]) => {
  const left = others.map(comparedText);
  return outcomes.flatMap((outcome, place) => {
    const at = left.indexOf(comparedText(outcome));
    if (at === -1) return [{ text: json.stringify(outcome), place }];
    left.splice(at, 1);
    return [];
  });
};

const comparedText = (outcome: ReplayOutcome): string =>
  json.stringify(outcome.lane === 'uploads' ? { ...outcome, event: '' } : outcome);
