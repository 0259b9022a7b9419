/** A cohort, segment or query id: the three words name the same thing. Ids are text; most are numbers in text. */
export type CohortId = string;

/** In which group of the project's experiment a visitor is. Nobody is told of the cohorts of the control group. */
export type ExperimentGroup = 'control' | 'exposed';

const suffixes = ['-ac', '-aw', '-c'];
const firstStandard = 10_000_000;

/** Cohort codes ending in -ac, -aw or -c lose that suffix before delivery (spec S§5). */
export const withoutSuffix = (code: string): string => {
  const suffix = suffixes.find((end) => code.endsWith(end));
  return suffix === undefined ? code : code.slice(0, -suffix.length);
};

/** Standard cohorts are numbered from 10,000,000; everything else is custom (spec S§4). */
export const isStandard = (id: CohortId): boolean => Number(withoutSuffix(id)) >= firstStandard;

/** A cohort as publishers see it: a number where it is one. */
export const codeOf = (id: CohortId): number | string => (/^\d{1,15}$/.test(id) ? Number(id) : id);

/**
 * Whether an event of this name tells that the visitor entered or left a cohort. Such events come from the engine,
 * which counted the transition when it happened and therefore does not evaluate them.
 */
export const isTransition = (name: string): boolean => name === 'SegmentEntry' || name === 'SegmentExit';
