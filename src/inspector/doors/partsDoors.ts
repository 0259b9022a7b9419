import { noop } from 'rxjs';

import type { IdentifyCall } from '../../model/identity';
import { maxPurpose, maxVendor, type Tcf } from '../../model/tcf';
import { times } from '../../primitives/lists';
import type { DeferredParts } from '../../visit/world';
import { addonsDoor } from './addonsDoor';
import { type Doors, plains, request } from './door';

const nothing = (): null => null;

/**
 * The deferred chunk. Streams of the page are noted as what they make of it, because elements, frames and platforms of
 * the page are in no log. These streams read the page itself, so that the page is not noted twice.
 */
export const partsDoors = {
  addons: addonsDoor,
  ...plains('activations', 'addonOptions', 'definition'),
  // What these ask for goes through the world that they are given.
  ...plains('cohortServices', 'fromContextual', 'idsByName', 'backlog', 'refusalStep', 'filling', 'heedSharing'),
  ...plains('serverCalls', 'serviceStreams', 'visitorIdentities', 'explained'),
  // Asked for by the public object and the inspector, which are outside the world.
  ...plains('bundleData', 'meets'),
  fromForms: request('forms', { lane: 'signals', argsOf: (_, { listen }) => [listen] }),
  fromLinks: request('links', { lane: 'signals', argsOf: ([, redacted], { listen }) => [listen, redacted] }),
  fromFocusLoss: request('focus loss', {
    lane: 'signals',
    dataOf: nothing,
    argsOf: (_, { listen, page }) => [listen, page],
  }),
  fromNavigation: request('navigation', { lane: 'signals', dataOf: nothing, argsOf: (_, { listen }) => [listen] }),
  fromPageMessages: request('messages', {
    dataOf: ({ data, origin }) => ({ data, origin }),
    ofData: (message) => ({ ...(message as { readonly data: unknown; readonly origin: string }), source: null }),
    argsOf: (_, { listen }) => [listen],
  }),
  fromTcf: request('tcf', { lane: 'consent', dataOf: tcfData, ofData: tcfOf, argsOf: (_, world) => [world] }),
  fromSharing: request('sharing', { lane: 'consent', argsOf: (_, world) => [world] }),
  readIdentifyCalls: request('identify', {
    lane: 'calls',
    dataOf: ({ given }) => given,
    ofData: (given) => ({ given: given as IdentifyCall['given'], done: noop }),
    secretsOf: ({ given }) => given.map(({ id }) => id),
  }),
  lookUpIdentities: request('identities', {
    secretsOf: (found) => found.map(([, id]) => id),
    argsOf: ([visitor, definition], world) => [visitor, definition, world],
  }),
} satisfies Doors<DeferredParts>;

/** Consent by TCF as JSON has it. */
type TcfData = Omit<Tcf, 'vendorConsent' | 'purposeConsent' | 'isRestricted'> & {
  readonly vendors: readonly number[];
  readonly purposes: readonly number[];
  /** At the number of a purpose: vendors that the publisher keeps from it. Logs of earlier versions have none. */
  readonly restricted?: readonly (readonly number[])[];
};

function tcfData({ vendorConsent, purposeConsent, isRestricted, ...tcf }: Tcf): TcfData {
  const idsTo = (highest: number): readonly number[] => times(highest, (i) => i + 1);
  return {
    ...tcf,
    vendors: idsTo(maxVendor).filter(vendorConsent),
    purposes: idsTo(maxPurpose).filter(purposeConsent),
    restricted: times(maxPurpose + 1, (purpose) => idsTo(maxVendor).filter((id) => isRestricted(id, purpose))),
  };
}

function tcfOf(data: unknown): Tcf {
  const { vendors, purposes, restricted = [], ...tcf } = data as TcfData;
  return {
    ...tcf,
    vendorConsent: (id) => vendors.includes(id),
    purposeConsent: (id) => purposes.includes(id),
    isRestricted: (vendorId, purpose) => restricted[purpose]?.includes(vendorId) === true,
  };
}
