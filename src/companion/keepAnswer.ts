import { localKeys } from '../model/storageKeys';
import { cookieLine } from '../primitives/cookie';
import { orNone } from '../primitives/orNone';
import { cookie, type StoredVisitor, type TagObject } from './storedVisitor';

/** How long the other hosts of the site know the refusal: 180 days, in ms. */
const refusalLasts = 15_552e6;

/**
 * Stores the visitor's last answer about consent as `src/streams/visitor/fromConsent.ts` does once it has come: a
 * refusal is a cookie of the site too, on the widest of its domains that the browser takes, and consent removes that
 * cookie. A page that nobody sees yet has no visitor who could have answered.
 *
 * @param visitorOf - Finds whether the answer is consent. An answer that cannot be read is a refusal.
 */
export const keepAnswer = (queue: TagObject['q'], visitorOf: () => Pick<StoredVisitor, 'userId'> | undefined): void => {
  const name = localKeys.consent;
  let call: TagObject['q'][number] | undefined;
  for (const queued of queue) if (queued?.functionName === 'consent') call = queued;
  if (!call || (document as { readonly prerendering?: unknown }).prerendering) return;
  const visitor = visitorOf();
  if (!visitor) return;
  const isConsent = visitor.userId !== false;
  const value = JSON.stringify(
    isConsent ? { opt_in: true, token: call.arguments[0]?.token ?? name } : { opt_in: false },
  );
  const labels = location.hostname.split('.');
  const expires = new Date(isConsent ? 0 : Date.now() + refusalLasts);
  // An element of the page may stand in place of the cookies.
  orNone(() => {
    for (let i = labels.length; i-- && isConsent === (cookie(name) !== undefined);)
      document.cookie = cookieLine({ name, value, domain: labels.slice(i).join('.'), expires });
  });
  localStorage.setItem(name, value);
};
