import type { ReactElement, ReactNode } from 'react';

import type { LogEntry } from '../../model/logEntry';

/** A time of the log, in seconds. */
export const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

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
