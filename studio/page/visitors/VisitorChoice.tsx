import { type ReactElement, useId } from 'react';

import type { Definition } from '../../../src/engine/language/language';
import { counted } from '../parts/words';
import type { ReadLog } from '../play/recordedLog';
import { FindVisitors } from './FindVisitors';
import type { Source } from './usePlay';
import { firstReader, GeneratedVisitor, LoggedVisitor } from './VisitorSources';

interface VisitorChoiceProps {
  readonly source: Source;
  /** `at`: the moment at which the visitor was found. */
  readonly onSource: (source: Source, at?: number) => void;
  /** Undefined while it cannot be read. */
  readonly definition: Definition | undefined;
  readonly visitor: ReadLog;
}

/** The visitor on whom a query is played: found in the visits, generated, or recorded. */
export const VisitorChoice = ({ source, onSource, definition, visitor }: VisitorChoiceProps): ReactElement => {
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
          onVisitor={(id, events, at) => onSource({ type: 'found', id, events, until: at }, at)}
        />
      )}
      {source.type === 'generated' && <GeneratedVisitor source={source} onSource={onSource} />}
      {source.type === 'log' && <LoggedVisitor source={source} onSource={onSource} faults={visitor.faults} />}
      <p data-test="events" className="soft">
        {source.type === 'example' && `Example “${source.name}”: `}
        {source.type === 'found' && source.id !== undefined && `Visitor ${source.id}: `}
        {counted(visitor.events.length, 'event')}
      </p>
    </section>
  );
};
