import { noop } from 'rxjs';

import type { IdentifyCall } from '../../model/identity';
import type { Tcf } from '../../model/tcf';
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

/** Vendors of the TCF list whose consent is noted. */
const maxVendor = 2000;
const maxPurpose = 11;

/** Consent by TCF as JSON has it. */
type TcfData = Omit<Tcf, 'vendorConsent' | 'purposeConsent'> & {
  readonly vendors: readonly number[];
  readonly purposes: readonly number[];
};

function tcfData({ vendorConsent, purposeConsent, ...tcf }: Tcf): TcfData {
  const idsTo = (highest: number): readonly number[] => times(highest, (i) => i + 1);
  return {
    ...tcf,
    vendors: idsTo(maxVendor).filter(vendorConsent),
    purposes: idsTo(maxPurpose).filter(purposeConsent),
  };
}

function tcfOf(data: unknown): Tcf {
  const { vendors, purposes, ...tcf } = data as TcfData;
  return {
    ...tcf,
    vendorConsent: (id) => vendors.includes(id),
    purposeConsent: (id) => purposes.includes(id),
  };
}
