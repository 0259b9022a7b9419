import { type BrowserName, browserName } from './browserName';

/** What some tests need of a browser and its driver beyond pages that can be driven. */
export type Ability = keyof typeof lacking;

/** Who cannot do it, with the reason. */
const lacking = {
  crashAlone: {
    firefox: 'Firefox does not tell in which process a page is, so all of its pages crash together',
    webkit: 'WebKitWebDriver ends its session when the process of a page ends',
  },
  senders: { webkit: 'WebDriver does not tell which page sends a request' },
  workers: { webkit: 'WebDriver does not tell of workers' },
  deafTabs: {
    firefox: 'Firefox has no `cookieStore`, so a tab looks at the cookie before each request and hears of every change',
  },
  busyDatabases: { webkit: 'WebKitWebDriver gets no answer from a page that keeps a database transaction busy' },
  prerendering: { firefox: 'Firefox prerenders no page', webkit: 'WebKit prerenders no page' },
  cdp: {
    firefox: 'Firefox has no DevTools protocol of Chromium',
    webkit: 'WebKit has no DevTools protocol of Chromium',
  },
  refusedFrames: {
    webkit: 'WebKit gives a frame of another site a storage of its own, and knows no setting against it',
  },
  noMap: { webkit: 'WebKitWebDriver runs scripts of its own in the page, which make a Map and walk through it' },
  ownJson: { webkit: 'WebKitWebDriver calls functions of the page with JSON that the page itself reads and writes' },
  quietDriver: { webkit: 'WebKitWebDriver sets timers of its own in the page' },
  partnerIds: {
    webkit: 'in Safari the SDK looks for no ids of partners, because they cannot recognise visitors there',
  },
  quietFrames: { webkit: 'WebKitWebDriver focuses a frame that it enters, and so clicks on ads by the look of it' },
  focusBack: { firefox: 'without windows, Firefox does not bring the focus back from behind the end of the page' },
  unfoldedStudio: {
    firefox:
      'Firefox 153 ends the process of Studio’s page (signal 11) where Playwright looks into what it has unfolded',
  },
  downloads: {
    firefox: 'Playwright’s commands for Firefox tell of no download',
    webkit: 'WebDriver tells of no download',
  },
  clock: { webkit: 'WebDriver cannot turn the clock of a page' },
  serviceWorkerRequests: { webkit: 'WebDriver tells of no request that a service worker answers' },
  serviceWorkerAnswers: {
    firefox: 'Playwright’s commands for Firefox do not tell what a service worker has answered',
    webkit: 'WebDriver tells of no request that a service worker answers',
  },
  layoutShifts: { firefox: 'Firefox measures no layout shifts', webkit: 'WebKit measures no layout shifts' },
  paintsAndInputs: { webkit: 'WebKitGTK 2.50 measures neither the largest paint nor the delay of inputs' },
  keptViolations: { webkit: 'WebKit keeps no violations of a policy for those who ask later' },
  requestStatus: { webkit: 'WebKit tells no page the status of its requests' },
  startBeforeLoad: { webkit: 'WebKit ends the load of a small page before the tasks in which the SDK starts' },
  noPrivacySignal: { firefox: 'Firefox has the signal of Global Privacy Control itself' },
  mediaFeatures: {
    firefox: 'Firefox 153 does not know the command by which Playwright sets a dark scheme and reduced motion',
  },
  keptWithLock: {
    firefox: 'Firefox keeps no page in its back-forward cache that has held a lock, and the SDK holds one',
  },
  navigationEvents: {
    webkit:
      'WebKit has no Navigation API, so the last events of a page leave as it unloads, when nobody hears an answer',
  },
  keptFiles: { webkit: 'the proxy of the tests in WebKit has no file kept, so that each request is seen' },
  secureOnHttp: { webkit: 'WebKit keeps no cookie with Secure on http, not even on localhost' },
} as const satisfies Readonly<Record<string, Partial<Readonly<Record<BrowserName, string>>>>>;

/** Whether the browser of this run can do it. */
export const can = (ability: Ability): boolean => !(browserName in lacking[ability]);

/**
 * `test` for tests that need these abilities. Where the browser lacks one, the test is listed with the reason: Jest
 * counts it as one to do, and `npm test` prints it.
 */
export const needs = (...abilities: readonly Ability[]): jest.It => {
  const reasons = abilities.flatMap((ability) => {
    const reason = (lacking[ability] as Partial<Readonly<Record<BrowserName, string>>>)[browserName];
    return reason === undefined ? [] : [reason];
  });
  if (reasons.length === 0) return test;
  const list = (title: string): void => test.todo(`${title} (not in ${browserName}: ${reasons.join('; ')})`);
  return Object.assign(list, { each: () => list }) as unknown as jest.It;
};

/** Lists a part of a test that the browser leaves out because it lacks an ability; nothing where it has the ability. */
export const listMissing = (ability: Ability, title: string): void => {
  if (!can(ability)) needs(ability)(title, () => undefined);
};
