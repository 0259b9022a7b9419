import { type ReactElement, useEffect, useRef, useState } from 'react';

import { type Cohorts, noCohorts } from '../../model/cohorts';
import { type CohortFilter, cohortList, type CohortView, filteredCohorts, noFilter, sources } from '../cohortList';
import { Cohort } from './Cohort';
import { Choice, Table, TextField, usePanel } from './parts';

/** Rows that are drawn, unless somebody asks for all. A project may have thousands of cohorts. */
const maxRows = 200;

/**
 * Cohorts that the visitor is in and is not in, by name and by where they come from, and why: the clauses with what
 * the visitor has and needs, and the ways to partners with their broken links.
 */
export const CohortsPanel = (): ReactElement => {
  const { entries, page, log, defined } = usePanel();
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
  const { contextual } = (page.tag['context'] ?? {}) as { readonly contextual?: { readonly cohorts: string[] } };
  const views = cohortList({
    cohorts,
    defined,
    project: page.world.project,
    entries,
    isComplete: log.isComplete,
    ofPage: contextual?.cohorts ?? [],
  });
  const found = filteredCohorts(views, filter);
  const shown = isWhole ? found : found.slice(0, maxRows);
  const view = views.find(({ id }) => id === chosen);
  const shownSources = new Set<string>(views.flatMap((each) => each.sources));
  return (
    <div className="split">
      <div>
        <Filters filter={filter} found={shownSources} onChange={setFilter} />
        <p className="soft" role="status">
          {`${found.length} of ${views.length} cohorts. The visitor is in ${cohorts.members.length}, `}
          {cohorts.isRealtime ? 'evaluated on this page.' : 'as the last page stored them.'}
          {Object.keys(defined).length === 0 && ' The file with their names could not be loaded.'}
        </p>
        <Table
          heads={['Cohort', 'Code', 'Member', 'Source']}
          rows={shown.map((each) => cohortCells(each, each.id === chosen, setChosen))}
        />
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
          <Cohort key={`${view.id} ${latest?.id ?? 0}`} {...{ view, cohorts, onChoose: setChosen }} />
        )}
      </div>
    </div>
  );
};

const cohortCells = (view: CohortView, isChosen: boolean, onChoose: (id: string) => void) => {
  const { id, name, code, isMember, isRealtime } = view;
  return [
    id,
    <>
      <button type="button" className="link" aria-pressed={isChosen} onClick={() => onChoose(id)}>
        {name === '' ? id : name}
      </button>{' '}
      {name !== '' && <span className="soft">{id}</span>}
    </>,
    code,
    <span className={isMember ? 'good' : 'soft'}>
      {isMember ? 'yes' : 'no'}
      {isRealtime === false && <span className="soft"> (stored)</span>}
    </span>,
    view.sources.map((source) => sources[source]).join(', '),
  ] as const;
};

interface FiltersProps {
  readonly filter: CohortFilter;
  /** Sources that at least one cohort has. */
  readonly found: ReadonlySet<string>;
  readonly onChange: (filter: CohortFilter) => void;
}

const Filters = ({ filter, found, onChange }: FiltersProps): ReactElement => {
  const choice = <Key extends 'membership' | 'source' | 'state'>(
    name: string,
    key: Key,
    choices: Partial<Record<CohortFilter[Key], string>>,
  ): ReactElement => (
    <Choice {...{ name, choices }} value={filter[key]} onChange={(value) => onChange({ ...filter, [key]: value })} />
  );
  const shownSources = Object.fromEntries(Object.entries(sources).filter(([source]) => found.has(source)));
  return (
    <div className="tools">
      <TextField
        name="Search"
        type="search"
        value={filter.search}
        onText={(search) => onChange({ ...filter, search })}
      />
      {choice('Member', 'membership', { all: 'all', in: 'yes', out: 'no' })}
      {choice('Source', 'source', { all: 'all', ...shownSources })}
      {choice('As of', 'state', { all: 'all', realtime: 'this page', stored: 'the last page' })}
    </div>
  );
};
