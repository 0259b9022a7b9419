import { type ReactElement, useId } from 'react';

import { Faults } from './Faults';
import type { Played } from './playQuery';
import type { QueryReading, ReadQuery } from './readQuery';
import { samples } from './samples';

interface QueryPanelProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly reading: QueryReading;
  /** Undefined while the query cannot be read. */
  readonly cost: Pick<Played, 'listens' | 'stateBytes' | 'eventUs'> | undefined;
  /** As the engine says it. */
  readonly checksum: string | undefined;
}

const number = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });

/** The query as it is written, what is wrong with it, its canonical form, its size and what it costs. */
export const QueryPanel = ({ text, onText, reading, cost, checksum }: QueryPanelProps): ReactElement => {
  const [pick, write, faults] = [useId(), useId(), useId()];
  const query = reading.type === 'query' ? reading.query : undefined;
  return (
    <section aria-labelledby="query">
      <h2 id="query">Query</h2>
      <label htmlFor={pick}>Begin with a query of the sample project</label>
      <select
        id={pick}
        value=""
        onChange={({ target }) => {
          const sample = samples.find(({ id }) => id === target.value);
          if (sample) onText(JSON.stringify(sample.definition, null, 2));
        }}
      >
        <option value="">Pick a query</option>
        {samples.map(({ id, name }) => (
          <option key={id} value={id}>
            {id} {name}
          </option>
        ))}
      </select>
      <label htmlFor={write}>JSON: a definition, or a condition alone</label>
      <textarea
        id={write}
        value={text}
        rows={14}
        spellCheck={false}
        aria-invalid={query === undefined}
        aria-describedby={faults}
        onChange={({ target }) => onText(target.value)}
      />
      <Faults id={faults} title="This is no query" faults={reading.type === 'faults' ? reading.faults : []} />
      {query !== undefined && <QueryFacts query={query} cost={cost} checksum={checksum} />}
    </section>
  );
};

interface QueryFactsProps extends Pick<QueryPanelProps, 'cost' | 'checksum'> {
  readonly query: ReadQuery;
}

/** What a query is made of and what it costs, and its canonical form. */
export const QueryFacts = ({ query, cost, checksum }: QueryFactsProps): ReactElement => (
  <>
    <dl>
      <dt>Checksum</dt>
      <dd data-test="checksum">{checksum ?? query.definition.checksum}</dd>
      <dt>Size</dt>
      <dd>
        {number.format(query.bytes)} bytes, {count(query.cells, 'cell')}, {count(query.operands, 'operand')}
      </dd>
      {cost !== undefined && (
        <>
          <dt>Listens to</dt>
          <dd>{cost.listens.length > 0 ? cost.listens.join(', ') : 'no event'}</dd>
          <dt>Stored for this visitor</dt>
          <dd>{number.format(cost.stateBytes)} bytes of JSON</dd>
          <dt>Time</dt>
          <dd>{number.format(cost.eventUs)} µs an event, in this browser</dd>
        </>
      )}
    </dl>
    <details>
      <summary>Canonical form</summary>
      <pre data-test="canonical">{query.canonical}</pre>
    </details>
  </>
);

const count = (n: number, noun: string): string => `${number.format(n)} ${noun}${n === 1 ? '' : 's'}`;
