import type { ReactElement } from 'react';

import { prettyJson } from '../form/prettyJson';
import { useStudio, useStudioState } from '../parts/studioContext';
import { type Draft, standingOf } from '../state/drafts';

interface ConflictProps {
  readonly id: string | undefined;
  readonly draft: Draft;
}

/** Both versions of a cohort that was changed in the file since its draft was made. The person takes one. */
export const Conflict = ({ id, draft }: ConflictProps): ReactElement | null => {
  const { studio } = useStudio();
  const { project } = useStudioState();
  if (standingOf(project, id, draft) !== 'conflict') return null;
  const theirs = project.cohorts.find(({ definition }) => definition.id === id)?.definition;
  return (
    <section aria-labelledby="conflict" className="conflict">
      <h3 id="conflict">This cohort was changed in the file</h3>
      <p>Nothing is overwritten until you choose.</p>
      <div className="sides">
        <div>
          <h4>In the file now</h4>
          <pre tabIndex={0} aria-label="In the file now">
            {theirs === undefined ? 'The cohort is no longer there.' : prettyJson(theirs, 50)}
          </pre>
          <button type="button" onClick={() => studio.discard(id)}>
            Take theirs
          </button>
        </div>
        <div>
          <h4>Your draft</h4>
          <pre tabIndex={0} aria-label="Your draft">
            {draft.text}
          </pre>
          <button type="button" onClick={() => studio.keepMine(id)}>
            Keep mine
          </button>
        </div>
      </div>
    </section>
  );
};
