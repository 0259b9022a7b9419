import { type ReactElement, useEffect, useRef, useState } from 'react';

import { type Cohorts, noCohorts } from '../../model/cohorts';
import {
  type CohortFilter,
  cohortList,
  type CohortView,
  filteredCohorts,
  noFilter,
  type Source,
  sources,
} from '../cohortList';
import { Cohort } from './Cohort';
import type { PanelProps } from './panelProps';
import { Choice, Table } from './parts';

/** Rows that are drawn, unless somebody asks for all. A project may have thousands of cohorts. */
const maxRows = 200;

/**
 * Cohorts that the visitor is in and is not in, by name and by where they come from, and why: the clauses with what
 * the visitor has and needs, and the ways to partners with their broken links.
 */
export const CohortsPanel = (props: PanelProps): ReactElement => {
  const { entries, page, log, defined } = props;
  const [filter, setFilter] = useState(noFilter);
  const [chosen, setChosen] = useState<string>();
  const [isWhole, setIsWhole] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  // On a phone it is above the list, and may be out of sight.
  useEffect(() => {
    if (chosen !== undefined) place.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const latest = entries.filter(({ lane, type }) => lane === 'cohorts' && type === 'cohorts').at(-1);
  const cohorts = (latest?.data ?? noCohorts) as Cohorts;
  const { project } = page.world;
  const ofPage = codesOfPage(page.tag);
  const views = cohortList({ cohorts, defined, project, entries, isComplete: log.isComplete, ofPage });
  const found = filteredCohorts(views, filter);
  const shown = isWhole ? found : found.slice(0, maxRows);
  const view = views.find(({ id }) => id === chosen);
  return (
    <div className="split">
      <div>
        <Filters filter={filter} views={views} onChange={setFilter} />
        <p className="soft" role="status">
          {`${found.length} of ${views.length} cohorts. The visitor is in ${cohorts.members.length}, `}
          {cohorts.isRealtime ? 'evaluated on this page.' : 'as the last page stored them.'}
          {Object.keys(defined).length === 0 && ' The file with their names could not be loaded.'}
        </p>
        <Rows views={shown} chosen={chosen} onChoose={setChosen} />
        {shown.length < found.length && (
          <button type="button" onClick={() => setIsWhole(true)}>
            Show all {found.length}
          </button>
        )}
      </div>
      <div className="chosen" ref={place}>
        {view === undefined ? (
          <p className="soft">Choose a cohort to see why the visitor is in it or not.</p>
        ) : (
          // Asked again whenever the cohorts change.
          <Cohort key={`${view.id} ${latest?.id ?? 0}`} {...props} {...{ view, cohorts, onChoose: setChosen }} />
        )}
      </div>
    </div>
  );
};

interface FiltersProps {
  readonly filter: CohortFilter;
  readonly views: readonly CohortView[];
  readonly onChange: (filter: CohortFilter) => void;
}

const Filters = ({ filter, views, onChange }: FiltersProps): ReactElement => {
  const change = (part: Partial<CohortFilter>): void => onChange({ ...filter, ...part });
  return (
    <div className="tools">
      <label>
        Search <input type="search" value={filter.search} onChange={({ target }) => change({ search: target.value })} />
      </label>
      <Choice
        name="Member"
        value={filter.membership}
        choices={{ all: 'all', in: 'yes', out: 'no' }}
        onChange={(membership) => change({ membership })}
      />
      <Choice
        name="Source"
        value={filter.source}
        choices={{ all: 'all', ...shownSources(views) }}
        onChange={(source) => change({ source })}
      />
      <Choice
        name="As of"
        value={filter.state}
        choices={{ all: 'all', realtime: 'this page', stored: 'the last page' }}
        onChange={(state) => change({ state })}
      />
    </div>
  );
};

/** Sources that at least one cohort has, with their words. */
const shownSources = (views: readonly CohortView[]): Partial<Record<Source, string>> => {
  const found = new Set(views.flatMap((view) => view.sources));
  return Object.fromEntries(Object.entries(sources).filter(([name]) => found.has(name as Source)));
};

/** Codes that describe the page, as the public object has them. */
const codesOfPage = ({ context }: PanelProps['page']['tag']): readonly string[] => {
  const { contextual } = (context ?? {}) as { readonly contextual?: { readonly cohorts: readonly string[] } };
  return contextual?.cohorts ?? [];
};

interface RowsProps {
  readonly views: readonly CohortView[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}

const Rows = ({ views, chosen, onChoose }: RowsProps): ReactElement => (
  <Table heads={['Cohort', 'Code', 'Member', 'Source']}>
    {views.map(({ id, name, code, isMember, sources: from, isRealtime }) => (
      <tr key={id} className={id === chosen ? 'chosen' : undefined}>
        <td>
          <button type="button" className="link" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
            {name === '' ? id : name}
          </button>{' '}
          {name !== '' && <span className="soft">{id}</span>}
        </td>
        <td>{code}</td>
        <td className={isMember ? 'good' : 'soft'}>
          {isMember ? 'yes' : 'no'}
          {isRealtime === false && <span className="soft"> (stored)</span>}
        </td>
        <td>{from.map((source) => sources[source]).join(', ')}</td>
      </tr>
    ))}
  </Table>
);
