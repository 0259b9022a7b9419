import { type ReactElement, useState } from 'react';

import { maxDays, type Simulation } from '../simulation';
import type { PanelProps } from './panelProps';
import { Choice } from './parts';

const idsOfText = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);

/**
 * Lets this tab pretend: cohorts, consent, another day, or that it is offline. Other tabs, and what is stored, stay as
 * they are.
 */
export const SimulatePanel = ({ simulation, onSimulate }: PanelProps): ReactElement => {
  const [forced, setForced] = useState((simulation.in ?? []).join(' '));
  const [out, setOut] = useState((simulation.out ?? []).join(' '));
  const [isOffline, setOffline] = useState(simulation.offline === true);
  const [consent, setConsent] = useState(simulation.consent === undefined ? 'real' : String(simulation.consent));
  const [days, setDays] = useState(simulation.days ?? 0);
  const wanted: Simulation = {
    ...(idsOfText(forced).length > 0 && { in: idsOfText(forced) }),
    ...(idsOfText(out).length > 0 && { out: idsOfText(out) }),
    ...(isOffline && { offline: true }),
    ...(consent !== 'real' && { consent: consent === 'true' }),
    ...(days > 0 && { days }),
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSimulate(wanted);
      }}
    >
      <Meaning />
      <p>
        <label>
          In these cohorts <input value={forced} onChange={({ target }) => setForced(target.value)} />
        </label>
      </p>
      <p>
        <label>
          Not in these cohorts <input value={out} onChange={({ target }) => setOut(target.value)} />
        </label>
      </p>
      <p>
        <Choice
          name="Consent"
          value={consent}
          choices={{ real: 'as it is', true: 'given', false: 'refused' }}
          onChange={setConsent}
        />
      </p>
      <p>
        <label>
          <input type="checkbox" checked={isOffline} onChange={({ target }) => setOffline(target.checked)} /> Offline
        </label>
      </p>
      <Clock days={days} onDays={setDays} />
      <div className="tools">
        <button type="submit">Simulate</button>
        <button type="button" onClick={() => onSimulate({})}>
          Stop simulating
        </button>
      </div>
    </form>
  );
};

const Meaning = (): ReactElement => (
  <p>
    The page loads again. Until this tab is closed, the SDK and its engine work on a copy of what is stored. Of
    requests, those are made that only ask for something, such as the visitor’s place. No event is sent, no server is
    told of identities or cohorts, and no pixel is loaded. The page itself gets what the tab pretends: its ad servers
    and the partners’ scripts in it have the cohorts, and ask for ads with them.
  </p>
);

interface ClockProps {
  /** How many days the clock is ahead; NaN while the field is empty. */
  readonly days: number;
  readonly onDays: (days: number) => void;
}

const Clock = ({ days, onDays }: ClockProps): ReactElement => (
  <>
    <p>
      <label>
        Clock + days
        <input
          type="number"
          min={0}
          max={maxDays}
          required
          value={Number.isNaN(days) ? '' : days}
          aria-describedby="clock-meaning"
          onChange={({ target }) => onDays(target.valueAsNumber)}
        />
      </label>
    </p>
    <p id="clock-meaning" className="soft">
      Ahead are the times of events, of the session and of the view, and the clock by which cohorts are evaluated and
      stored data grows old. Not ahead are the page’s own scripts, timers, servers, and the browser, which decides how
      long cookies live.
    </p>
  </>
);
