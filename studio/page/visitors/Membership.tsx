import type { ReactElement } from 'react';

import { dayMs } from '../../../src/primitives/duration';
import { counted } from '../parts/words';
import { Explain } from './Explain';
import { Timeline } from './Timeline';
import type { Play } from './usePlay';

/** When the visitor is a member and why, with a way through time. */
export const Membership = ({ play }: { readonly play: Play }): ReactElement => {
  const { played, events, at, setAt, isMember, explanation } = play;
  const last = events.at(-1)?.time;
  return (
    <section aria-labelledby="membership">
      <h3 id="membership">Membership</h3>
      {played === undefined ? (
        <p className="notice">The cohort cannot be read yet, so nothing is played.</p>
      ) : last === undefined ? (
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
          <Timeline played={played} events={events} at={at} onAt={setAt} isMember={isMember} />
          <p className="steps">
            {[0, 1, 7, 30].map((days) => (
              <button key={days} type="button" onClick={() => setAt(last + days * dayMs)}>
                {days === 0 ? 'At the last event' : `${counted(days, 'day')} later`}
              </button>
            ))}
          </p>
          {explanation !== null && <Explain explanation={explanation} />}
        </>
      )}
    </section>
  );
};
