import { firstValueFrom, from } from 'rxjs';

import { ownGlobal } from '../hardening/ownGlobal';
import { json } from '../hardening/plainJson';
import { type Unclobbered, unclobbered } from '../hardening/unclobbered';
import { orNone } from '../primitives/orNone';
import { textOrEmpty } from '../primitives/textOrEmpty';
import { documentCookies } from './cookies';
import { engineLink, type EngineLinkDeps } from './engineLink';
import { beaconSender, lockRequest, mark, online, privacyControl, userAgent } from './environment';
import { eraseDatabase } from './eraseDatabase';
import { fromTarget } from './fromTarget';
import { fetchHttp } from './http';
import { idbJournal } from './journal';
import { openLayer } from './layer';
import { newIds } from './newIds';
import { pixelFetch, pixelRequests } from './pixels';
import type { AdElement, Page, Platform } from './platform';
import { runnerOfScripts } from './scriptRunner';
import { tabChannel } from './tabChannel';
import { holdLease, holdLock } from './tabLock';
import { textStorage } from './textStorage';
import { endOfTask, yieldThread } from './yieldThread';

/** Where the engine runs, and who hears what the browser refuses. */
export interface BrowserOptions extends Omit<EngineLinkDeps, 'userAgent'> {
  /** Nonce of our own script, for the scripts of publishers. */
  readonly nonce: string;
}

/** The platform of a real page. Native functions are captured here, at load, because pages may replace them later. */
export const browserPlatform = (
  window: Window & typeof globalThis,
  { openWorker, loadOnPage, report, nonce }: BrowserOptions,
): Platform => {
  const document = unclobbered(window.document);
  // Only the engine uses the store, so a page that has opened none has nothing to empty.
  let storeUsed = false;
  const now = Date.now.bind(Date);
  const fetch = window.fetch.bind(window);
  const newId = newIds(crypto.getRandomValues.bind(crypto));
  const local = textStorage(
    () => window.localStorage,
    (detail) => report(`LocalStorage access is required. ${detail}`),
  );
  const session = textStorage(
    () => window.sessionStorage,
    () => undefined,
  );
  const { navigation, cookieStore } = window;
  const locks = lockRequest();
  const listen: Platform['listen'] = (target, type) =>
    fromTarget({ window, document, navigation, cookieStore }[target], type);
  const requestPixel = pixelRequests({
    fetchPixel: pixelFetch(fetch),
    // A partner learns the site, and not the page.
    loadImage: (src) => void Object.assign(new window.Image(), { referrerPolicy: 'origin', src }),
    listen,
    newId,
  });
  return {
    http: fetchHttp({ fetch, sendBeacon: beaconSender() }),
    local,
    session,
    cookies: documentCookies(document),
    page: browserPage(window, document),
    listen,
    tabs: tabChannel(window),
    now,
    yieldThread,
    endOfTask,
    random: Math.random.bind(Math),
    newId,
    // A promise, so that the pixel is requested now, and once.
    loadPixel: (url) => from(firstValueFrom(requestPixel(url), { defaultValue: false })),
    runScript: runnerOfScripts(window, document, nonce),
    openEngine: () => {
      storeUsed = true;
      return engineLink({ openWorker, loadOnPage, report, userAgent: userAgent() });
    },
    openLayer: (zIndex) => openLayer(document, zIndex),
    journal: idbJournal(() => window.indexedDB),
    hold: locks ? holdLock(locks) : holdLease({ local, json, now }),
    eraseStore: () => eraseDatabase(window, storeUsed),
  };
};

/** The page. Each value is read when it is asked for, because pages change their address and title. */
const browserPage = (window: Window & typeof globalThis, document: Unclobbered<Document>): Page => {
  const { location } = window;
  return {
    url: () => location.href,
    host: () => location.hostname,
    path: () => location.pathname,
    isEmbedded: () => isEmbedded(window),
    title: () => textOrEmpty(document.title),
    referrer: () => textOrEmpty(document.referrer),
    userAgent,
    hidden: () => document.visibilityState === 'hidden',
    online,
    privacyControl,
    scrollDepth: () => scrollDepth(window, document),
    adIn: (elementId) => adIn(document, elementId),
    global: (name) => orNone(() => ownGlobal(window, name)),
    dispatch: (name, detail) => void window.dispatchEvent(new CustomEvent(name, { detail })),
    mark,
    post: (message) => {
      // A sandboxed page has no origin to post to.
      if (window.origin !== 'null') window.postMessage(message, window.origin);
    },
  };
};

const adIn = (document: Unclobbered<Document>, elementId: string): AdElement | undefined => {
  const found = document.getElementById(elementId);
  if (found === null) return undefined;
  const element = unclobbered(found);
  const frames = [...element.querySelectorAll('iframe')];
  return {
    windows: frames.map(({ contentWindow }) => contentWindow),
    hasFocus: frames.some((frame) => frame === document.activeElement),
    holds: (event) => element.contains((event as globalThis.Event).target as Node | null),
  };
};

/** Whether one of the pages around this one is of another origin. The browser lets nobody read its address. */
const isEmbedded = (window: Window): boolean => {
  try {
    return window.parent !== window && (window.parent.location.href === '' || isEmbedded(window.parent));
  } catch {
    return true;
  }
};

/** How far down the document the lower edge of the window is: 0 to 1. */
const scrollDepth = ({ scrollY, innerHeight }: Window, document: Unclobbered<Document>): number => {
  const height = document.documentElement.scrollHeight;
  return height > 0 ? Math.min(1, Math.max(0, (scrollY + innerHeight) / height)) : 0;
};
