import { installMissing, type Providing } from '../../../command/programs/provide';
import type { Missing, ShellCommand } from '../../../command/programs/provision';

const title = (name: string): Missing => ({ title: name, packages: [`${name}-package`] });

/** A machine without these programs, on which apt has all packages but some. */
const machineWithout = (missing: readonly Missing[], notToBeHad: readonly string[] = []) => {
  const installed = new Set<string>();
  const said: string[] = [];
  const ran: string[] = [];
  const run = ([program, what, ...args]: ShellCommand): boolean => {
    ran.push([program, what, ...args].join(' '));
    const packages = what === 'install' ? args.filter((arg) => !arg.startsWith('-')) : [];
    if (packages.some((name) => notToBeHad.includes(name))) return false;
    for (const name of packages) installed.add(name);
    return true;
  };
  const deps: Providing = {
    missing: () => missing.filter(({ packages }) => !packages.every((name) => installed.has(name))),
    machine: { hasApt: true, mayInstall: true },
    run,
    say: (line) => said.push(line),
  };
  return { deps, said, ran };
};
const install = 'apt-get install -y --no-install-recommends';

describe('installMissing', () => {
  it('says nothing and runs nothing where all is there', () => {
    const { deps, said, ran } = machineWithout([]);
    installMissing(deps);
    expect([said, ran]).toEqual([[], []]);
  });

  it('says in one line what is missing and what is run, before it runs it', () => {
    const { deps, said, ran } = machineWithout([title('a'), title('b')]);
    const toldFirst: boolean[] = [];
    installMissing({ ...deps, run: (command) => (toldFirst.push(said.length === 1), deps.run(command)) });
    expect(said).toEqual([`Missing: a, b. Running: apt-get update && ${install} a-package b-package`]);
    expect(ran).toEqual(['apt-get update', `${install} a-package b-package`]);
    expect(toldFirst).toEqual([true, true]);
  });

  it('installs the packages one by one where a release does not have all, and says what is still missing', () => {
    const { deps, ran } = machineWithout([title('a'), title('b')], ['a-package']);
    expect(() => installMissing(deps)).toThrow('Installing has failed. Missing: a.\nInstall a (on Debian: a-package).');
    expect(ran).toEqual([
      'apt-get update',
      `${install} a-package b-package`,
      `${install} a-package`,
      `${install} b-package`,
    ]);
  });

  it('is content where the program is there without a package that is not to be had', () => {
    const { deps } = machineWithout([{ title: 'a', packages: ['a-package', 'a-more'] }], ['a-more']);
    let looks = 0;
    installMissing({ ...deps, missing: () => (looks++ === 0 ? deps.missing() : []) });
  });

  it('tries a download once, and says what is still missing', () => {
    const { deps, ran } = machineWithout([{ ...title('a'), download: 'a' }]);
    const alone: Providing = {
      ...deps,
      machine: { hasApt: false, mayInstall: true },
      run: (command) => (deps.run(command), false),
    };
    expect(() => installMissing(alone)).toThrow('Installing has failed. Missing: a.');
    expect(ran).toEqual(['npx playwright-core install a']);
  });

  it('runs nothing and throws where nothing may be installed', () => {
    const { deps, said, ran } = machineWithout([title('a')]);
    expect(() => installMissing({ ...deps, machine: { hasApt: true, mayInstall: false } })).toThrow(
      `Missing: a. NO_INSTALL is set, so run it yourself: apt-get update && ${install} a-package`,
    );
    expect([said, ran]).toEqual([[], []]);
  });
});
