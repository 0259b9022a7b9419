import type { ReactElement, ReactNode } from 'react';

import type { LogEntry } from '../logEntry';

/** A time of the log, in seconds. */
export const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' });

/** A moment in words, such as `3 December 2026 at 14:05`. `iso`: as ISO text. */
export const timeText = (iso: string): string => dateFormat.format(new Date(iso));

interface EntryLinkProps {
  readonly entry: Pick<LogEntry, 'id' | 't'>;
  readonly onShow: (id: number) => void;
  readonly children: ReactNode;
}

/** Words that lead to an entry among the streams, and when it was. */
export const EntryLink = ({ entry: { id, t }, onShow, children }: EntryLinkProps): ReactElement => (
  <>
    <button type="button" className="link" onClick={() => onShow(id)}>
      {children}
    </button>{' '}
    <span className="soft">{secondsText(t)}</span>
  </>
);

interface EntryListProps {
  readonly entries: readonly LogEntry[];
  readonly onShow: (id: number) => void;
  /** What to say where there is no entry. */
  readonly none: string;
  readonly className?: string;
  /** The words that lead to an entry. Default: its type. */
  readonly nameOf?: (entry: LogEntry) => string;
  /** What is said of an entry beside its name. */
  readonly wordsOf?: (entry: LogEntry) => string;
}

/** Entries of the log in their order, each of which leads to the streams. */
export const EntryList = ({ entries, onShow, none, className, nameOf, wordsOf }: EntryListProps): ReactElement => (
  <>
    {entries.length === 0 && <p className="soft">{none}</p>}
    <ul className={className}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <EntryLink entry={entry} onShow={onShow}>
            {nameOf?.(entry) ?? entry.type}
          </EntryLink>{' '}
          {wordsOf?.(entry)}
        </li>
      ))}
    </ul>
  </>
);

/** A name and its value in a list of such. */
export const Pair = ({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

interface TableProps {
  readonly heads: readonly string[];
  /** The rows. */
  readonly children: ReactNode;
}

export const Table = ({ heads, children }: TableProps): ReactElement => (
  <table>
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

interface ChoiceProps<Name extends string> {
  readonly name: string;
  readonly value: Name;
  /** What can be chosen, with the words for it. */
  readonly choices: Partial<Record<Name, string>>;
  readonly onChange: (value: Name) => void;
}

/** One of several, to be chosen from a list. */
export const Choice = <Name extends string>({ name, value, choices, onChange }: ChoiceProps<Name>): ReactElement => (
  <label>
    {name}{' '}
    <select value={value} onChange={({ target }) => onChange(target.value as Name)}>
      {Object.entries<string | undefined>(choices).map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  </label>
);
