import { of } from 'rxjs';

import * as explanations from './explanations';
import type { LoadParts } from './loadParts';
import * as lift from './runCloudLift';
import * as services from './services';

/** The parts of the engine's host, all of them in the file of their caller. */
export const partsAtHand: LoadParts = {
  services: () => of(services),
  lift: () => of(lift),
  explanations: () => of(explanations),
};
