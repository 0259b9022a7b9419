import { type ReactElement, useId, useRef, useState } from 'react';

import { publishedName } from '../../../project/taxonomies/published';
import type { BuyersEntries, TaxonomyEntry } from '../../protocol';
import { FindingList } from '../parts/FindingList';
import { useStudio, useStudioState } from '../parts/studioContext';
import { count, counted } from '../parts/words';
import { buyersFindings } from '../state/cohortFindings';
import { findEntries, searchable, taxonomyHelp, taxonomyName, taxonomyOf } from './findEntries';

interface BuyersViewProps {
  /** Undefined for a new cohort. */
  readonly id: string | undefined;
  /** Undefined for a cohort that the file does not have yet. */
  readonly buyers: BuyersEntries | undefined;
}

/** What buyers are told of visitors in the cohort. Each change is written into the file at once. */
export const BuyersView = ({ id, buyers }: BuyersViewProps): ReactElement =>
  id === undefined || buyers === undefined ? (
    <p>Save the cohort first. Entries of taxonomies are kept beside it in the file.</p>
  ) : (
    <Buyers id={id} buyers={buyers} />
  );

/** Entries that a search shows at most. */
const maxShown = 20;

const textOf = ({ segtax, id }: TaxonomyEntry): string => `${segtax}:${id}`;
const nameOf = (entry: TaxonomyEntry): string => publishedName(entry) ?? `Entry ${entry.id}`;

const Buyers = ({ id, buyers }: { readonly id: string; readonly buyers: BuyersEntries }): ReactElement => {
  const { studio } = useStudio();
  const { project } = useStudioState();
  const heading = useRef<HTMLHeadingElement>(null);
  const { entries, older, fixed } = buyers;
  const set = (entry: TaxonomyEntry, isWanted: boolean): void =>
    void studio
      .setEntry({ id, entry, isWanted })
      .subscribe(() =>
        studio.say(
          `The entry ${textOf(entry)} is ${isWanted ? 'added to' : 'removed from'} cohort ${id} in ${project.file}.`,
        ),
      );
  return (
    <>
      <p className="help">
        Buyers do not know your cohorts, but they know the taxonomies of the trade. While a visitor is in the cohort,
        consents and does not object to sharing, ad requests say these entries.
      </p>
      {fixed !== undefined && <p className="notice">The entries cannot be changed here. {fixed}</p>}
      <section aria-labelledby="entries-title">
        <h3 id="entries-title" ref={heading} tabIndex={-1}>
          What buyers are told
        </h3>
        <FindingList findings={buyersFindings(project, id)} />
        {entries.length + older.length === 0 && <p className="soft">Nothing yet.</p>}
        <ul className="entries">
          {entries.map((entry) => (
            <li key={textOf(entry)}>
              <EntryText entry={entry} />{' '}
              {fixed === undefined && (
                <button
                  type="button"
                  className="small quiet"
                  onClick={() => {
                    set(entry, false);
                    heading.current?.focus();
                  }}
                >
                  Remove<span className="hidden"> {nameOf(entry)}</span>
                </button>
              )}
            </li>
          ))}
          {older.map((entry) => (
            <li key={`older ${textOf(entry)}`}>
              <EntryText entry={entry} />{' '}
              <span className="soft">
                The file has this entry in the older form <code>pps</code>, which Studio does not write.
              </span>
            </li>
          ))}
        </ul>
      </section>
      {fixed === undefined && <EntrySearch entries={entries} onSet={set} />}
    </>
  );
};

const EntryText = ({ entry }: { readonly entry: TaxonomyEntry }): ReactElement => (
  <>
    <strong>{nameOf(entry)}</strong>{' '}
    <span className="soft">
      {textOf(entry)}, {taxonomyName(entry.segtax)}
    </span>
  </>
);

interface EntrySearchProps {
  readonly entries: readonly TaxonomyEntry[];
  readonly onSet: (entry: TaxonomyEntry, isWanted: boolean) => void;
}

/** Finds published entries by words of their names, or by id. */
const EntrySearch = ({ entries, onSet }: EntrySearchProps): ReactElement => {
  const [segtax, setSegtax] = useState(searchable[0] ?? 0);
  const [wanted, setWanted] = useState('');
  const [taxonomyField, searchField, help] = [useId(), useId(), useId()];
  const found = findEntries(segtax, wanted, maxShown);
  const told = new Set(entries.map(textOf));
  return (
    <section aria-labelledby="search-title">
      <h3 id="search-title">Add an entry</h3>
      <div className="field">
        <label htmlFor={taxonomyField}>Taxonomy</label>
        <select
          id={taxonomyField}
          value={segtax}
          aria-describedby={help}
          onChange={({ target }) => setSegtax(Number(target.value))}
        >
          {searchable.map((number) => (
            <option key={number} value={number}>
              {taxonomyName(number)}
            </option>
          ))}
        </select>
        <p className="help" id={help}>
          {taxonomyHelp(segtax)}
        </p>
      </div>
      <label htmlFor={searchField}>Words of its name, or its id</label>
      <input id={searchField} type="search" value={wanted} onChange={({ target }) => setWanted(target.value)} />
      <p role="status" className="soft" data-test="found-entries">
        {wanted.trim() === ''
          ? `${count.format(Object.keys(taxonomyOf(segtax)?.ids ?? {}).length)} entries can be found.`
          : `${counted(found.entries.length, 'entry', 'entries')}${found.others > 0 ? `, and ${count.format(found.others)} more: write more words` : ''}.`}
      </p>
      <ul className="parts">
        {found.entries.map((entry) => {
          const isTold = told.has(textOf(entry));
          return (
            <li key={textOf(entry)}>
              <button type="button" className="small" onClick={() => onSet(entry, !isTold)}>
                {isTold ? 'Remove' : 'Add'}
                <span className="hidden"> {entry.name}</span>
              </button>{' '}
              {entry.name} <span className="soft">{textOf(entry)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
};
