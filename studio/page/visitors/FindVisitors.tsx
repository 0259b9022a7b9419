import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Subscription } from 'rxjs';

import type { EngineEvent } from '../../../src/engine/engineEvent';
import type { Definition } from '../../../src/engine/language/language';
import type { Find, Found } from '../../protocol';
import { useStudio, useStudioState } from '../parts/studioContext';
import { counted, momentText } from '../parts/words';

interface FindVisitorsProps {
  /** Undefined while it cannot be read. */
  readonly definition: Definition | undefined;
  readonly chosen: string | undefined;
  /** `at`: the moment at which the visitor was found. */
  readonly onVisitor: (id: string, events: readonly EngineEvent[], at: number) => void;
}

const kinds: Readonly<Record<Find['who'], string>> = {
  members: 'Find ten members',
  near: 'Find ten who just miss it',
  others: 'Find ten others',
};

/** Visitors of the recorded visits, by how they stand to the cohort. */
export const FindVisitors = ({ definition, chosen, onVisitor }: FindVisitorsProps): ReactElement => {
  const { server, studio } = useStudio();
  const { project } = useStudioState();
  const [found, setFound] = useState<Found>();
  const [status, setStatus] = useState('');
  const asking = useRef(Subscription.EMPTY);
  useEffect(() => () => asking.current.unsubscribe(), []);
  if (project.visits === undefined)
    return (
      <p className="notice">
        There are no visits to search. Start Studio with <code>--data FILE</code> or <code>--nats URL</code>.
      </p>
    );
  const failed = (error: unknown): void => setStatus(error instanceof Error ? error.message : String(error));
  const find = (who: Find['who']): void => {
    if (definition === undefined) return;
    asking.current.unsubscribe();
    setFound(undefined);
    setStatus('Searching the visits.');
    asking.current = server.ask('find', { definition, who, limit: 10 }).subscribe({
      next: (answer) => {
        const { visitors } = answer;
        setFound(answer);
        setStatus(
          visitors.length === 0 ? 'No such visitor is in the visits.' : `${counted(visitors.length, 'visitor')} found.`,
        );
      },
      error: failed,
    });
  };
  const show = (id: string, at: number): void => {
    asking.current.unsubscribe();
    asking.current = server.ask('visitor', { id }).subscribe({
      next: ({ events }) => {
        onVisitor(id, events, at);
        studio.say(`Visitor ${id} is shown: ${counted(events.length, 'event')}.`);
      },
      error: failed,
    });
  };
  return (
    <>
      <p className="row">
        {(Object.keys(kinds) as Find['who'][]).map((who) => (
          <button key={who} type="button" aria-disabled={definition === undefined} onClick={() => find(who)}>
            {kinds[who]}
          </button>
        ))}
      </p>
      <p role="status" data-test="found">
        {status}
      </p>
      {found !== undefined && found.visitors.length > 0 && (
        <ul className="found">
          {found.visitors.map(({ id, events, from, to, missing }) => (
            <li key={id}>
              <button type="button" className="link" aria-pressed={id === chosen} onClick={() => show(id, found.at)}>
                {id}
              </button>{' '}
              <span className="soft">
                {counted(events, 'event')}, {momentText(from)} to {momentText(to)}
              </span>
              {missing !== undefined && <> — has {missing}</>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
};
