import type { ReactElement } from 'react';

import type { ExperimentSizes } from '../../protocol';
import { SortedTable } from '../parts/SortedTable';
import { count, counted, decimal, share } from '../parts/words';

interface GroupTableProps {
  readonly experiment: ExperimentSizes;
  /** Visitors of all groups. */
  readonly visitors: number;
}

/** How large the cohort is in both groups of the experiment. */
export const GroupTable = ({ experiment, visitors }: GroupTableProps): ReactElement => {
  const { percent, control, exposed, unknown } = experiment;
  return (
    <>
      <p>
        The experiment of the file puts {decimal(percent)} % of the visitors into the control group. Nobody is told
        which of them are members.
      </p>
      <SortedTable
        caption="Groups of the experiment"
        rows={[
          { group: 'Control', size: control },
          { group: 'Exposed', size: exposed },
        ]}
        keyOf={({ group }) => group}
        columns={[
          { title: 'Group', cell: ({ group }) => group },
          { title: 'Visitors', isNumber: true, cell: ({ size }) => count.format(size.visitors) },
          { title: 'Of all visitors', isNumber: true, cell: ({ size }) => share(size.visitors, visitors) },
          { title: 'Members', isNumber: true, cell: ({ size }) => count.format(size.members) },
          { title: 'Of the group', isNumber: true, cell: ({ size }) => share(size.members, size.visitors) },
        ]}
      />
      {unknown > 0 && (
        <p className="soft">{counted(unknown, 'visitor')} without a user id in the visits: in neither group.</p>
      )}
    </>
  );
};
