import { getByLabelSelector, getByRoleSelector, getByTextSelector } from 'ivya';

import { until } from '../until';
import { actionsOn, type Choice, type GivenFile, isShown, patience } from './elements';
import type { Runnable } from './evaluate';
import { namedLacks } from './namedLacks';
import { queryAll } from './query';
import { elementKey, type ElementReference, inFrame, type Session } from './session';

type State = 'attached' | 'detached' | 'visible' | 'hidden';
interface WithText {
  readonly hasText?: string | RegExp;
}

const textFilter = ({ hasText }: WithText): readonly string[] =>
  hasText === undefined ? [] : [getByTextSelector(hasText).replace('internal:text', 'internal:has-text')];

/** Something that may lie over the page, and what is done about it before a click. */
export interface Overlaid {
  readonly selector: string;
  readonly handler: () => Promise<unknown>;
}

/**
 * What Playwright finds in one document, that of a window or of a frame in it, and does there.
 *
 * @param overlaid - What may lie over the document.
 * @param frameAt - The frame whose document has this place.
 */
export const finderIn = (
  session: Session,
  place: string,
  overlaid: readonly Overlaid[],
  frameAt: (place: string) => object,
) => {
  const all = (selector: string): Promise<readonly ElementReference[]> => queryAll(session, place, selector);
  const freeTheWay = async (): Promise<void> => {
    for (const { selector, handler } of overlaid) {
      const [found] = await all(selector);
      if (found !== undefined && (await isShown(session, place, found))) await handler();
    }
  };
  const isIn = async (selector: string, state: State): Promise<boolean> => {
    const found = await all(selector);
    if (state === 'attached' || state === 'detached') return found.length > 0 === (state === 'attached');
    const shown = await Promise.all(found.map((element) => isShown(session, place, element)));
    return shown.includes(true) === (state === 'visible');
  };
  const waitFor = (selector: string, state: State): Promise<true> =>
    until(async () => (await isIn(selector, state)) || undefined, `${selector} to be ${state}`, patience);
  /** The only element that a selector names, once it is there. */
  const only = (selector: string): Promise<ElementReference> =>
    until(
      async () => {
        const [found, ...others] = await all(selector);
        if (others.length > 0) throw new Error(`${selector} names ${others.length + 1} elements`);
        return found;
      },
      selector,
      patience,
    );
  const onAll = async (selector: string, action: Runnable, given?: unknown): Promise<unknown> => {
    // In a frame, WebDriver takes elements for such as arguments, and not in an array.
    const script = `const [given, ...elements] = arguments; return (${action.toString()})(elements, given)`;
    return session.command('POST', '/execute/sync', { script, args: [given ?? null, ...(await all(selector))] }, place);
  };
  const locator = (selector: string): object => {
    const within = (...parts: readonly string[]): object => locator([selector, ...parts].join(' >> '));
    return namedLacks('locator', {
      ...actionsOn(session, place, selector, () => only(selector), freeTheWay),
      selector,
      ...byWords(within),
      locator: (next: string, options: WithText = {}) => within(next, ...textFilter(options)),
      filter: (options: WithText) => within(...textFilter(options)),
      or: (other: { readonly selector: string }) => within(`internal:or=${JSON.stringify(other.selector)}`),
      nth: (index: number) => within(`nth=${index}`),
      first: () => within('nth=0'),
      last: () => within('nth=-1'),
      waitFor: ({ state = 'visible' }: { readonly state?: State } = {}) => waitFor(selector, state),
      isVisible: () => isIn(selector, 'visible'),
      count: async () => (await all(selector)).length,
      allInnerTexts: () => onAll(selector, (elements: HTMLElement[]) => elements.map(({ innerText }) => innerText)),
      allTextContents: () => onAll(selector, (elements: Element[]) => elements.map(({ textContent }) => textContent)),
      evaluateAll: (action: Runnable, given?: unknown) => onAll(selector, action, given),
    });
  };
  const handleOf = (element: ElementReference): object =>
    namedLacks('element', {
      ...actionsOn(session, place, 'an element', () => Promise.resolve(element), freeTheWay),
      contentFrame: () => Promise.resolve(frameAt(inFrame(place, element[elementKey]))),
    });
  /** Playwright's commands with a selector act on the first element that it names. */
  const on = (selector: string) => actionsOn(session, place, selector, () => only(`${selector} >> nth=0`), freeTheWay);
  return {
    locator: (selector: string, options: WithText = {}) => locator([selector, ...textFilter(options)].join(' >> ')),
    ...byWords(locator),
    frameLocator: (selector: string) => ({
      locator: (inside: string) => ({
        click: async () => {
          await freeTheWay();
          const element = await only(selector);
          return finderIn(session, inFrame(place, element[elementKey]), [], frameAt).click(inside);
        },
      }),
    }),
    $: async (selector: string) => {
      const [found] = await all(selector);
      return found === undefined ? null : handleOf(found);
    },
    $$: async (selector: string) => (await all(selector)).map(handleOf),
    $$eval: onAll,
    waitForSelector: async (selector: string, { state = 'visible' }: { readonly state?: State } = {}) => {
      await waitFor(selector, state);
      return state === 'visible' || state === 'attached' ? handleOf(await only(`${selector} >> nth=0`)) : null;
    },
    isVisible: (selector: string) => isIn(`${selector} >> nth=0`, 'visible'),
    click: (selector: string) => on(selector).click(),
    focus: (selector: string) => on(selector).focus(),
    press: (selector: string, keys: string) => on(selector).press(keys),
    selectOption: (selector: string, choice: Choice) => on(selector).selectOption(choice),
    setInputFiles: (selector: string, file: GivenFile) => on(selector).setInputFiles(file),
    textContent: (selector: string) => on(selector).textContent(),
    isEnabled: (selector: string) => on(selector).isEnabled(),
    getAttribute: (selector: string, name: string) => on(selector).getAttribute(name),
  };
};

/** Locators by what people see of elements. */
const byWords = (locator: (selector: string) => object) => ({
  getByRole: (role: string, options?: Parameters<typeof getByRoleSelector>[1]) =>
    locator(getByRoleSelector(role, options)),
  getByLabel: (text: string | RegExp, options?: Parameters<typeof getByLabelSelector>[1]) =>
    locator(getByLabelSelector(text, options)),
  getByText: (text: string | RegExp, options?: Parameters<typeof getByTextSelector>[1]) =>
    locator(getByTextSelector(text, options)),
});
