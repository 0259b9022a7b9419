import { sandboxed } from '../../command/doctor/chromium';
import { chromiumRefusal, type ReadyChromiumDeps } from '../../command/doctor/chromiumRefusal';
import type { Provision } from '../../command/programs/provision';

const commands = 'npx playwright-core install chromium';
const missing = 'Missing: Chromium.';
const installable: Provision = {
  type: 'install',
  missing,
  commands: [['npx', 'playwright-core', 'install', 'chromium']],
};

/** A machine without Chromium, on which installing it works. */
const machine = (changes: Partial<ReadyChromiumDeps> = {}) => {
  const install = jest.fn();
  const provision = (): Provision => installable;
  return { hasChromium: () => false, provision, isAllowed: false, ask: undefined, install, ...changes };
};
const saying = (answer: string) => jest.fn<Promise<string>, [question: string]>(() => Promise.resolve(answer));

describe('chromiumRefusal', () => {
  it('asks nobody and installs nothing where there is one', async () => {
    const ask = saying('yes');
    const deps = machine({ hasChromium: () => true, isAllowed: true, ask });
    expect(await chromiumRefusal(deps)).toBeUndefined();
    expect(ask).not.toHaveBeenCalled();
    expect(deps.install).not.toHaveBeenCalled();
  });

  it.each(['y', 'Y', 'yes', ' YES '])('installs it after the answer “%s” to the commands', async (answer) => {
    const ask = saying(answer);
    const deps = machine({ ask });
    expect(await chromiumRefusal(deps)).toBeUndefined();
    expect(ask.mock.calls).toEqual([[`There is no Chromium. Run ${commands}? [y/N] `]]);
    expect(deps.install).toHaveBeenCalledTimes(1);
  });

  it.each(['', 'n', 'no', 'yesterday', 'ye', 'ok'])('installs nothing after the answer “%s”', async (answer) => {
    const deps = machine({ ask: saying(answer) });
    expect(await chromiumRefusal(deps)).toContain(missing);
    expect(deps.install).not.toHaveBeenCalled();
  });

  it('installs nothing where nobody can be asked, and names the commands', async () => {
    const deps = machine();
    expect(await chromiumRefusal(deps)).toBe(
      `${missing} Install it by --install, which runs ${commands}, or set CHROMIUM_PATH.`,
    );
    expect(deps.install).not.toHaveBeenCalled();
  });

  it('installs it without a question by the flag', async () => {
    const ask = saying('no');
    const deps = machine({ isAllowed: true, ask });
    expect(await chromiumRefusal(deps)).toBeUndefined();
    expect(deps.install).toHaveBeenCalledTimes(1);
    expect(ask).not.toHaveBeenCalled();
  });

  it('asks nobody and installs nothing, even by the flag, where nothing may be installed', async () => {
    const ask = saying('yes');
    const message = 'NO_INSTALL is set';
    const deps = machine({ provision: () => ({ type: 'refusal', message }), isAllowed: true, ask });
    expect(await chromiumRefusal(deps)).toBe(message);
    expect(ask).not.toHaveBeenCalled();
    expect(deps.install).not.toHaveBeenCalled();
  });

  it('says why where installing it has failed', async () => {
    const install = (): void => {
      throw new Error('Installing has failed.');
    };
    expect(await chromiumRefusal(machine({ isAllowed: true, install }))).toBe('Installing has failed.');
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
