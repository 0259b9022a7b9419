import { createRoot } from 'react-dom/client';

import { Playground } from './Playground';
import type { Init } from './playQuery';
import { stateOf } from './sharedState';

// The engine as it is published, beside this page.
const engineFile = './engine.mjs';
const { init } = (await import(/* webpackIgnore: true */ engineFile)) as { readonly init: Init };

const setFragment = (fragment: string): string => {
  history.replaceState(null, '', fragment);
  return location.href;
};
const place = document.querySelector('#playground');
if (place !== null)
  createRoot(place).render(<Playground init={init} shared={stateOf(location.hash)} setFragment={setFragment} />);
