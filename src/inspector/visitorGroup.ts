import type { CohortId, ExperimentGroup } from '../model/cohort';
import type { InspectedPage } from './inspectedPage';

/**
 * The visitor's group in the experiment of the project; of a cohort, the group that counts for it. Undefined without an
 * experiment that is about it, and while the page has no user id.
 */
export const visitorGroup = (
  { tag, world: { experiment } }: Pick<InspectedPage, 'tag' | 'world'>,
  cohort?: CohortId,
): ExperimentGroup | undefined => {
  const { user_id: userId } = Object(tag['context']) as { readonly user_id?: unknown };
  return typeof userId === 'string' && userId !== '' ? experiment.groupOf(userId, cohort) : undefined;
};
