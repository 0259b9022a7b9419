import { type ReactElement, useId, useState } from 'react';

import type { StudioCohort } from '../protocol';
import { useStudio, useStudioState } from './parts/studioContext';
import { counted } from './parts/words';
import { buyersFindings, queryFindings } from './state/cohortFindings';
import { standingOf } from './state/drafts';
import { keyOf, type StudioState } from './state/studio';

/** All cohorts of the file, with what is to be known of each at a glance. */
export const CohortList = ({ chosen }: { readonly chosen: string | undefined }): ReactElement => {
  const { link } = useStudio();
  const state = useStudioState();
  const [wanted, setWanted] = useState('');
  const search = useId();
  const { cohorts } = state.project;
  const shown = cohorts.filter((cohort) => isWanted(cohort, wanted));
  return (
    <>
      <h2 id="cohorts-title">Cohorts</h2>
      <p>
        <a className="button main" href={link({ view: 'make', cohort: undefined })}>
          New cohort
        </a>
        {state.drafts['new'] !== undefined && <span className="badge">draft</span>}
      </p>
      <label htmlFor={search}>Search</label>
      <input id={search} type="search" value={wanted} onChange={({ target }) => setWanted(target.value)} />
      <p role="status" className="soft">
        {wanted === '' ? counted(cohorts.length, 'cohort') : `${shown.length} of ${counted(cohorts.length, 'cohort')}`}
      </p>
      <ul className="cohorts">
        {shown.map((cohort) => (
          <CohortLine
            key={cohort.definition.id}
            cohort={cohort}
            state={state}
            href={link({ view: 'make', cohort: cohort.definition.id })}
            isChosen={cohort.definition.id === chosen}
          />
        ))}
      </ul>
    </>
  );
};

const isWanted = ({ definition }: StudioCohort, wanted: string): boolean =>
  wanted === '' || JSON.stringify(definition).toLowerCase().includes(wanted.trim().toLowerCase());

interface CohortLineProps {
  readonly cohort: StudioCohort;
  readonly state: StudioState;
  readonly href: string;
  readonly isChosen: boolean;
}

const CohortLine = ({ cohort, state, href, isChosen }: CohortLineProps): ReactElement => {
  const { id, name, q, sub } = cohort.definition;
  const { project, drafts, others } = state;
  const findings = [...queryFindings(project, id), ...buyersFindings(project, id)];
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const draft = drafts[keyOf(id)];
  const standing = draft === undefined ? 'unchanged' : standingOf(project, id, draft);
  const bytes = new TextEncoder().encode(JSON.stringify({ id, q, sub })).length;
  return (
    <li>
      <a href={href} aria-current={isChosen ? 'page' : undefined}>
        <span className="title">{name ?? `Cohort ${id}`}</span>
        <span className="soft">
          {id}
          {project.codes[id] !== undefined && project.codes[id] !== id && ` · code ${project.codes[id]}`} · {bytes}{' '}
          bytes
          {cohort.examples.length > 0 && ` · ${counted(cohort.examples.length, 'example')}`}
        </span>
        <span className="badges">
          {errors > 0 && <span className="badge error">{counted(errors, 'error')}</span>}
          {findings.length > errors && (
            <span className="badge warning">{counted(findings.length - errors, 'warning')}</span>
          )}
          {standing === 'conflict' && <span className="badge error">changed in the file</span>}
          {standing === 'changed' && <span className="badge">draft</span>}
          {others.some((other) => other.cohort === keyOf(id)) && <span className="badge">draft in another window</span>}
          {cohort.fixed !== undefined && <span className="badge">made by code</span>}
        </span>
      </a>
    </li>
  );
};
