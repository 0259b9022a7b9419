import { until } from '../until';
import { patience } from './elements';
import { evaluateIn, handleTo, type Runnable } from './evaluate';
import { finderIn, type Overlaid } from './locators';
import { namedLacks } from './namedLacks';
import type { Session } from './session';

export type LoadState = 'load' | 'domcontentloaded' | 'commit';

/** The page's HTML may hide `document.readyState`. */
const isThere = `const state = Object.getOwnPropertyDescriptor(Document.prototype, 'readyState').get.call(document);
  return window.__left === undefined &&
    (arguments[0] === 'commit' || state === 'complete' || arguments[0] === 'domcontentloaded' && state === 'interactive')`;

export const isArrived = ({ command }: Session, window: string, state: LoadState): Promise<boolean> =>
  command<boolean>('POST', '/execute/sync', { script: isThere, args: [state] }, window).catch(() => false);

export const untilArrived = (session: Session, window: string, state: LoadState): Promise<boolean> =>
  until(async () => (await isArrived(session, window, state)) || undefined, `“${state}” of the document`, patience);

/** Waits for the document that comes after the present one; `go` starts the way there. */
export const nextDocument = async (
  session: Session,
  window: string,
  go: () => Promise<unknown>,
  state: LoadState,
): Promise<void> => {
  await session.command('POST', '/execute/sync', { script: 'window.__left = true', args: [] }, window);
  await go();
  await untilArrived(session, window, state);
};

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

/**
 * What Playwright's pages and frames have in common: one document that is asked and used.
 *
 * @param place - The window, or a frame in it.
 * @param overlaid - What may lie over the document.
 */
export const documentOf = (session: Session, place: string, overlaid: readonly Overlaid[] = []) => {
  const evaluate = (action: Runnable, given?: unknown): Promise<unknown> => evaluateIn(session, place, action, given);
  return {
    ...finderIn(session, place, overlaid, (frame): object => namedLacks('frame', documentOf(session, frame))),
    evaluate,
    evaluateHandle: async (wanted: Runnable) => {
      const target = typeof wanted === 'string' ? wanted : await handleTo(session, place, wanted);
      return { evaluate: (action: Runnable, given?: unknown) => evaluateIn(session, place, action, given, target) };
    },
    addScriptTag: (source: { readonly content?: string; readonly url?: string }) => evaluate(addScript, source),
    content: () => evaluate('document.documentElement.outerHTML'),
    waitForFunction: (action: Runnable, given?: unknown) =>
      until(async () => (await evaluate(action, given).catch(() => undefined)) || undefined, String(action)),
    waitForLoadState: (state: LoadState = 'load') => untilArrived(session, place, state),
  };
};
