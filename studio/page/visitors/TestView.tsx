import { type ReactElement, useDeferredValue, useId, useMemo, useState } from 'react';

import { Explain } from '../../../demo/playground/Explain';
import { explainAt, memberAt, playQuery } from '../../../demo/playground/playQuery';
import { QueryFacts } from '../../../demo/playground/QueryPanel';
import { type QueryReading, readQuery } from '../../../demo/playground/readQuery';
import { readLog } from '../../../demo/playground/recordedLog';
import { Timeline } from '../../../demo/playground/Timeline';
import { visitorOf } from '../../../demo/playground/visitor';
import {
  firstReader,
  GeneratedVisitor,
  LoggedVisitor,
  type VisitorSource,
} from '../../../demo/playground/VisitorPanel';
import { withRead } from '../../../demo/playground/withRead';
import type { EngineEvent } from '../../../src/engine/engineEvent';
import type { Definition } from '../../../src/engine/language/language';
import { dayMs } from '../../../src/primitives/duration';
import type { Example } from '../../protocol';
import { useStudio, useStudioState } from '../parts/studioContext';
import { counted } from '../parts/words';
import { Examples, KeepExample } from './Examples';
import { FindVisitors } from './FindVisitors';

/** Where the visitor’s events come from. */
type Source =
  | VisitorSource
  | { readonly type: 'found'; readonly id: string | undefined; readonly events: readonly EngineEvent[] }
  | { readonly type: 'example'; readonly name: string; readonly events: readonly EngineEvent[] };

interface TestViewProps {
  readonly id: string | undefined;
  readonly text: string;
  readonly examples: readonly Example[];
}

/** The cohort on a visitor: the playground with the cohorts of this file, found visitors and examples. */
export const TestView = ({ id, text, examples }: TestViewProps): ReactElement => {
  const { init } = useStudio();
  const { project } = useStudioState();
  const [source, setSource] = useState<Source>(firstReader);
  const [wanted, setWanted] = useState<number>();
  const reading = useMemo(() => readQuery(text), [text]);
  const visitor = useMemo(() => eventsOf(source), [source]);
  const queries = useMemo(
    () =>
      queriesOf(
        reading,
        project.cohorts.map(({ definition }) => definition),
      ),
    [reading, project],
  );
  const current = useDeferredValue(useMemo(() => ({ queries, events: visitor.events }), [queries, visitor]));
  const played = useMemo(() => {
    const [query] = current.queries ?? [];
    return query === undefined ? undefined : playQuery(init, query.id, current.queries ?? [], current.events);
  }, [init, current]);
  const at = played === undefined ? 0 : Math.min(Math.max(wanted ?? played.to, played.from), played.to);
  const explanation = useMemo(() => {
    const [query] = current.queries ?? [];
    return query === undefined ? null : explainAt(init, query.id, current.queries ?? [], current.events, at);
  }, [init, current, at]);
  const isMember = played !== undefined && memberAt(played, at);
  const last = current.events.at(-1)?.time;
  return (
    <>
      <VisitorChoice source={source} onSource={setSource} definition={queries?.[0]} faults={visitor.faults} />
      <p data-test="events" className="soft">
        {source.type === 'example' && `Example “${source.name}”: `}
        {source.type === 'found' && source.id !== undefined && `Visitor ${source.id}: `}
        {counted(visitor.events.length, 'event')}
      </p>
      <section aria-labelledby="membership">
        <h3 id="membership">Membership</h3>
        {played === undefined ? (
          <p className="notice">The cohort cannot be read yet, so nothing is played.</p>
        ) : current.events.length === 0 ? (
          <p className="soft">No visitor with events is chosen yet.</p>
        ) : (
          <>
            {played.errors.length > 0 && (
              <ul className="findings" aria-label="What the engine reports">
                {played.errors.map((each) => (
                  <li key={each}>{each}</li>
                ))}
              </ul>
            )}
            <Timeline played={played} events={current.events} at={at} onAt={setWanted} isMember={isMember} />
            {last !== undefined && (
              <p className="steps">
                {[0, 1, 7, 30].map((days) => (
                  <button key={days} type="button" onClick={() => setWanted(last + days * dayMs)}>
                    {days === 0 ? 'At the last event' : `${counted(days, 'day')} later`}
                  </button>
                ))}
              </p>
            )}
            {explanation !== null && <Explain explanation={explanation} />}
          </>
        )}
      </section>
      <section aria-labelledby="examples">
        <h3 id="examples">Examples</h3>
        {id === undefined ? (
          <p className="soft">A new cohort has to be saved before examples are kept with it.</p>
        ) : (
          <>
            <Examples
              id={id}
              examples={examples}
              queries={queries}
              onShow={(example) => {
                setSource({ type: 'example', name: example.name, events: example.events });
                setWanted(example.at);
              }}
            />
            {played !== undefined && current.events.length > 0 && (
              <KeepExample id={id} examples={examples} events={current.events} at={at} isMember={isMember} />
            )}
          </>
        )}
      </section>
      {reading.type === 'query' && (
        <section aria-labelledby="query-facts">
          <h3 id="query-facts">The query</h3>
          <QueryFacts query={reading.query} cost={played} checksum={explanation?.checksum} />
        </section>
      )}
    </>
  );
};

/** The cohort, and those of the file that it reads; undefined while it cannot be read. */
const queriesOf = (reading: QueryReading, others: readonly Definition[]): readonly Definition[] | undefined =>
  reading.type === 'query' ? withRead(reading.query.definition, others) : undefined;

const eventsOf = (source: Source): ReturnType<typeof readLog> => {
  if (source.type === 'log') return readLog(source.text);
  return { events: source.type === 'generated' ? visitorOf(source.seed, source.taste) : source.events, faults: [] };
};

interface VisitorChoiceProps {
  readonly source: Source;
  readonly onSource: (source: Source) => void;
  readonly definition: Definition | undefined;
  readonly faults: ReturnType<typeof readLog>['faults'];
}

const VisitorChoice = ({ source, onSource, definition, faults }: VisitorChoiceProps): ReactElement => {
  const name = useId();
  const choice = (chosen: Source, label: string): ReactElement => (
    <label className="choice">
      <input type="radio" name={name} checked={source.type === chosen.type} onChange={() => onSource(chosen)} /> {label}
    </label>
  );
  return (
    <section aria-labelledby="visitor">
      <h3 id="visitor">Visitor</h3>
      <fieldset className="choices">
        <legend>Events</legend>
        {choice(source.type === 'found' ? source : { type: 'found', id: undefined, events: [] }, 'found in the visits')}
        {choice(source.type === 'generated' ? source : firstReader, 'of a generated reader')}
        {choice(source.type === 'log' ? source : { type: 'log', text: '' }, 'of a recorded log')}
      </fieldset>
      {source.type === 'found' && (
        <FindVisitors
          definition={definition}
          chosen={source.id}
          onVisitor={(id, events) => onSource({ type: 'found', id, events })}
        />
      )}
      {source.type === 'generated' && <GeneratedVisitor source={source} onSource={onSource} />}
      {source.type === 'log' && <LoggedVisitor source={source} onSource={onSource} faults={faults} />}
    </section>
  );
};
