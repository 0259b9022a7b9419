import type { Query } from './query';

interface Platform {
  readonly trigger: 'EveryTime' | 'OnEntry' | 'OnExit';
  /** Cohorts that carry one of these tags go to the platform. */
  readonly tags: readonly string[];
}

// Sensitive interests are computed for the newsroom's own use and never leave for an ad platform.
const sensitive = 'sensitive';

const platforms: Readonly<Record<string, Platform>> = {
  dfp: {
    trigger: 'EveryTime',
    tags: ['section', 'newsletter', 'topic', 'engagement', 'combination', 'advertising', 'lookalike', 'standard'],
  },
  appnexus_adserver: { trigger: 'OnEntry', tags: ['section', 'topic', 'combination', 'lookalike', 'standard'] },
  rubicon_ssp: { trigger: 'EveryTime', tags: ['topic', 'combination'] },
  nativo: { trigger: 'EveryTime', tags: ['service', 'newsletter'] },
  freewheel: { trigger: 'EveryTime', tags: ['engagement', 'markets'] },
  pubmatic: { trigger: 'EveryTime', tags: ['money', 'combination', 'standard'] },
  ix: { trigger: 'EveryTime', tags: ['business', 'money'] },
  openx: { trigger: 'EveryTime', tags: ['tech', 'money'] },
  curation_platforms: { trigger: 'EveryTime', tags: ['money', 'standard'] },
  segment_sync: { trigger: 'EveryTime', tags: ['tech', 'money'] },
  amp: { trigger: 'EveryTime', tags: ['tech', 'money'] },
};

const goesTo = ({ tags }: Query, platform: Platform): boolean =>
  !tags.includes(sensitive) && tags.some((tag) => platform.tags.includes(tag));

/** `services`: standard cohorts that no query finds, but a service. */
export const platformCohorts = (queries: readonly Query[], services: readonly number[]): Record<string, number[]> =>
  Object.fromEntries(
    Object.entries(platforms).map(([name, platform]) => [
      name,
      [
        ...queries.filter((query) => goesTo(query, platform)).map(({ id }) => Number(id)),
        ...(platform.tags.includes('standard') ? services : []),
      ],
    ]),
  );

export const withActivations = (query: Query): Query => {
  const wanted = Object.entries(platforms).filter(([, platform]) => goesTo(query, platform));
  return wanted.length === 0
    ? query
    : { ...query, activations: Object.fromEntries(wanted.map(([name, { trigger }]) => [name, { trigger }])) };
};
