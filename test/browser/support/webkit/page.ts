import { EventEmitter } from 'node:events';

import { until } from '../until';
import { evaluateIn, handleTo, type Runnable } from './evaluate';
import { namedLacks } from './namedLacks';
import { matches, type Pattern } from './routes';
import type { Session } from './session';

type LoadState = 'load' | 'domcontentloaded' | 'commit';

const isThere = `return window.__left === undefined &&
  (arguments[0] === 'commit' || document.readyState === 'complete' ||
    arguments[0] === 'domcontentloaded' && document.readyState === 'interactive')`;

const isArrived = ({ command }: Session, window: string, state: LoadState): Promise<boolean> =>
  command<boolean>('POST', '/execute/sync', { script: isThere, args: [state] }, window).catch(() => false);

/** Waits for the document that comes after the present one; `go` starts the way there. */
const nextDocument = async (
  session: Session,
  window: string,
  go: () => Promise<unknown>,
  state: LoadState = 'load',
): Promise<void> => {
  await session.command('POST', '/execute/sync', { script: 'window.__left = true', args: [] }, window);
  await go();
  await until(async () => (await isArrived(session, window, state)) || undefined, 'the next document', 30_000);
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

const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** The part of Playwright's page that the tests use, for one window of WebKit. */
export const webkitPage = (session: Session, window: string, shared: object) => {
  const { command } = session;
  const events = new EventEmitter();
  const to = (method: string, path: string, body: object = {}): Promise<unknown> => command(method, path, body, window);
  const evaluate = (action: Runnable, given?: unknown): Promise<unknown> => evaluateIn(session, window, action, given);
  const click = async (value: string, using = 'css selector'): Promise<void> => {
    const find = (): Promise<Record<string, string> | undefined> =>
      command<Record<string, string>>('POST', '/element', { using, value }, window).catch(() => undefined);
    const found = await until(find, value, 30_000);
    await to('POST', `/element/${found[elementKey]}/click`);
  };
  const moved = (go: () => Promise<unknown>) => (options?: { readonly waitUntil?: LoadState }) =>
    nextDocument(session, window, go, options?.waitUntil);
  return namedLacks('page', {
    ...shared,
    handle: window,
    on: (name: string, listener: () => void) => void events.on(name, listener),
    goto: (url: string, options?: { readonly waitUntil?: LoadState }) =>
      nextDocument(session, window, () => to('POST', '/url', { url }), options?.waitUntil),
    reload: moved(() => to('POST', '/refresh')),
    goBack: moved(() => to('POST', '/back')),
    evaluate,
    evaluateHandle: async (wanted: Runnable) => {
      const target = typeof wanted === 'string' ? wanted : await handleTo(session, window, wanted);
      return { evaluate: (action: Runnable, given?: unknown) => evaluateIn(session, window, action, given, target) };
    },
    waitForFunction: (action: Runnable, given?: unknown) =>
      until(async () => (await evaluate(action, given).catch(() => undefined)) || undefined, String(action)),
    waitForLoadState: (state: LoadState = 'load') =>
      until(async () => (await isArrived(session, window, state)) || undefined, `“${state}”`, 30_000),
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
      return nextDocument(session, window, () => Promise.resolve(), name === 'load' ? 'load' : 'commit');
    },
    mouse: { move: (x: number, y: number) => to('POST', '/actions', pointerTo(x, y)) },
    click,
    locator: (selector: string) => namedLacks('locator', { click: () => click(selector) }),
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
