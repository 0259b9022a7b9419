import { EventEmitter } from 'node:events';

import { until } from '../until';
import { evaluateIn, handleTo, type Runnable } from './evaluate';
import { namedLacks } from './namedLacks';
import { matches, type Pattern } from './routes';
import { elementKey, inFrame, type Session } from './session';

type LoadState = 'load' | 'domcontentloaded' | 'commit';

/** The page's HTML may hide `document.readyState`. */
const isThere = `const state = Object.getOwnPropertyDescriptor(Document.prototype, 'readyState').get.call(document);
  return window.__left === undefined &&
    (arguments[0] === 'commit' || state === 'complete' || arguments[0] === 'domcontentloaded' && state === 'interactive')`;

const isArrived = ({ command }: Session, window: string, state: LoadState): Promise<boolean> =>
  command<boolean>('POST', '/execute/sync', { script: isThere, args: [state] }, window).catch(() => false);

const untilArrived = (session: Session, window: string, state: LoadState): Promise<boolean> =>
  until(async () => (await isArrived(session, window, state)) || undefined, `“${state}” of the document`, 30_000);

/** Waits for the document that comes after the present one; `go` starts the way there. */
const nextDocument = async (
  session: Session,
  window: string,
  go: () => Promise<unknown>,
  state: LoadState,
): Promise<void> => {
  await session.command('POST', '/execute/sync', { script: 'window.__left = true', args: [] }, window);
  await go();
  await untilArrived(session, window, state);
};

const pointerTo = (x: number, y: number) => ({
  actions: [
    {
      type: 'pointer',
      id: 'mouse',
      parameters: { pointerType: 'mouse' },
      actions: [{ type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 }],
    },
  ],
});

/** Runs in the page. */
const addScript = ({ content, url }: { readonly content?: string; readonly url?: string }): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    if (url !== undefined) script.src = url;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error(`no script at ${url}`)));
    if (content !== undefined) script.textContent = content;
    document.head.append(script);
    if (content !== undefined) resolve();
  });

const tags: Readonly<Record<string, string>> = { button: 'button', link: 'a', heading: 'h1|h2|h3' };

const xpathOf = (role: string, name: string | undefined): string => {
  const own = (tags[role] ?? '').split('|').map((tag) => `self::${tag}`);
  const is = [`@role=${JSON.stringify(role)}`, ...(tags[role] === undefined ? [] : own)].join(' or ');
  if (name === undefined) return `//*[${is}]`;
  return `//*[${is}][normalize-space()=${JSON.stringify(name)} or @aria-label=${JSON.stringify(name)}]`;
};

const keyCodes: Readonly<Record<string, string>> = {
  Escape: '\uE00C',
  Enter: '\uE007',
  Tab: '\uE004',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
};

/** Keys that are held together, such as `Alt+Shift+P`. */
const pressOf = (keys: string) => {
  const values = keys.split('+').map((key) => keyCodes[key] ?? key);
  const all = (type: 'keyDown' | 'keyUp') => values.map((value) => ({ type, value }));
  return { actions: [{ type: 'key', id: 'keys', actions: [...all('keyDown'), ...all('keyUp').reverse()] }] };
};

interface Finder {
  readonly using: 'css selector' | 'xpath';
  readonly value: string;
}
const css = (value: string): Finder => ({ using: 'css selector', value });

/** What is found and clicked in one document: that of a window, or of a frame (`inFrame`). */
const documentOf = (session: Session, place: string) => {
  const { command } = session;
  const find = async (finder: Finder): Promise<string | undefined> =>
    (await command<Record<string, string>>('POST', '/element', finder, place).catch(() => undefined))?.[elementKey];
  const isShown = async (finder: Finder): Promise<boolean> => {
    const found = await find(finder);
    return found !== undefined && command<boolean>('GET', `/element/${found}/displayed`, undefined, place);
  };
  const untilFound = (finder: Finder): Promise<string> => until(() => find(finder), finder.value, 30_000);
  /** As Playwright does, waits until the element can be clicked. */
  const click = (finder: Finder): Promise<unknown> =>
    until(
      async () => {
        const found = await untilFound(finder);
        try {
          await command('POST', `/element/${found}/click`, {}, place);
          return true;
        } catch (error) {
          if (/not interactable|intercepted|stale/.test(String(error))) return undefined;
          throw error;
        }
      },
      `a click on ${finder.value}`,
      30_000,
    );
  return { find, isShown, untilFound, click };
};

const frameIn = (session: Session, place: string): object =>
  namedLacks('frame', {
    evaluate: (action: Runnable, given?: unknown) => evaluateIn(session, place, action, given),
    waitForLoadState: (state: LoadState = 'load') => untilArrived(session, place, state),
    click: (selector: string) => documentOf(session, place).click(css(selector)),
  });

