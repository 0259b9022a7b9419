import { type ReactElement, useId } from 'react';

import { counted } from '../parts/words';
import { FindVisitors } from './FindVisitors';
import type { Play, Source } from './usePlay';
import { firstReader, GeneratedVisitor, LoggedVisitor } from './VisitorSources';

/** The visitor on whom a query is played: found in the visits, generated, or recorded. */
export const VisitorChoice = ({ play }: { readonly play: Play }): ReactElement => {
  const { source, choose, queries, visitor } = play;
  const name = useId();
  const choice = (chosen: Source, label: string): ReactElement => (
    <label className="choice">
      <input type="radio" name={name} checked={source.type === chosen.type} onChange={() => choose(chosen)} /> {label}
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
          definition={queries?.[0]}
          chosen={source.id}
          onVisitor={(id, events, at) => choose({ type: 'found', id, events, until: at }, at)}
        />
      )}
      {source.type === 'generated' && <GeneratedVisitor source={source} onSource={choose} />}
      {source.type === 'log' && <LoggedVisitor source={source} onSource={choose} faults={visitor.faults} />}
      <p data-test="events" className="soft">
        {source.type === 'example' && `Example “${source.name}”: `}
        {source.type === 'found' && source.id !== undefined && `Visitor ${source.id}: `}
        {counted(visitor.events.length, 'event')}
      </p>
    </section>
  );
};
