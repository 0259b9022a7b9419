import { until } from '../until';
import { pressOf, typeOf } from './keyboard';
import { elementKey, type ElementReference, type Session } from './session';

/** How long a command waits for what it is about, in milliseconds, as Playwright does. */
export const patience = 30_000;

export type Choice = string | { readonly label?: string; readonly value?: string };
export interface GivenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}
/** In WebKit, an element that is out of sight can be brought to the middle. */
type Centring = Element & { readonly scrollIntoViewIfNeeded: () => void };
type Action = (element: never, ...given: never[]) => unknown;

/* What runs in the page, on an element of it. */

const setValue = (element: HTMLInputElement, value: string): void => {
  element.focus();
  // React replaces the setter of a field that it watches.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set?.call(element, value);
};
const choose = (element: HTMLSelectElement, wanted: string, byLabel: boolean): void => {
  const option = [...element.options].find(({ value, label }) => label === wanted || (!byLabel && value === wanted));
  if (option === undefined) throw new Error(`no option ${wanted}`);
  option.selected = true;
};
const giveFile = (element: HTMLInputElement, name: string, type: string, text: string): void => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], name, { type }));
  element.files = transfer.files;
};
const boxOf = (element: Element): object => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
};

/** Tells the page that a person has changed the element. */
const tellOfChange = (element: Element): void => {
  for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }));
};

/** Whether an element can be seen. */
export const isShown = ({ command }: Session, place: string, element: ElementReference): Promise<boolean> =>
  command<boolean>('GET', `/element/${element[elementKey]}/displayed`, undefined, place).catch(() => false);

/**
 * What can be done with an element of a document, and asked of it, as with Playwright's locators and handles.
 *
 * @param place - The document: that of a window, or of a frame in it.
 * @param what - The element, as messages name it.
 * @param find - Answers the element, once it is there.
 * @param freeTheWay - Does away with what lies over the page before a click.
 */
export const actionsOn = (
  session: Session,
  place: string,
  what: string,
  find: () => Promise<ElementReference>,
  freeTheWay: () => Promise<void>,
) => {
  const { command } = session;
  /** Does what the page may make impossible for a moment, until it works. */
  const persist = async <A>(act: (element: ElementReference) => Promise<A>): Promise<A> => {
    let obstacle = '';
    const attempt = async (): Promise<{ readonly value: A } | undefined> => {
      try {
        return { value: await act(await find()) };
      } catch (error) {
        obstacle = String(error);
        if (/not interactable|intercepted|stale element/.test(obstacle)) return undefined;
        throw error;
      }
    };
    const { value } = await until(attempt, what, patience).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${obstacle}`);
    });
    return value;
  };
  const run = (script: string, given: readonly unknown[]): Promise<unknown> =>
    persist((element) => command('POST', '/execute/sync', { script, args: [element, ...given] }, place));
  const evaluate = (action: Action, ...given: readonly unknown[]): Promise<unknown> =>
    run(`return (${action.toString()})(...arguments)`, given);
  const change = (action: Action, ...given: readonly unknown[]): Promise<unknown> =>
    run(`(${action.toString()})(...arguments); (${tellOfChange.toString()})(arguments[0])`, given);
  const click = async ({ force = false }: { readonly force?: boolean } = {}): Promise<void> => {
    if (force) {
      await evaluate((element: HTMLElement) => element.click());
      return;
    }
    await freeTheWay();
    await evaluate((element: Centring) => element.scrollIntoViewIfNeeded());
    await persist((element) => command('POST', `/element/${element[elementKey]}/click`, {}, place));
  };
  const focus = (): Promise<unknown> => evaluate((element: HTMLElement) => element.focus());
  const press = async (keys: object): Promise<void> => {
    await focus();
    await command('POST', '/actions', keys, place);
  };
  return {
    evaluate: (action: Action, given?: unknown) => evaluate(action, ...(given === undefined ? [] : [given])),
    click,
    focus,
    check: async () => {
      if ((await evaluate((element: HTMLInputElement) => element.checked)) !== true) await click();
    },
    fill: (value: string) => change(setValue, value),
    press: (keys: string) => press(pressOf(keys)),
    pressSequentially: (text: string) => press(typeOf(text)),
    selectOption: (choice: Choice) =>
      typeof choice === 'string'
        ? change(choose, choice, false)
        : change(choose, choice.label ?? choice.value, choice.label !== undefined),
    setInputFiles: ({ name, mimeType, buffer }: GivenFile) => change(giveFile, name, mimeType, buffer.toString()),
    innerText: () => evaluate((element: HTMLElement) => element.innerText),
    textContent: () => evaluate((element: Element) => element.textContent),
    inputValue: () => evaluate((element: HTMLInputElement) => element.value),
    isEnabled: () => evaluate((element: Element) => !element.matches(':disabled')),
    getAttribute: (name: string) => evaluate((element: Element, wanted: string) => element.getAttribute(wanted), name),
    boundingBox: () => evaluate(boxOf),
  };
};
