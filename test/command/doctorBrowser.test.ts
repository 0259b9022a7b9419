import { sandboxed } from '../../command/doctor/chromium';
import { readyChromium, type ReadyChromiumDeps } from '../../command/doctor/readyChromium';

/** A machine without Chromium, on which installing it works. */
const machine = (changes: Partial<ReadyChromiumDeps> = {}) => {
  let isInstalled = false;
  const install = jest.fn(() => {
    isInstalled = true;
  });
  return { hasChromium: () => isInstalled, isAllowed: false, ask: undefined, install, ...changes };
};
const saying = (answer: string) => jest.fn<Promise<string>, [question: string]>(() => Promise.resolve(answer));

describe('readyChromium', () => {
  it('asks nobody and installs nothing where there is one', async () => {
    const ask = saying('yes');
    const deps = machine({ hasChromium: () => true, isAllowed: true, ask });
    expect(await readyChromium(deps)).toBe(true);
    expect(ask).not.toHaveBeenCalled();
    expect(deps.install).not.toHaveBeenCalled();
  });

  it.each(['y', 'Y', 'yes', ' YES '])('installs it after the answer “%s”', async (answer) => {
    const ask = saying(answer);
    const deps = machine({ ask });
    expect(await readyChromium(deps)).toBe(true);
    expect(ask.mock.calls).toEqual([['There is no Chromium. Install it? [y/N] ']]);
    expect(deps.install).toHaveBeenCalledTimes(1);
  });

  it.each(['', 'n', 'no', 'yesterday', 'ye', 'ok'])('installs nothing after the answer “%s”', async (answer) => {
    const deps = machine({ ask: saying(answer) });
    expect(await readyChromium(deps)).toBe(false);
    expect(deps.install).not.toHaveBeenCalled();
  });

  it('installs nothing where nobody can be asked', async () => {
    const deps = machine();
    expect(await readyChromium(deps)).toBe(false);
    expect(deps.install).not.toHaveBeenCalled();
  });

  it('installs it without a question by the flag', async () => {
    const ask = saying('no');
    const deps = machine({ isAllowed: true, ask });
    expect(await readyChromium(deps)).toBe(true);
    expect(ask).not.toHaveBeenCalled();
  });

  it('is not ready where installing it has failed', async () => {
    expect(await readyChromium(machine({ isAllowed: true, install: () => undefined }))).toBe(false);
  });
});

describe('Chromium for pages that nobody vouches for', () => {
  it('has its sandbox where the user is not root', () => {
    const { args, chromiumSandbox } = sandboxed(false);
    expect(chromiumSandbox).toBe(true);
    expect(args).not.toContain('--no-sandbox');
  });

  it('has none as root, because Chromium does not start with it there', () => {
    const { args, chromiumSandbox } = sandboxed(true);
    expect(chromiumSandbox).toBe(false);
    expect(args).toContain('--no-sandbox');
  });

  it('is else launched with the same options', () => {
    expect(sandboxed(true).args?.filter((arg) => arg !== '--no-sandbox')).toEqual(sandboxed(false).args);
    expect(sandboxed(false).args).toContain('--disable-background-networking');
  });
});
