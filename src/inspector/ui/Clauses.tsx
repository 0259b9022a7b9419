import type { ReactElement } from 'react';

import { isRecord } from '../../codecs/codecs';
import { ownEntry } from '../../hardening/ownFields';
import type { DefinedCohorts } from '../../model/definedCohorts';
import type { ClauseExplanation, CountedBucket, CountedEvent } from '../../model/explanation';
import type { LogEntry } from '../logEntry';
import type { PanelProps } from './panelProps';
import { EntryLink, timeText } from './parts';

interface ClausesProps extends Pick<PanelProps, 'entries' | 'onShow'> {
  readonly clause: ClauseExplanation;
  readonly defined: DefinedCohorts;
  /** Shows another cohort. */
  readonly onChoose: (id: string) => void;
}

/** The clauses of a query as a tree: nested lists, whose groups can be folded. */
export const Clauses = (props: ClausesProps): ReactElement => (
  <ul className="tree">
    <Clause {...props} />
  </ul>
);

const Clause = (props: ClausesProps): ReactElement => {
  const { clause } = props;
  const { of, have, needs } = clause;
  if (of.length === 0)
    return (
      <li>
        <Heading {...props} />
        <ClauseFacts {...props} />
      </li>
    );
  return (
    <li>
      <details open>
        <summary>
          <Heading {...props} />
          <span className="soft">
            {' '}
            {have === undefined ? '' : `${have} of ${of.length} ${have === 1 ? 'holds' : 'hold'}`}
            {clause.node === 'match' && `, needs ${needs ?? ''}`}
          </span>
        </summary>
        <ul className="tree">
          {of.map((part, i) => (
            // The same clause may be there twice, and clauses have no identity but their place.
            <Clause key={i} {...props} clause={part} />
          ))}
        </ul>
      </details>
    </li>
  );
};

/** Whether a clause holds, and what it is about. A cohort leads to its own explanation. */
const Heading = ({ clause: { node, holds, about }, defined, onChoose }: ClausesProps): ReactElement => {
  const id = node === 'cohort' ? about.split(' ').at(-1) : undefined;
  const name = id === undefined ? undefined : ownEntry(defined, id)?.name;
  return (
    <>
      <span className={holds ? 'good' : 'bad'} aria-hidden="true">
        {holds ? '✓' : '✗'}
      </span>
      <span className="unseen">{holds ? 'Holds:' : 'Does not hold:'}</span>{' '}
      {id === undefined ? (
        about
      ) : (
        <>
          member of{' '}
          <button type="button" className="link" onClick={() => onChoose(id)}>
            {name ?? `cohort ${id}`}
          </button>
        </>
      )}
    </>
  );
};

/** What the visitor has and needs, when time changes it, and what has counted. */
const ClauseFacts = ({ clause, entries, onShow }: ClausesProps): ReactElement => {
  const { have, haveHere, needs, changesAt, events, buckets } = clause;
  return (
    <div className="facts">
      {have !== undefined && (
        <p>
          has <strong>{rounded(have)}</strong>
          {haveHere !== undefined && ` (${rounded(haveHere)} on this device)`}, needs <strong>{needs}</strong>
        </p>
      )}
      {changesAt !== undefined && <p>changes by itself on {timeText(changesAt)}</p>}
      {events.length > 0 && (
        <details>
          <summary>{events.length === 1 ? '1 event counts' : `${events.length} events count`}</summary>
          <ul>
            {events.map((event, i) => (
              <li key={i}>
                <CountedEvent event={event} entry={entryOf(event, entries)} onShow={onShow} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {buckets.length > 0 && (
        <details>
          <summary>Counted by time</summary>
          <ul>
            {buckets.map(({ from, weight }: CountedBucket) => (
              <li key={from}>
                {rounded(weight)} since {timeText(from)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
};

interface CountedProps extends Pick<PanelProps, 'onShow'> {
  readonly event: CountedEvent;
  /** The same event in the log, if it is of this page. */
  readonly entry: LogEntry | undefined;
}

const CountedEvent = ({ event: { name, time }, entry, onShow }: CountedProps): ReactElement => (
  <>
    {entry === undefined ? (
      name
    ) : (
      <EntryLink entry={entry} onShow={onShow}>
        {name}
      </EntryLink>
    )}
    , {timeText(time)}
  </>
);

const entryOf = ({ name, time }: CountedEvent, entries: readonly LogEntry[]): LogEntry | undefined =>
  entries.find(
    ({ lane, type, data }) =>
      lane === 'events' && type === name && isRecord(data) && Date.parse(String(data['time'])) === Date.parse(time),
  );

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
