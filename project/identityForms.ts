import * as t from 'io-ts';

import type { Fault } from '../src/codecs/codecs';
import { IdentityProvider } from '../src/model/project';

/** A provider as a definition names it, with what the form of its tag needs to know of the publisher. */
export const GivenProvider = t.intersection([
  IdentityProvider,
  t.partial({ partner: t.string, publisherId: t.string, apiKey: t.string }),
]);
export type GivenProvider = t.TypeOf<typeof GivenProvider>;

/** Where a provider that has a public form keeps its id. `needs`: the field of the definition that its url holds. */
interface Form {
  readonly needs?: 'partner' | 'publisherId' | 'apiKey';
  readonly provider: (needed: string) => IdentityProvider;
}

/**
 * Public forms, by tag. Prebid's modules of tradedesk, pubmatic and neustar_fabrick ask the same addresses. Microsoft
 * Advertising documents the address of appnexus. The call of gigya is that of its web SDK, and the cookie of sailthru
 * that of its tag. The cookie of amp is the client id of AMP's own configuration for this SDK. `ddp` has no public form
 * (docs/decisions/089-identities-and-revenue.md).
 */
const forms: Readonly<Record<string, Form>> = {
  appnexus: { provider: () => ({ url: 'https://ib.adnxs.com/getuidj', field: 'uid' }) },
  tradedesk: {
    needs: 'partner',
    provider: (partner) => ({ url: `https://match.adsrvr.org/track/rid?ttd_pid=${partner}&fmt=json`, field: 'TDID' }),
  },
  pubmatic: {
    needs: 'publisherId',
    provider: (id) => ({ url: `https://image6.pubmatic.com/AdServer/UCookieSetPug?oid=5&p=${id}&ver=1`, field: 'id' }),
  },
  neustar_fabrick: {
    needs: 'apiKey',
    provider: (key) => ({ url: `https://fid.agkn.com/f?apiKey=${key}`, field: 'fabrickId' }),
  },
  gigya: { provider: () => ({ call: 'gigya.accounts.getAccountInfo', field: 'UID' }) },
  sailthru: { provider: () => ({ cookie: 'sailthru_hid' }) },
  amp: { provider: () => ({ cookie: '_ga' }) },
};

/**
 * A provider as the page asks it: what the definition says of it, and the public form of its tag where it does not say
 * where the id is. Answers what is wrong where neither does; `path` is that within the provider.
 */
export const identityForm = (tag: string, given: GivenProvider): IdentityProvider | Fault => {
  const { partner, publisherId, apiKey, ...said } = given;
  const form = Object.hasOwn(forms, tag) ? forms[tag] : undefined;
  const [place] = (['url', 'call', 'cookie', 'global'] as const).filter((name) => said[name] !== undefined);
  if (place !== undefined) {
    // A server in the partner's place answers as the partner does.
    const field = place === 'url' || place === 'call' ? form?.provider('').field : undefined;
    return { ...(field !== undefined && { field }), ...said };
  }
  if (form === undefined) return { path: '', expected: 'url, call, cookie or global' };
  const needed = form.needs === undefined ? '' : { partner, publisherId, apiKey }[form.needs];
  if (needed === undefined) return { path: `/${form.needs}`, expected: 'string' };
  return { ...form.provider(encodeURIComponent(needed)), ...said };
};
