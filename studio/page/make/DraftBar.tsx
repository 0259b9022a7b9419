import type { ReactElement } from 'react';

import { Confirmed } from '../parts/Confirmed';
import { useStudio, useStudioState } from '../parts/studioContext';
import { clockText } from '../parts/words';
import { type Draft, standingOf } from '../state/drafts';
import { keyOf } from '../state/studio';

interface DraftBarProps {
  readonly id: string | undefined;
  readonly draft: Draft;
  readonly isFixed: boolean;
}

/** What can be done with a draft: a step back or forward, saving it, putting it away, removing the cohort. */
export const DraftBar = ({ id, draft, isFixed }: DraftBarProps): ReactElement => {
  const { studio, go } = useStudio();
  const { project, others } = useStudioState();
  const standing = standingOf(project, id, draft);
  const elsewhere = others.filter(({ cohort }) => cohort === keyOf(id));
  const canSave = standing === 'changed' && !isFixed;
  return (
    <div className="bar">
      <button type="button" aria-disabled={draft.past.length === 0} onClick={() => studio.undo(id)}>
        Undo
      </button>
      <button type="button" aria-disabled={draft.future.length === 0} onClick={() => studio.redo(id)}>
        Redo
      </button>
      <button
        type="button"
        className="main"
        aria-disabled={!canSave}
        onClick={() =>
          canSave && studio.save(id).subscribe((saved) => saved !== id && go({ view: 'make', cohort: saved }))
        }
      >
        Save in {project.file}
      </button>
      {standing !== 'unchanged' && draft.at > 0 && (
        <Confirmed
          label="Discard"
          question="Put the draft away?"
          answer="Discard it"
          onConfirm={() => studio.discard(id)}
        />
      )}
      {id !== undefined && !isFixed && (
        <Confirmed
          label="Remove the cohort"
          question={`Remove cohort ${id} from the file?`}
          answer="Remove it"
          onConfirm={() => studio.remove(id).subscribe(() => go({ view: 'cohorts' }))}
        />
      )}
      <span className="soft" data-test="standing">
        {standing === 'unchanged'
          ? 'As in the file'
          : `Draft, kept in this browser${draft.at > 0 ? ` at ${clockText(draft.at)}` : ''}`}
      </span>
      {elsewhere.map((other) => (
        <p key={other.window} className="notice" data-test="elsewhere">
          Another window has a draft of this cohort, changed at {clockText(other.draft.at)}.{' '}
          <button type="button" className="small" onClick={() => studio.takeOver(other)}>
            Show it here
          </button>
        </p>
      ))}
    </div>
  );
};
