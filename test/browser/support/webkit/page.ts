import { EventEmitter } from 'node:events';

import { until } from '../until';
import { documentOf, isArrived, type LoadState, nextDocument, untilArrived } from './documents';
import { patience } from './elements';
import { pressOf, typeOf } from './keyboard';
import type { Overlaid } from './locators';
import { namedLacks } from './namedLacks';
import { matches, type Pattern } from './routes';
import { emitSaid, type Said, untoldByPage } from './said';
import type { Session } from './session';

/** The actions that move the mouse to a point, and do there what is said. */
const pointerTo = (x: number, y: number, then: readonly ('pointerDown' | 'pointerUp')[] = []) => ({
  actions: [
    {
      type: 'pointer',
      id: 'mouse',
      parameters: { pointerType: 'mouse' },
      actions: [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
        ...then.map((type) => ({ type, button: 0 })),
      ],
    },
  ],
});

const withoutFragment = (url: string): string => url.replace(/#.*/, '');

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
  const overlaid: Overlaid[] = [];
  const shown = documentOf(session, window, overlaid);
  const moved = (go: () => Promise<unknown>) => (options?: { readonly waitUntil?: LoadState }) =>
    next(go, options?.waitUntil);
  return namedLacks('page', {
    ...shared,
    ...shown,
    handle: window,
    on: (name: string, listener: () => void) => void emitterOf(name).on(name, listener),
    once: (name: string, listener: () => void) => void emitterOf(name).once(name, listener),
    goto: async (url: string, options?: { readonly waitUntil?: LoadState }) => {
      const go = (): Promise<unknown> => to('POST', '/url', { url });
      const before = await command<string>('GET', '/url', undefined, window);
      const isFragment = before !== url && withoutFragment(before) === withoutFragment(url);
      await (isFragment ? go() : next(go, options?.waitUntil));
    },
    reload: moved(() => to('POST', '/refresh')),
    goBack: moved(() => to('POST', '/back')),
    waitForURL: (pattern: Pattern) =>
      until(
        async () => {
          const url = await command<string>('GET', '/url', undefined, window);
          return (matches(pattern, url) && (await isArrived(session, window, 'load'))) || undefined;
        },
        `the address ${String(pattern)}`,
        patience,
      ),
    waitForEvent: async (name: string) => {
      if (name === 'close') return new Promise<void>((resolve) => events.once('close', resolve));
      if (name !== 'load' && name !== 'framenavigated') throw new Error(`WebDriver does not tell of “${name}”`);
      return next(() => Promise.resolve(), name === 'load' ? 'load' : 'commit');
    },
    mouse: namedLacks('mouse', {
      move: (x: number, y: number) => to('POST', '/actions', pointerTo(x, y)),
      click: (x: number, y: number) => to('POST', '/actions', pointerTo(x, y, ['pointerDown', 'pointerUp'])),
    }),
    keyboard: namedLacks('keyboard', {
      press: (keys: string) => to('POST', '/actions', pressOf(keys)),
      type: (text: string) => to('POST', '/actions', typeOf(text)),
      insertText: (text: string) =>
        shown.evaluate(`document.execCommand('insertText', false, ${JSON.stringify(text)})`),
    }),
    addLocatorHandler: ({ selector }: { readonly selector: string }, handler: () => Promise<unknown>) =>
      Promise.resolve(void overlaid.push({ selector, handler })),
    screenshot: async () => Buffer.from(await command<string>('GET', '/screenshot', undefined, window), 'base64'),
    setViewportSize: async (size: { readonly width: number; readonly height: number }): Promise<void> => {
      // Windows have no frames here. The page learns of the new size some time later.
      await to('POST', '/window/rect', size);
      const isShown = `innerWidth === ${size.width} && innerHeight === ${size.height}`;
      await until(async () => (await shown.evaluate(isShown)) || undefined, `a page of ${size.width} x ${size.height}`);
    },
    heard: async () => {
      for (const said of (await shown.evaluate(untoldByPage)) as readonly Said[]) emitSaid(ofContext, said);
    },
    /** Without a command to it, the page has gone. */
    left: () => void events.emit('close'),
    title: () => command<string>('GET', '/title', undefined, window),
    close: async () => {
      await command('DELETE', '/window', undefined, window);
      events.emit('close');
    },
  });
};
