import { type ReactElement, useState } from 'react';

import type { Simulation } from '../simulation';
import type { PanelProps } from './panelProps';

const idsIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter(Boolean);

/** Lets this tab pretend: cohorts, consent, or that it is offline. Other tabs, and what is stored, stay as they are. */
export const SimulatePanel = ({ simulation, onSimulate }: PanelProps): ReactElement => {
  const [forced, setForced] = useState((simulation.in ?? []).join(' '));
  const [out, setOut] = useState((simulation.out ?? []).join(' '));
  const [isOffline, setOffline] = useState(simulation.offline === true);
  const [consent, setConsent] = useState(simulation.consent === undefined ? 'real' : String(simulation.consent));
  const wanted: Simulation = {
    ...(idsIn(forced).length > 0 && { in: idsIn(forced) }),
    ...(idsIn(out).length > 0 && { out: idsIn(out) }),
    ...(isOffline && { offline: true }),
    ...(consent !== 'real' && { consent: consent === 'true' }),
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSimulate(wanted);
      }}
    >
      <p>
        The page loads again. Until this tab is closed, the SDK works on a copy of what is stored, and sends no events.
      </p>
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
        <label>
          Consent
          <select value={consent} onChange={({ target }) => setConsent(target.value)}>
            <option value="real">as it is</option>
            <option value="true">given</option>
            <option value="false">refused</option>
          </select>
        </label>
      </p>
      <p>
        <label>
          <input type="checkbox" checked={isOffline} onChange={({ target }) => setOffline(target.checked)} /> Offline
        </label>
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
