import { commandText, type Provision } from '../programs/provision';

export interface ReadyChromiumDeps {
  readonly hasChromium: () => boolean;
  /** What can be done where the browser is missing. */
  readonly provision: () => Provision;
  /** Whether it may be installed without a question: by the flag `--install`. */
  readonly isAllowed: boolean;
  /** Asks the person at the terminal a question; undefined where there is no terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Installs the browser, or throws an error that says why not. */
  readonly install: () => void;
}

/**
 * Sees that there is Chromium. Where there is none, it is installed by the flag, or by a yes at the terminal to the
 * commands that will be run. Answers why there is none after that; undefined where there is one.
 */
export const chromiumRefusal = async ({
  hasChromium,
  provision,
  isAllowed,
  ask,
  install,
}: ReadyChromiumDeps): Promise<string | undefined> => {
  const decided = hasChromium() ? { type: 'ready' as const } : provision();
  if (decided.type === 'ready') return undefined;
  if (decided.type === 'refusal') return decided.message;
  const commands = commandText(decided.commands);
  const answer = isAllowed ? 'yes' : ((await ask?.(`There is no Chromium. Run ${commands}? [y/N] `)) ?? '');
  if (!/^y(es)?$/i.test(answer.trim()))
    return `${decided.missing} Install it by --install, which runs ${commands}, or set CHROMIUM_PATH.`;
  try {
    install();
    return undefined;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
};
