import { useObservableState } from 'observable-hooks';
import {
  createContext,
  Fragment,
  type InputHTMLAttributes,
  type ReactElement,
  type ReactNode,
  useContext,
  useMemo,
} from 'react';
import type { Observable } from 'rxjs';

import type { LogEntry } from '../logEntry';
import type { PanelProps } from './panelProps';

const Panel = createContext({} as PanelProps);
/** Gives a panel and all its parts what they read and do. */
export const PanelProvider = Panel.Provider;
/** What the panel is given in which this part is. */
export const usePanel = (): PanelProps => useContext(Panel);

/** The latest value of a stream, which is made anew when an input changes. Undefined before the first value. */
export const useLatest = <A,>(make: () => Observable<A>, inputs: readonly unknown[]): A | undefined =>
  useObservableState<A | undefined>(useMemo(make, inputs), undefined);

/** A time of the log, in seconds. */
export const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' });

/** A moment in words, such as `3 December 2026 at 14:05`. `iso`: as ISO text. */
export const timeText = (iso: string): string => dateFormat.format(new Date(iso));

/** How many places an arrow key goes on in a row; undefined for any other key. */
export const arrowStep = (key: string): number | undefined => ({ ArrowRight: 1, ArrowLeft: -1 })[key];

/** Where a log began late: a way to one that has everything. */
export const RecordAgain = (): ReactElement => (
  <button type="button" onClick={usePanel().onRecordAgain}>
    Load again and record from the start
  </button>
);

interface EntryLinkProps {
  readonly entry: Pick<LogEntry, 'id' | 't'> | undefined;
  readonly children: ReactNode;
}

/** Words that lead to an entry among the streams, and when it was. Without an entry, the words alone. */
export const EntryLink = ({ entry, children }: EntryLinkProps): ReactElement => {
  const { onShow } = usePanel();
  if (entry === undefined) return <>{children}</>;
  return (
    <>
      <button type="button" className="link" onClick={() => onShow(entry.id)}>
        {children}
      </button>{' '}
      <span className="soft">{secondsText(entry.t)}</span>
    </>
  );
};

interface EntryListProps {
  readonly entries: readonly LogEntry[];
  /** What to say where there is no entry. */
  readonly none: string;
  readonly className?: string;
  /** The words that lead to an entry. Default: its type. */
  readonly nameOf?: (entry: LogEntry) => string;
  /** What is said of an entry beside its name. */
  readonly wordsOf?: (entry: LogEntry) => string;
}

/** Entries of the log in their order, each of which leads to the streams. */
export const EntryList = ({ entries, none, className, nameOf, wordsOf }: EntryListProps): ReactElement => (
  <>
    {entries.length === 0 && <p className="soft">{none}</p>}
    <ul className={className}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <EntryLink entry={entry}>{nameOf?.(entry) ?? entry.type}</EntryLink> {wordsOf?.(entry)}
        </li>
      ))}
    </ul>
  </>
);

/** Names with their values. */
export const Pairs = ({
  of,
}: {
  readonly of: readonly (readonly [name: string, value: ReactNode])[];
}): ReactElement => (
  <dl>
    {of.map(([name, value], i) => (
      <Fragment key={i}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
);

interface TableProps {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly [key: string | number, ...cells: readonly ReactNode[]])[];
}

export const Table = ({ heads, rows }: TableProps): ReactElement => (
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
    <tbody>
      {rows.map(([key, ...cells]) => (
        <tr key={key}>
          {cells.map((cell, i) => (
            <td key={i}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  readonly name: string;
  readonly onText: (text: string) => void;
}

/** What can be typed in, with its name. */
export const TextField = ({ name, onText, ...input }: FieldProps): ReactElement => (
  <label>
    {name} <input {...input} onChange={({ target }) => onText(target.value)} />
  </label>
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
