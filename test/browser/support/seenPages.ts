import { until } from './until';
import type { Tab } from './visitor';

const article = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';

/** Waits until an element is on the page, or in a frame or shadow root of it that is of the same origin. */
const untilShown = (tab: Tab, selector: string): Promise<true> =>
  until(
    () =>
      tab.page.evaluate((wanted) => {
        const isIn = (root: Document | ShadowRoot): boolean => {
          if (root.querySelector(wanted) !== null) return true;
          return [...root.querySelectorAll('*')].some(
            (element) =>
              (element.shadowRoot !== null && isIn(element.shadowRoot)) ||
              (element instanceof HTMLIFrameElement &&
                element.contentDocument !== null &&
                isIn(element.contentDocument)),
          );
        };
        return isIn(document) ? true : undefined;
      }, selector),
    selector,
  );

/** What people see of the SDK on the demo's site: opens it and waits until it is there. */
export const seenPages: Readonly<Record<'front page' | 'overlay' | 'inspector', (tab: Tab) => Promise<unknown>>> = {
  'front page': async (tab) => {
    await tab.open('/');
    await tab.ready();
  },
  overlay: async (tab) => {
    await tab.open(article);
    await tab.ready();
    // A reader of personal finance: a second view makes them one.
    await tab.ask((permutive) => permutive.addon('web', { page: { article: { section: 'personal finance' } } }));
    return untilShown(tab, '[role=dialog]');
  },
  inspector: async (tab) => {
    await tab.open(`${article}?__permutive.inspector=true`);
    await tab.ready();
    return untilShown(tab, '#panel');
  },
};
