import { EventEmitter } from 'node:events';

import { until } from '../until';
import { evaluateIn, handleTo, type Runnable } from './evaluate';
import { namedLacks } from './namedLacks';
import { matches, type Pattern } from './routes';
import type { Session } from './session';

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

const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

const tags: Readonly<Record<string, string>> = { button: 'button', link: 'a', heading: 'h1|h2|h3' };

const xpathOf = (role: string, name: string | undefined): string => {
  const own = (tags[role] ?? '').split('|').map((tag) => `self::${tag}`);
  const is = [`@role=${JSON.stringify(role)}`, ...(tags[role] === undefined ? [] : own)].join(' or ');
  if (name === undefined) return `//*[${is}]`;
  return `//*[${is}][normalize-space()=${JSON.stringify(name)} or @aria-label=${JSON.stringify(name)}]`;
};

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
  const click = async (value: string, using = 'css selector'): Promise<void> => {
    const find = (): Promise<Record<string, string> | undefined> =>
      command<Record<string, string>>('POST', '/element', { using, value }, window).catch(() => undefined);
    const found = await until(find, value, 30_000);
    await to('POST', `/element/${found[elementKey]}/click`);
  };
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
    click,
    locator: (selector: string) => namedLacks('locator', { click: () => click(selector) }),
    getByRole: (role: string, { name }: { readonly name?: string } = {}) =>
      namedLacks('locator', { click: () => click(xpathOf(role, name), 'xpath') }),
    getByText: (text: string) =>
      namedLacks('locator', { click: () => click(`//*[text()[contains(., ${JSON.stringify(text)})]]`, 'xpath') }),
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
