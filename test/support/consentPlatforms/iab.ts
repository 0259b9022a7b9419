import { readFileSync } from 'node:fs';

import { tcStringOf } from '../tcString';
import type { Choice, StandIn } from './standIn';

const purposesOf: Readonly<Record<Choice, readonly number[]>> = { all: [1, 2, 3, 4, 7], some: [1, 2, 7], none: [] };

/** The id that the tests' vendor list has for the SDK. */
export const listedVendor = '5f1b2fbeb8e05c306f2a1eb9';

/** After how long a question about vendors is answered, in ms, by its number. */
const patience = (questions: number): number => (questions === 1 ? 300 : 100);

/**
 * The IAB's own platform in the window of this process, with its stub or without one. The platform also answers the
 * question about vendors that Sourcepoint adds, and the first question later than the second one.
 */
export const iab = (hasStub: boolean): StandIn => {
  type Platform = InstanceType<typeof import('@iabtechlabtcf/cmpapi').CmpApi>;
  let platform: Platform | undefined;
  let choice: Choice | null = null;
  let questions = 0;
  const getCustomVendorConsents = (call: (given: object, success: boolean) => void): void => {
    const given = { grants: { [listedVendor]: { vendorGrant: choice === 'all', purposeGrants: {} } }, newUser: false };
    setTimeout(() => call(given, true), patience(++questions));
  };
  if (hasStub) window.eval(readFileSync('node_modules/@iabtechlabtcf/stub/lib/stub.js', 'utf8'));
  return {
    come: (stored, region) => {
      choice = stored;
      // The package keeps its state in its module.
      jest.isolateModules(() => {
        const { CmpApi } = jest.requireActual<typeof import('@iabtechlabtcf/cmpapi')>('@iabtechlabtcf/cmpapi');
        platform = new CmpApi(30, 1, true, { getCustomVendorConsents });
      });
      if (region !== 'asked') platform!.update(null);
      else if (stored === null) platform!.update('', true);
      else platform!.update(tcStringOf({ purposes: purposesOf[stored] }));
    },
    choose: (chosen) => {
      choice = chosen;
      // The visitor opens the dialog again, where it is not open, and answers.
      platform!.update(tcStringOf({ purposes: purposesOf[chosen] }), true);
      platform!.update(tcStringOf({ purposes: purposesOf[chosen] }));
    },
  };
};
