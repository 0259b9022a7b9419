import type { ReactElement } from 'react';

import { BuyersView } from './buyers/BuyersView';
import { MakeView } from './make/MakeView';
import { useStudio, useStudioState } from './parts/studioContext';
import { Tabs } from './parts/Tabs';
import { SizeView } from './size/SizeView';
import type { CohortView } from './state/route';
import { draftIn } from './state/studio';
import { TestView } from './visitors/TestView';

interface CohortPageProps {
  readonly id: string | undefined;
  readonly view: CohortView;
}

/**
 * One cohort: made, sized, tested and told to buyers under a tab each. The first three take the draft, where there is
 * one.
 */
export const CohortPage = ({ id, view }: CohortPageProps): ReactElement => {
  const { go } = useStudio();
  const state = useStudioState();
  const draft = draftIn(state, id);
  const cohort = state.project.cohorts.find(({ definition }) => definition.id === id);
  if (draft === undefined)
    return (
      <>
        <h2>Cohort {id}</h2>
        <p>There is no such cohort in {state.project.file}.</p>
      </>
    );
  return (
    <>
      <h2>
        {id === undefined ? 'New cohort' : (cohort?.definition.name ?? `Cohort ${id}`)}{' '}
        {id !== undefined && cohort?.line !== undefined && (
          <span className="soft where">
            {id}, line {cohort.line}
          </span>
        )}
      </h2>
      <Tabs
        id="cohort"
        label="What to do with the cohort"
        tabs={{ make: 'Make', size: 'Size', test: 'Test', buyers: 'Buyers' }}
        chosen={view}
        onChoose={(name) => go({ view: name, cohort: id })}
      />
      <div role="tabpanel" id={`cohort-panel-${view}`} aria-labelledby={`cohort-tab-${view}`}>
        {view === 'make' ? (
          <MakeView id={id} draft={draft} fixed={cohort?.fixed} />
        ) : view === 'size' ? (
          <SizeView text={draft.text} />
        ) : view === 'test' ? (
          <TestView id={id} text={draft.text} examples={cohort?.examples ?? []} />
        ) : (
          <BuyersView id={id} buyers={cohort?.buyers} />
        )}
      </div>
    </>
  );
};
