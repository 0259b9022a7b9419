import type { UploadedEvent } from '../../src/endpoints/batchEvents';

/** What counts of a user: the cohorts of the latest event. `time` is in ms since 1970, by the clock of the browser. */
export interface Latest {
  readonly time: number;
  readonly event: string;
  readonly cohorts: readonly string[];
}

/** What an event says of its user; undefined where its time cannot be read. */
export const latestOf = ({ id, time, cohorts }: UploadedEvent): Latest | undefined => {
  const at = Date.parse(time);
  return Number.isNaN(at) ? undefined : { time: at, event: id, cohorts };
};

/**
 * The later of two. The order in which events come does not matter, and neither does how often one comes, so a message
 * that is delivered again changes nothing.
 */
export const later = (a: Latest, b: Latest): Latest => (compare(a, b) < 0 ? b : a);

const compare = (a: Latest, b: Latest): number => {
  if (a.time !== b.time) return a.time - b.time;
  // Any order will do for events of one moment, as long as it is always the same.
  const [textA, textB] = [a, b].map(({ event, cohorts }) => JSON.stringify([event, cohorts])) as [string, string];
  return textA < textB ? -1 : textA > textB ? 1 : 0;
};

/** Users by cohort: how many have each cohort in their latest event. */
export const cohortSizes = (users: Iterable<Latest>): ReadonlyMap<string, number> => {
  const sizes = new Map<string, number>();
  for (const { cohorts } of users)
    for (const cohort of new Set(cohorts)) sizes.set(cohort, (sizes.get(cohort) ?? 0) + 1);
  return sizes;
};
