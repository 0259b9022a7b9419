import type { ReactElement } from 'react';

import { isRecord } from '../../codecs/codecs';
import { ownEntry } from '../../hardening/ownFields';
import type { ClauseExplanation } from '../../model/explanation';
import { timeOf } from '../../primitives/isoDate';
import { EntryLink, timeText, usePanel } from './parts';

interface ClausesProps {
  readonly clause: ClauseExplanation;
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
  const { node, of, have, needs } = props.clause;
  if (of.length === 0)
    return (
      <li>
        <Heading {...props} />
        <ClauseFacts {...props.clause} />
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
            {node === 'match' && `, needs ${needs ?? ''}`}
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
const Heading = ({ clause: { node, holds, about }, onChoose }: ClausesProps): ReactElement => {
  const { defined } = usePanel();
  const id = node === 'cohort' ? about.split(' ').at(-1) : undefined;
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
            {ownEntry(defined, id)?.name ?? `cohort ${id}`}
          </button>
        </>
      )}
    </>
  );
};

/** What the visitor has and needs, when time changes it, and what has counted. */
const ClauseFacts = ({ have, haveHere, needs, changesAt, events, buckets }: ClauseExplanation): ReactElement => {
  const { entries } = usePanel();
  /** The same event in the log, if it is of this page. */
  const entryOf = (name: string, time: string) =>
    entries.find(
      ({ lane, type, data }) =>
        lane === 'events' && type === name && isRecord(data) && timeOf(String(data['time'])) === timeOf(time),
    );
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
            {events.map(({ name, time }, i) => (
              <li key={i}>
                <EntryLink entry={entryOf(name, time)}>{name}</EntryLink>, {timeText(time)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {buckets.length > 0 && (
        <details>
          <summary>Counted by time</summary>
          <ul>
            {buckets.map(({ from, weight }) => (
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

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
