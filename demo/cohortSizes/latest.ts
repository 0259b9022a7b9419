import type { UploadedEvent } from '../../src/endpoints/batchEvents';
import type { ExperimentGroup } from '../../src/model/cohort';

/** What counts of a user: the cohorts of the latest event. `time` is in ms since 1970, by the clock of the browser. */
export interface Latest {
  readonly time: number;
  readonly event: string;
  readonly cohorts: readonly string[];
  /** The user's group, where the project had an experiment then. */
  readonly group?: ExperimentGroup;
}

/** What an event says of its user; undefined where its time cannot be read. */
export const latestOf = ({ id, time, cohorts, experiment_group: group }: UploadedEvent): Latest | undefined => {
  const at = Date.parse(time);
  return Number.isNaN(at) ? undefined : { time: at, event: id, cohorts, ...(group && { group }) };
};

/**
 * The later of two. The order in which events come does not matter, and neither does how often one comes, so a message
 * that is delivered again changes nothing.
 */
export const later = (a: Latest, b: Latest): Latest => (compare(a, b) < 0 ? b : a);

const compare = (a: Latest, b: Latest): number => {
  if (a.time !== b.time) return a.time - b.time;
  // Any order will do for events of one moment, as long as it is always the same.
  const [textA, textB] = [a, b].map(({ event, cohorts, group }) => JSON.stringify([event, cohorts, group])) as [
    string,
    string,
  ];
  return textA < textB ? -1 : textA > textB ? 1 : 0;
};

/** How many users there are, and how many have each cohort in their latest event. */
export interface Sizes {
  readonly users: number;
  readonly cohorts: Readonly<Record<string, number>>;
}

const sizesOf = (users: readonly Latest[]): Sizes => {
  const cohorts = new Map<string, number>();
  for (const user of users)
    for (const cohort of new Set(user.cohorts)) cohorts.set(cohort, (cohorts.get(cohort) ?? 0) + 1);
  return { users: users.length, cohorts: Object.fromEntries(cohorts) };
};

/**
 * The sizes of all users, and those of both groups where any user is in one. Users of whom nothing was heard since the
 * experiment began are in no group.
 */
export const cohortSizes = (
  latest: Iterable<Latest>,
): Sizes & { readonly groups?: Readonly<Record<ExperimentGroup, Sizes>> } => {
  const users = [...latest];
  const of = (wanted: ExperimentGroup): Sizes => sizesOf(users.filter(({ group }) => group === wanted));
  const [control, exposed] = [of('control'), of('exposed')];
  return { ...sizesOf(users), ...(control.users + exposed.users > 0 && { groups: { control, exposed } }) };
};
