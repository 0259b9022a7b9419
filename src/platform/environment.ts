import { orNone } from '../primitives/orNone';
import { textOrEmpty } from '../primitives/textOrEmpty';

// What a browser says of itself, in the page and in a worker. Extensions and embeds that hide a visitor take facts
// away, or give them another type. So each fact has a value that stands for it where the browser does not say it.

/** The browser's name for itself; '' where the browser does not say it. */
export const userAgent = (): string => textOrEmpty(orNone(() => navigator.userAgent));

/** False only where the browser knows that there is no network. */
export const online = (): boolean => orNone(() => navigator.onLine) !== false;

/** Whether the browser sends Global Privacy Control. */
export const privacyControl = (): boolean =>
  orNone(() => (navigator as { readonly globalPrivacyControl?: unknown }).globalPrivacyControl) === true;

/** The function that asks for a Web Lock; undefined where the browser has none, as outside secure contexts. */
export const lockRequest = (): LockManager['request'] | undefined =>
  orNone(() => navigator.locks.request.bind(navigator.locks));

/** The function that sends a beacon; undefined where the browser has none. */
export const beaconSender = (): Navigator['sendBeacon'] | undefined =>
  orNone(() => navigator.sendBeacon.bind(navigator));

/** Marks this moment in the browser's performance timeline, where there is one. */
export const mark = (name: string): void => void orNone(() => performance.mark(name));
