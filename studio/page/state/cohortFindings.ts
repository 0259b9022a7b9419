import type { ProjectFinding } from '../../../project/check/finding';
import type { StudioProject } from '../../protocol';

const isWithin = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`);

/** What the check finds in a cohort’s query. */
export const queryFindings = ({ findings }: StudioProject, id: string): readonly ProjectFinding[] =>
  findings.filter(({ path }) => isWithin(path, `queries/${id}`));

/** What the check finds in what buyers are told of a cohort: under `taxonomies`, and under `pps` by taxonomy. */
export const buyersFindings = ({ findings }: StudioProject, id: string): readonly ProjectFinding[] =>
  findings.filter(({ path }) => {
    const [, taxonomy] = path.split('/');
    return isWithin(path, `taxonomies/${id}`) || isWithin(path, `pps/${taxonomy}/${id}`);
  });