/** The part of Playwright's page that the tests use, for one window of WebKit. */
export const webkitPage = (session: Session, window: string, shared: object, ofContext: EventEmitter) => {
  const { command } = session;
  const events = new EventEmitter();
  /** WebDriver does not tell which page sends a request: each page hears of those of all pages. */
  const emitterOf = (name: string): EventEmitter =>
    name === 'close' || name === 'domcontentloaded' ? events : ofContext;
  const next = async (go: () => Promise<unknown>, state: LoadState = 'load'): Promise<void> => {
    if (events.listenerCount('domcontentloaded') === 0) return nextDocument(session, window, go, state);
    // A listener may hold the load back until now.
    await nextDocument(session, window, go, 'domcontentloaded');
    events.emit('domcontentloaded');
    await untilArrived(session, window, state);
  };
  const to = (method: string, path: string, body: object = {}): Promise<unknown> => command(method, path, body, window);
  const evaluate = (action: Runnable, given?: unknown): Promise<unknown> => evaluateIn(session, window, action, given);
  const { find, isShown, untilFound, click: clickIn } = documentOf(session, window);
  /** What may lie over the page, and what is done about it before a click. */
  const overlaid: { readonly finder: Finder; readonly handler: () => Promise<unknown> }[] = [];
  const freeTheWay = async (): Promise<void> => {
    for (const { finder, handler } of overlaid) if (await isShown(finder)) await handler();
  };
  const click = async (finder: Finder): Promise<void> => {
    await freeTheWay();
    await clickIn(finder);
  };
  const locatorOf = (finder: Finder) => namedLacks('locator', { finder, click: () => click(finder) });
  const moved = (go: () => Promise<unknown>) => (options?: { readonly waitUntil?: LoadState }) =>
    next(go, options?.waitUntil);
  return namedLacks('page', {
    ...shared,
    handle: window,
    on: (name: string, listener: () => void) => void emitterOf(name).on(name, listener),
    once: (name: string, listener: () => void) => void emitterOf(name).once(name, listener),
    addScriptTag: (source: { readonly content?: string; readonly url?: string }) => evaluate(addScript, source),
    waitForSelector: (selector: string) =>
      until(
        async () =>
          (await evaluate((wanted: string) => document.querySelector(wanted) !== null, selector)) || undefined,
        selector,
        30_000,
      ),
    goto: (url: string, options?: { readonly waitUntil?: LoadState }) =>
      next(() => to('POST', '/url', { url }), options?.waitUntil),
    reload: moved(() => to('POST', '/refresh')),
    goBack: moved(() => to('POST', '/back')),
    evaluate,
    evaluateHandle: async (wanted: Runnable) => {
      const target = typeof wanted === 'string' ? wanted : await handleTo(session, window, wanted);
      return { evaluate: (action: Runnable, given?: unknown) => evaluateIn(session, window, action, given, target) };
    },
    waitForFunction: (action: Runnable, given?: unknown) =>
      until(async () => (await evaluate(action, given).catch(() => undefined)) || undefined, String(action)),
    waitForLoadState: (state: LoadState = 'load') => untilArrived(session, window, state),
    waitForURL: (pattern: Pattern) =>
      until(
        async () => {
          const url = await command<string>('GET', '/url', undefined, window);
          return (matches(pattern, url) && (await isArrived(session, window, 'load'))) || undefined;
        },
        `the address ${String(pattern)}`,
        30_000,
      ),
    waitForTimeout: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
    waitForEvent: async (name: string) => {
      if (name === 'close') return new Promise<void>((resolve) => events.once('close', resolve));
      if (name !== 'load' && name !== 'framenavigated') throw new Error(`WebDriver does not tell of “${name}”`);
      return next(() => Promise.resolve(), name === 'load' ? 'load' : 'commit');
    },
    mouse: { move: (x: number, y: number) => to('POST', '/actions', pointerTo(x, y)) },
    keyboard: namedLacks('keyboard', { press: (keys: string) => to('POST', '/actions', pressOf(keys)) }),
    click: (selector: string) => click(css(selector)),
    locator: (selector: string) => locatorOf(css(selector)),
    getByRole: (role: string, { name }: { readonly name?: string } = {}) =>
      locatorOf({ using: 'xpath', value: xpathOf(role, name) }),
    getByText: (text: string) =>
      locatorOf({ using: 'xpath', value: `//*[text()[contains(., ${JSON.stringify(text)})]]` }),
    addLocatorHandler: ({ finder }: { readonly finder: Finder }, handler: () => Promise<unknown>) =>
      Promise.resolve(void overlaid.push({ finder, handler })),
    $: async (selector: string) => {
      const found = await find(css(selector));
      if (found === undefined) return null;
      return namedLacks('element', { contentFrame: () => Promise.resolve(frameIn(session, inFrame(window, found))) });
    },
    frameLocator: (frame: string) =>
      namedLacks('frame locator', {
        locator: (selector: string) =>
          namedLacks('locator', {
            click: async () => {
              await freeTheWay();
              await documentOf(session, inFrame(window, await untilFound(css(frame)))).click(css(selector));
            },
          }),
      }),
    textContent: (selector: string) =>
      evaluate((wanted: string) => document.querySelector(wanted)?.textContent, selector),
    screenshot: async () => Buffer.from(await command<string>('GET', '/screenshot', undefined, window), 'base64'),
    setViewportSize: async (size: { readonly width: number; readonly height: number }) => {
      // A window has a frame: what the page lacks after the first try is added.
      await to('POST', '/window/rect', size);
      const [width, height] = (await evaluate('[innerWidth, innerHeight]')) as readonly [number, number];
      await to('POST', '/window/rect', {
        width: 2 * size.width - width,
        height: 2 * size.height - height,
      });
    },
    title: () => command<string>('GET', '/title', undefined, window),
    close: async () => {
      await command('DELETE', '/window', undefined, window);
      events.emit('close');
    },
  });
};
