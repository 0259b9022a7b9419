import type { ReactElement } from 'react';

import type { Example } from '../../protocol';
import { Examples, KeepExample } from './Examples';
import { Membership } from './Membership';
import { QueryFacts } from './QueryFacts';
import { usePlay } from './usePlay';
import { VisitorChoice } from './VisitorChoice';
import { firstReader } from './VisitorSources';

interface TestViewProps {
  readonly id: string | undefined;
  readonly text: string;
  readonly examples: readonly Example[];
}

/** The cohort on a visitor, and the examples that are kept with it. */
export const TestView = ({ id, text, examples }: TestViewProps): ReactElement => {
  const play = usePlay(text, firstReader);
  const { reading, queries, events, played, at, isMember, explanation } = play;
  return (
    <>
      <VisitorChoice play={play} />
      <Membership play={play} />
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
              onShow={(example) =>
                play.choose({ type: 'example', name: example.name, events: example.events }, example.at)
              }
            />
            {played !== undefined && events.length > 0 && (
              <KeepExample id={id} examples={examples} events={events} at={at} isMember={isMember} />
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
