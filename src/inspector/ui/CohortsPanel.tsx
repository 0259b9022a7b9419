import { useObservable, useObservableState } from 'observable-hooks';
import { type ReactElement, useState } from 'react';
import { from, map, of, startWith, switchMap } from 'rxjs';

import { isRecord } from '../../model/codecs';
import { type Cohorts, noCohorts } from '../../model/cohorts';
import { ownFields } from '../../model/ownFields';
import type { InspectedPage } from '../../world';
import { routesOf } from '../activationRoute';
import { type Clause, explanationTree } from '../explanation';
import { shortText } from '../shortText';
import { googleCodes, storedJson } from './pageReads';
import type { PanelProps } from './panelProps';
import { EntryLink, Table } from './parts';

/**
 * Cohorts that the visitor is in and is not in, where each comes from, and why: the clauses with what the visitor has
 * and needs, and the way to the ad server with its broken link.
 */
export const CohortsPanel = ({ entries, page, onShow }: PanelProps): ReactElement => {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string>();
  const latest = entries.filter(({ lane, type }) => lane === 'cohorts' && type === 'cohorts').at(-1);
  const cohorts = (latest?.data ?? noCohorts) as Cohorts;
  const known = knownIds(cohorts, page);
  const found = known.filter((id) => `${id} ${codeOf(id, page)}`.toLowerCase().includes(search.trim().toLowerCase()));
  const isMember = (id: string): boolean => cohorts.members.includes(id);
  const rows = [...found.filter(isMember), ...found.filter((id) => !isMember(id))];
  return (
    <div className="split">
      <div>
        <div className="tools">
          <label>
            Search <input type="search" value={search} onChange={({ target }) => setSearch(target.value)} />
          </label>
          <span className="soft" role="status">
            In {cohorts.members.length} of {known.length} cohorts,{' '}
            {cohorts.isRealtime ? 'evaluated on this page' : 'as the last page stored them'}
          </span>
        </div>
        <Table heads={['Cohort', 'Code', 'Member', 'Found by']}>
          {rows.map((id) => (
            <tr key={id}>
              <td>
                <button type="button" className="link" aria-pressed={id === chosen} onClick={() => setChosen(id)}>
                  {id}
                </button>
              </td>
              <td>{codeOf(id, page)}</td>
              <td className={isMember(id) ? 'good' : 'soft'}>{isMember(id) ? 'yes' : 'no'}</td>
              <td>{sourceOf(id, cohorts)}</td>
            </tr>
          ))}
        </Table>
      </div>
      {chosen === undefined ? (
        <p className="soft">Choose a cohort to see why the visitor is in it or not.</p>
      ) : (
        // Asked again whenever the cohorts change.
        <Cohort key={`${chosen} ${latest?.id ?? 0}`} {...{ id: chosen, cohorts, page, entries, onShow }} />
      )}
    </div>
  );
};

interface CohortProps extends Pick<PanelProps, 'page' | 'entries' | 'onShow'> {
  readonly id: string;
  readonly cohorts: Cohorts;
}

/** One cohort: why, where it goes, and when the visitor came and went. */
const Cohort = ({ id, cohorts, page, entries, onShow }: CohortProps): ReactElement => {
  const moves = entries.filter(
    ({ lane, data }) => lane === 'transitions' && isRecord(data) && shortText(data['id']) === id,
  );
  return (
    <section aria-label={`Cohort ${id}`} data-cohort={id}>
      <Why id={id} page={page} />
      <h2>Way to the ad server</h2>
      <Ways id={id} cohorts={cohorts} page={page} />
      <h2>Entries and exits in this log</h2>
      <ul>
        {moves.map((entry) => (
          <li key={entry.id}>
            <EntryLink entry={entry} onShow={onShow}>
              {entry.type}
            </EntryLink>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** Ids that the page knows of: members, and those that the project gives to ad servers or to addons. */
const knownIds = ({ members }: Cohorts, { world: { project } }: InspectedPage): readonly string[] => [
  ...new Set([
    ...members,
    ...Object.keys(project.cohortCodes),
    ...Object.values(project.platformCohorts).flat().map(String),
    ...Object.values(project.activations)
      .flat()
      .map(({ sc }) => String(sc)),
  ]),
];

const codeOf = (id: string, { world: { project } }: InspectedPage): string =>
  Object.hasOwn(project.cohortCodes, id) ? (project.cohortCodes[id] ?? '') : '';

/** Who says that the visitor is a member. */
const sourceOf = (id: string, cohorts: Cohorts): string => {
  const { members, queried = members, produced = {} } = ownFields(cohorts);
  const services = Object.entries(ownFields(produced)).flatMap(([name, ids]) => (ids.includes(id) ? [name] : []));
  return [...(queried.includes(id) ? ['query'] : []), ...services].join(', ');
};

const Why = ({ id, page }: { readonly id: string; readonly page: InspectedPage }): ReactElement => {
  const tree$ = useObservable(() => explained(id, page));
  const words = useObservableState(tree$, undefined);
  if (words === undefined) return <p className="soft">Asking the engine</p>;
  if (words === null) return <p>No query of that number, and no consent or no engine to ask.</p>;
  const { verdict, clauses, notes } = explanationTree(words);
  return (
    <>
      {verdict.map((line) => (
        <p key={line}>
          <strong>{line}</strong>
        </p>
      ))}
      <Clauses clauses={clauses} />
      {notes.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </>
  );
};

/** The words of `permutive.explain`; null where there are none. */
const explained = (id: string, { tag }: InspectedPage) => {
  const explain = tag['explain'];
  if (typeof explain !== 'function') return of(null);
  return of(id).pipe(
    switchMap(() => from(Promise.resolve((explain as (code: string) => unknown).call(tag, id)))),
    map((words) => (typeof words === 'string' ? words : null)),
    startWith(undefined),
  );
};

const Clauses = ({ clauses }: { readonly clauses: readonly Clause[] }): ReactElement => (
  <ul className="plain">
    {clauses.map(({ holds, words, of: parts }, i) => (
      <li key={i}>
        <span className={holds ? 'good' : 'bad'}>{holds ? '✓' : '✗'}</span> {words}
        {parts.length > 0 && (
          <div style={{ paddingInlineStart: '16px' }}>
            <Clauses clauses={parts} />
          </div>
        )}
      </li>
    ))}
  </ul>
);

interface WaysProps {
  readonly id: string;
  readonly cohorts: Cohorts;
  readonly page: InspectedPage;
}

const Ways = ({ id, cohorts, page: { world } }: WaysProps): ReactElement => {
  const routes = routesOf(id, cohorts, world.project, {
    readKey: storedJson(world),
    googleCodes: googleCodes(world.page),
  });
  if (routes.length === 0) return <p className="soft">The project gives this cohort to no ad server.</p>;
  return (
    <>
      {routes.map(({ platform, steps }) => {
        const broken = steps.findIndex(({ holds }) => holds === false);
        return (
          <div key={platform}>
            <h2>{platform}</h2>
            <ol>
              {steps.map(({ what, holds }, i) => (
                <li key={what} className={i === broken ? 'bad' : holds === true ? 'good' : 'soft'}>
                  {what}
                  {i === broken && ': not so, the way ends here'}
                  {holds === null && ': cannot be seen on this page'}
                </li>
              ))}
            </ol>
          </div>
        );
      })}
    </>
  );
};
