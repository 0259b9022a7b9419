import type { ReactElement } from 'react';

import { counted, decimal } from '../parts/words';
import type { Played } from '../play/playQuery';
import type { ReadQuery } from '../play/readQuery';

interface QueryFactsProps {
  readonly query: ReadQuery;
  /** Undefined while the query cannot be read. */
  readonly cost: Pick<Played, 'listens' | 'stateBytes' | 'eventUs'> | undefined;
  /** As the engine says it. */
  readonly checksum: string | undefined;
}

/** What a query is made of and what it costs, and its canonical form. */
export const QueryFacts = ({ query, cost, checksum }: QueryFactsProps): ReactElement => (
  <>
    <dl>
      <dt>Checksum</dt>
      <dd data-test="checksum">{checksum ?? query.definition.checksum}</dd>
      <dt>Size</dt>
      <dd>
        {decimal(query.bytes)} bytes, {counted(query.cells, 'cell')}, {counted(query.operands, 'operand')}
      </dd>
      {cost !== undefined && (
        <>
          <dt>Listens to</dt>
          <dd>{cost.listens.length > 0 ? cost.listens.join(', ') : 'no event'}</dd>
          <dt>Stored for this visitor</dt>
          <dd>{decimal(cost.stateBytes)} bytes of JSON</dd>
          <dt>Time</dt>
          <dd>{decimal(cost.eventUs)} µs an event, in this browser</dd>
        </>
      )}
    </dl>
    <details>
      <summary>Canonical form</summary>
      <pre data-test="canonical">{query.canonical}</pre>
    </details>
  </>
);
