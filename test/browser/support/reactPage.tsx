// A publisher's small React application; `reactHooks.test.ts` builds it with the package's entry as it is published.
import { type ReactElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { useCohort, useCohorts, useConsent, useReady, useTrack } from '../../../src/hooks/react';

const Application = (): ReactElement => {
  const [isReady, isRealtime, isReader, count] = [
    useReady(),
    useReady('realtime'),
    useCohort(20401),
    useCohorts().length,
  ];
  const { isGiven, withdraw } = useConsent();
  const track = useTrack();
  return (
    <main>
      <p id="shown">
        {JSON.stringify({ isReady, isRealtime, isReader, hasCohorts: count > 0, isGiven: isGiven ?? null })}
      </p>
      <button type="button" onClick={() => track('Clicked', { early: !isReady })}>
        Track
      </button>
      <button type="button" onClick={withdraw}>
        Withdraw
      </button>
    </main>
  );
};

createRoot(document.body.appendChild(document.createElement('div'))).render(
  <StrictMode>
    <Application />
  </StrictMode>,
);
