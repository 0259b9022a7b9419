import { EventEmitter } from 'node:events';

import { until } from '../until';
import { evaluateIn, type Runnable } from './evaluate';
import { namedLacks } from './namedLacks';
import type { Session } from './session';

type LoadState = 'load' | 'domcontentloaded' | 'commit';

const isThere = `return window.__left === undefined &&
  (arguments[0] === 'commit' || document.readyState === 'complete' ||
    arguments[0] === 'domcontentloaded' && document.readyState === 'interactive')`;

/** Waits for the document that comes after the present one; `go` starts the way there. */
const nextDocument = async (
  { command }: Session,
  window: string,
  go: () => Promise<unknown>,
  state: LoadState = 'load',
): Promise<void> => {
  await command('POST', '/execute/sync', { script: 'window.__left = true', args: [] }, window);
  await go();
  const arrived = (): Promise<boolean> =>
    command<boolean>('POST', '/execute/sync', { script: isThere, args: [state] }, window).catch(() => false);
  await until(async () => (await arrived()) || undefined, 'the next document', 30_000);
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
  const click = async (selector: string): Promise<void> => {
    const find = (): Promise<Record<string, string> | undefined> =>
      command<Record<string, string>>('POST', '/element', { using: 'css selector', value: selector }, window).catch(
        () => undefined,
      );
    const found = await until(find, selector, 30_000);
    await to('POST', `/element/${found[elementKey]}/click`);
  };
  const moved = (go: () => Promise<unknown>) => (options?: { readonly waitUntil?: LoadState }) =>
    nextDocument(session, window, go, options?.waitUntil);
  return namedLacks('page', {
    ...shared,
    on: (name: string, listener: () => void) => void events.on(name, listener),
    goto: (url: string, options?: { readonly waitUntil?: LoadState }) =>
      nextDocument(session, window, () => to('POST', '/url', { url }), options?.waitUntil),
    reload: moved(() => to('POST', '/refresh')),
    goBack: moved(() => to('POST', '/back')),
    evaluate,
    evaluateHandle: (target: string) =>
      Promise.resolve({
        evaluate: (action: Runnable, given?: unknown) => evaluateIn(session, window, action, given, target),
      }),
    waitForFunction: (action: Runnable, given?: unknown) =>
      until(async () => (await evaluate(action, given)) || undefined, String(action)),
    waitForTimeout: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
    waitForEvent: (name: string) =>
      name === 'load'
        ? nextDocument(session, window, () => Promise.resolve())
        : Promise.reject(new Error(`WebDriver does not tell of “${name}”`)),
    mouse: { move: (x: number, y: number) => to('POST', '/actions', pointerTo(x, y)) },
    click,
    locator: (selector: string) => namedLacks('locator', { click: () => click(selector) }),
    textContent: (selector: string) =>
      evaluate((wanted: string) => document.querySelector(wanted)?.textContent, selector),
    title: () => command<string>('GET', '/title', undefined, window),
    close: async () => {
      await command('DELETE', '/window', undefined, window);
      events.emit('close');
    },
  });
};
