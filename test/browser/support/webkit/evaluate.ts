import { Script } from 'node:vm';

import { pause } from '../pause';
import type { Session } from './session';

/** What runs in a page and gives an answer, or a promise of one. */
export type Runnable = string | ((given: never) => unknown);

type Outcome = { readonly done: boolean; readonly value?: string | null; readonly error?: string };

/**
 * Begins in the page what may take long, and answers what is there after a moment: a command that waits would hold back
 * those of the visitor's other tabs.
 */
const begin = (expression: string): string => `
  const [id, given, tell] = arguments;
  const outcomes = (window.__outcomes ??= {});
  const outcome = (outcomes[id] = { done: false });
  const timer = setTimeout(() => tell(outcome), 30);
  (async () => (${expression}))().then(
    (value) => { outcome.value = value === undefined ? null : JSON.stringify(value); },
    (error) => { outcome.error = String(error && error.message || error); },
  ).then(() => { outcome.done = true; clearTimeout(timer); tell(outcome); });`;

const look = `return (window.__outcomes || {})[arguments[0]] || { done: true, error: 'The page has gone to another one' };`;

const isExpression = (script: string): boolean => {
  try {
    return Boolean(new Script(`(${script})`));
  } catch {
    return false;
  }
};

let last = 0;

/** Runs a function in the window; `target` is an expression whose value the function is given first. */
export const evaluateIn = async (
  { command }: Session,
  window: string,
  action: Runnable,
  given?: unknown,
  target?: string,
): Promise<unknown> => {
  const id = String((last += 1));
  const call = (source: string): string => `(${source})(${target === undefined ? '' : `${target}, `}given)`;
  // A whole script has no answer.
  const text = (script: string): string => (isExpression(script) ? script : `(() => { ${script}\n })()`);
  const script = begin(typeof action === 'string' ? text(action) : call(action.toString()));
  const args = [id, given === undefined ? null : given];
  // An argument that is not given is undefined for the page's function as well.
  const whole =
    given === undefined
      ? script
          .replace('const [id, given, tell]', 'const [id, , tell]')
          .replace('const outcomes', 'const given = undefined; const outcomes')
      : script;
  let outcome = await command<Outcome>('POST', '/execute/async', { script: whole, args }, window);
  while (!outcome.done) {
    await pause(30, 'the page is asked again a moment later');
    outcome = await command<Outcome>('POST', '/execute/sync', { script: look, args: [id] }, window);
  }
  if (typeof outcome.error === 'string') throw new Error(outcome.error);
  return typeof outcome.value === 'string' ? JSON.parse(outcome.value) : undefined;
};

/** Keeps what the function answers in the window, and tells the expression that has it. */
export const handleTo = async (
  session: Session,
  window: string,
  action: Exclude<Runnable, string>,
): Promise<string> => {
  const handle = `window.__handle${(last += 1)}`;
  await evaluateIn(session, window, `(${handle} = await (${action.toString()})(), undefined)`);
  return handle;
};
