import { localKeys } from '../model/storageKeys';
import { cookieLine } from '../primitives/cookie';
import { orNone } from '../primitives/orNone';
import { isConsentCall } from '../privacy/consentCall';
import type { StoredVisitor, TagObject } from './storedVisitor';

/** How long the other hosts of the site know the refusal: 180 days, in ms. */
const refusalLasts = 15_552e6;

/**
 * Stores the visitor's last answer about consent as `src/streams/visitor/fromConsent.ts` does once it has come: a
 * refusal is a cookie of the site too, on the widest of its domains that the browser takes, and consent removes that
 * cookie. A page that nobody sees yet has no visitor who could have answered.
 *
 * A stored answer leaves the queue: another tab may answer before the SDK has come, and then the stored answer is the
 * later one. An answer that cannot be read stays, because the SDK reports it, and so does an answer that has not become
 * the cookie.
 *
 * @param visitorOf - Finds whether the answer is consent. An answer that cannot be read is a refusal.
 * @param cookie - Reads a cookie as it is encoded.
 */
export const keepAnswer = (
  tag: Pick<TagObject, 'q' | 'isAnswered'>,
  visitorOf: () => Pick<StoredVisitor, 'userId'> | undefined,
  cookie: (name: string) => string | undefined,
): void => {
  const name = localKeys.consent;
  const { q } = tag;
  const call = q.filter(isConsentCall).pop();
  if (!call || (document as { readonly prerendering?: unknown }).prerendering) return;
  const visitor = visitorOf();
  if (!visitor) return;
  const isConsent = visitor.userId !== false;
  const value = JSON.stringify({
    opt_in: isConsent,
    token: isConsent ? (call.arguments[0]?.token ?? name) : undefined,
  });
  const labels = location.hostname.split('.');
  const expires = new Date(isConsent ? 0 : Date.now() + refusalLasts);
  // An element of the page may stand in place of the cookies.
  orNone(() => {
    for (let i = labels.length; i-- && isConsent === (cookie(name) !== undefined);)
      document.cookie = cookieLine({ name, value, domain: labels.slice(i).join('.'), expires });
  });
  localStorage.setItem(name, value);
  if (isConsent === (cookie(name) !== undefined) || call.arguments[0]?.opt_in !== isConsent) return;
  q.splice(0, q.length, ...q.filter((queued) => !isConsentCall(queued)));
  tag.isAnswered = true;
};
