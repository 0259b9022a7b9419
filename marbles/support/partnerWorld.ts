import type { AddonDeps } from '../../src/addons/addon';
import type { Activation } from '../../src/model/activation';
import type { Cohorts } from '../../src/model/cohorts';
import type { Tcf } from '../../src/model/tcf';
import { addonDeps } from './addonWorld';
import { noPlatform, tcfAnswer } from './tcfAnswer';

/** An activation of a partner. */
export const activationOf = (
  id: string,
  tt: Activation['tt'],
  c: Record<string, unknown> = {},
  changes: Partial<Activation> = {},
): Activation => ({ id, short_id: id, sc: 7, tt, c, ...changes });

const of = (isRealtime: boolean, ...members: string[]): Cohorts => ({ members, activations: {}, isRealtime });
/** l: the last page's, of 7; n: own, of none; m: of 7; b: of 7 and 8. */
export const cohorts: Readonly<Record<string, Cohorts>> = {
  l: of(false, '7'),
  n: of(true),
  m: of(true, '7'),
  b: of(true, '7', '8'),
};

/**
 * y, n: the platform says that all vendors and purposes have consent, or none; p: vendors have, and no
 * purpose has; o: the page has no platform; a: it has failed.
 */
export const tcfs: Readonly<Record<string, Tcf>> = {
  y: tcfAnswer({ tcString: 'C&S' }),
  n: tcfAnswer({ tcString: 'CS', vendorConsent: () => false, purposeConsent: () => false }),
  p: tcfAnswer({ tcString: 'CP', purposeConsent: () => false }),
  o: noPlatform,
  a: tcfAnswer({ status: 'aborted', tcString: '', vendorConsent: () => false, purposeConsent: () => false }),
};

/** Deps whose notes outlive the page, as in one browser. */
export const browserWith = (
  given: Omit<Parameters<typeof addonDeps>[0] & object, 'recall'>,
  stored: Readonly<Record<string, unknown>> = {},
) => {
  const notes = new Map(Object.entries(stored));
  const recall: AddonDeps['recall'] = (name) => notes.get(name) ?? null;
  const deps = addonDeps({ ...given, recall });
  deps.remember.mockImplementation((...[name, value]: unknown[]) => void notes.set(String(name), value));
  return { deps, notes, asked: (): unknown[] => deps.loadPixel.mock.calls.map(([url]) => url as unknown) };
};
