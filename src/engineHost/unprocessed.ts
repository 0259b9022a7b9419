import { map, type Observable, of } from 'rxjs';

import { isRecord } from '../codecs/codecs';
import type { Event, KeptEvent, NumberedEvent } from '../model/event';
import { timeOf } from '../primitives/isoDate';
import type { ClaimDeps } from './claiming';
import { type Counted, isCounted, nothingCounted } from './counted';
import { endedPages } from './endedPages';

// A page that is hidden may be killed without another word, or go on. The completion of its view is provisional: it is
// stored beside the state, and the engine of a later page counts it once its own page has ended without another event
// (spec S§3, S§4: `unprocessed_pageview_complete`; docs/decisions/062-completion-of-hidden-pages.md). The tabs of a
// browser share the state, so there is one for each page.

/** Provisional events that are stored, at most: those of the pages that were hidden last. */
export const maxUnprocessed = 8;

/** Reads the stored events. What is no event is left out. */
export const readUnprocessed = (stored: unknown): readonly NumberedEvent[] =>
  Array.isArray(stored) ? (stored as unknown[]).filter(isNumberedEvent) : [];

const isNumberedEvent = (input: unknown): input is NumberedEvent =>
  isStoredEvent(input) && typeof input['page'] === 'string' && Number.isFinite(input['number']);

/** Whether something that was stored is an event. */
export const isStoredEvent = (input: unknown): input is Event & Readonly<Record<string, unknown>> =>
  isRecord(input) &&
  isRecord(input['properties']) &&
  ['id', 'name', 'time'].every((field) => typeof input[field] === 'string') &&
  Number.isFinite(timeOf(String(input['time'])));

/** The stored provisional events, with that of this page in the place of its earlier one, without what has counted. */
export const withProvisional = (
  stored: readonly NumberedEvent[],
  own: NumberedEvent | undefined,
  { counted, page }: { readonly counted: Counted; readonly page: string },
): readonly NumberedEvent[] =>
  [...stored.filter((event) => event.page !== page), ...(own ? [own] : [])]
    .filter((event) => !isCounted(counted, event, page))
    .slice(-maxUnprocessed);

/** The stored provisional events, and all events that are known of their pages. */
interface Known {
  readonly chunk: { readonly counted: Counted | undefined; readonly unprocessed: readonly NumberedEvent[] };
  readonly events: readonly KeptEvent[];
  readonly left: readonly NumberedEvent[];
}

/**
 * Emits once: the provisional events of other pages that have ended, as events to be counted. A later event of the page
 * has taken the place of a provisional one. Where the browser has no locks nobody knows whether a page has ended, so
 * none is counted.
 */
export const endedEvents = (
  { chunk: { counted = nothingCounted, unprocessed }, events, left }: Known,
  own: string,
  hold: ClaimDeps['hold'],
): Observable<readonly NumberedEvent[]> => {
  const isReplaced = ({ page, number }: NumberedEvent): boolean =>
    [...events, ...left].some((event) => event.page === page && Number(event.number) > number);
  const waiting = [...unprocessed, ...left.filter(({ provisional }) => provisional === true)].filter(
    (event) => event.page !== own && !isCounted(counted, event, own) && !isReplaced(event),
  );
  if (hold === null || waiting.length === 0) return of([]);
  return endedPages(
    waiting.map(({ page }) => page),
    hold,
  ).pipe(
    map((ended) => waiting.flatMap((event) => (ended.has(event.page) ? [{ ...event, provisional: undefined }] : []))),
  );
};
