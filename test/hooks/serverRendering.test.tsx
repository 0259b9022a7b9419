// In Node, as on a server: there is no window.
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';

import {
  PermutiveProvider,
  useActivation,
  useCohort,
  useCohorts,
  useConsent,
  useIdentify,
  useReady,
  useTrack,
} from '../../src/hooks/react';

const Shown = (): ReactElement => (
  <p>
    {[
      useReady('realtime'),
      useCohort(7),
      useCohorts().length,
      useActivation('dfp').length,
      String(useConsent().isGiven),
      typeof useTrack(),
      typeof useIdentify(),
    ].join(' ')}
  </p>
);

it('renders nothing of a visitor on a server, with a provider and without', () => {
  expect(typeof window).toBe('undefined');
  const html = '<p>false false 0 0 undefined function function</p>';
  expect(renderToString(<Shown />)).toBe(html);
  expect(
    renderToString(
      <PermutiveProvider>
        <Shown />
      </PermutiveProvider>,
    ),
  ).toBe(html);
});
