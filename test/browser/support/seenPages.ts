import { until } from './until';
import type { Tab } from './visitor';

const article = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';

/** Waits until an element is on the page, or in a frame or shadow root of it that is of the same origin. */
const untilShown = (tab: Tab, selector: string): Promise<true> =>
  until(
    () =>
      // Without a function in it: what runs the script of the screenshots gives functions names in a way of its own.
      tab.page.evaluate((wanted) => {
        const roots: (Document | ShadowRoot)[] = [document];
        for (const root of roots) {
          if (root.querySelector(wanted) !== null) return true;
          for (const element of root.querySelectorAll('*')) {
            if (element.shadowRoot !== null) roots.push(element.shadowRoot);
            if (element instanceof HTMLIFrameElement && element.contentDocument !== null)
              roots.push(element.contentDocument);
          }
        }
        return undefined;
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
