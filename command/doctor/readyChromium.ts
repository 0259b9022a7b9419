export interface ReadyChromiumDeps {
  readonly hasChromium: () => boolean;
  /** Whether it may be installed without a question: by the flag `--install`. */
  readonly isAllowed: boolean;
  /** Asks the person at the terminal a question; undefined where there is no terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  readonly install: () => void;
}

/** Whether there is Chromium. Where there is none, it is installed by the flag, or by a yes at the terminal. */
export const readyChromium = async ({ hasChromium, isAllowed, ask, install }: ReadyChromiumDeps): Promise<boolean> => {
  if (hasChromium()) return true;
  const answer = isAllowed ? 'yes' : ((await ask?.('There is no Chromium. Install it? [y/N] ')) ?? '');
  if (!/^y(es)?$/i.test(answer.trim())) return false;
  install();
  return hasChromium();
};
