import { useCallback, useSyncExternalStore } from 'react';

import type { Stage } from '../model/pageContext';
import type { CohortCode, CohortGroup } from '../page/permutive';
import type { Code } from './pageStreams';
import { usePageLink } from './PermutiveProvider';
import type { StateStore } from './stateStore';

const useStore = <State>({ subscribe, current, initial }: StateStore<State>): State =>
  useSyncExternalStore(subscribe, current, initial);

/**
 * Whether the SDK has reached a stage: `initialised`, from which on its methods answer, or `realtime`, from which on
 * the cohorts are those that this page has evaluated. True where the visitor has refused, because nothing is to come.
 * False on a server, and for good where the script is blocked.
 */
export const useReady = (stage: Stage = 'initialised'): boolean => useStore(usePageLink().reached[stage]);

/**
 * Codes of the visitor's cohorts in a group, as `permutive.segments` answers them; by default all. The list is the same
 * object until it changes. Empty on a server, before the SDK has started, and without consent. Until `realtime` they
 * are those of the last page.
 */
export const useCohorts = (group: CohortGroup | (string & Record<never, never>) = 'all'): readonly Code[] =>
  useStore(usePageLink().codes(group));

/**
 * Whether the visitor is in a cohort. The component renders again when that changes, not with each change of another
 * cohort.
 */
export const useCohort = (code: CohortCode): boolean => {
  const { subscribe, current } = usePageLink().codes('all');
  const isMember = useCallback(() => current().some((each) => String(each) === String(code)), [current, code]);
  return useSyncExternalStore(subscribe, isMember, isNoMember);
};

const isNoMember = (): boolean => false;

/**
 * Codes that a platform such as `dfp` or `appnexus` gets: those of the visitor's cohorts that are activated there.
 * Empty where `useCohorts` is.
 */
export const useActivation = (platform: string): readonly Code[] => useCohorts(platform);
