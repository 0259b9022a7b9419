import { type ReactElement, useState } from 'react';

import { maxDays, type Simulation } from '../simulation';
import { Choice, TextField, usePanel } from './parts';

const meaning = (
  <p>
    The page loads again. Until this tab is closed, the SDK and its engine work on a copy of what is stored. Of
    requests, those are made that only ask for something, such as the visitor’s place. No event is sent, no server is
    told of identities or cohorts, and no pixel is loaded. The page itself gets what the tab pretends: its ad servers
    and the partners’ scripts in it have the cohorts, and ask for ads with them.
  </p>
);

const consents = { real: 'as it is', true: 'given', false: 'refused' };

const idsOfText = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);

/**
 * Lets this tab pretend: cohorts, consent, another day, or that it is offline. Other tabs, and what is stored, stay as
 * they are.
 */
export const SimulatePanel = (): ReactElement => {
  const { simulation, onSimulate } = usePanel();
  const [forced, setForced] = useState((simulation.in ?? []).join(' '));
  const [out, setOut] = useState((simulation.out ?? []).join(' '));
  const [isOffline, setOffline] = useState(simulation.offline === true);
  const [consent, setConsent] = useState(simulation.consent === undefined ? 'real' : String(simulation.consent));
  /** How many days the clock is ahead, as it is typed. */
  const [days, setDays] = useState(String(simulation.days ?? 0));
  const wanted: Simulation = {
    ...(idsOfText(forced).length > 0 && { in: idsOfText(forced) }),
    ...(idsOfText(out).length > 0 && { out: idsOfText(out) }),
    ...(isOffline && { offline: true }),
    ...(consent !== 'real' && { consent: consent === 'true' }),
    ...(Number(days) > 0 && { days: Number(days) }),
  };
  const fields = [
    <TextField name="In these cohorts" value={forced} onText={setForced} />,
    <TextField name="Not in these cohorts" value={out} onText={setOut} />,
    <Choice name="Consent" value={consent} choices={consents} onChange={setConsent} />,
    <label>
      <input type="checkbox" checked={isOffline} onChange={({ target }) => setOffline(target.checked)} /> Offline
    </label>,
    <TextField
      name="Clock + days"
      type="number"
      min={0}
      max={maxDays}
      required
      value={days}
      aria-describedby="clock-meaning"
      onText={setDays}
    />,
  ];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSimulate(wanted);
      }}
    >
      {meaning}
      {fields.map((field, i) => (
        <p key={i}>{field}</p>
      ))}
      <p id="clock-meaning" className="soft">
        Ahead are the times of events, of the session and of the view, and the clock by which cohorts are evaluated and
        stored data grows old. Not ahead are the page’s own scripts, timers, servers, and the browser, which decides how
        long cookies live.
      </p>
      <div className="tools">
        <button type="submit">Simulate</button>
        <button type="button" onClick={() => onSimulate({})}>
          Stop simulating
        </button>
      </div>
    </form>
  );
};
