import { type Machine, type Missing, provision } from '../../../command/programs/provision';

const chromium: Missing = {
  title: 'Chromium',
  variable: 'CHROMIUM_PATH',
  download: 'chromium',
  packages: ['chromium'],
};
const firefox: Missing = { title: 'Firefox 153 or newer', variable: 'FIREFOX_PATH', packages: ['firefox-esr'] };
const webkit: Missing = { title: 'WebKitGTK with its driver', packages: ['webkit2gtk-driver', 'openssl'] };

const rootOnDebian: Machine = { hasApt: true, mayInstall: true };
const user: Machine = { hasApt: false, mayInstall: true };

describe('what is done about programs', () => {
  it.each([rootOnDebian, user, { ...rootOnDebian, mayInstall: false }, { ...user, mayInstall: false }])(
    'is nothing where none is missing: %p',
    (machine) => {
      expect(provision([], machine)).toEqual({ type: 'ready' });
    },
  );

  it('is one update and one installation of all that is missing, as root on Debian', () => {
    expect(provision([firefox, webkit], rootOnDebian)).toEqual({
      type: 'install',
      missing: 'Missing: Firefox 153 or newer, WebKitGTK with its driver.',
      commands: [
        ['apt-get', 'update'],
        ['apt-get', 'install', '-y', '--no-install-recommends', 'firefox-esr', 'webkit2gtk-driver', 'openssl'],
      ],
    });
  });

  it('is a download of the browser by its driver elsewhere', () => {
    expect(provision([chromium], user)).toEqual({
      type: 'install',
      missing: 'Missing: Chromium.',
      commands: [['npx', 'playwright-core', 'install', 'chromium']],
    });
  });

  it('is nothing, and the way out by hand, where one of them cannot be installed', () => {
    expect(provision([chromium, firefox, webkit], user)).toEqual({
      type: 'refusal',
      message: [
        'Missing: Chromium, Firefox 153 or newer, WebKitGTK with its driver.',
        'Install Chromium (on Debian: chromium), and set CHROMIUM_PATH where it is in no usual place.',
        'Install Firefox 153 or newer (on Debian: firefox-esr), and set FIREFOX_PATH where it is in no usual place.',
        'Install WebKitGTK with its driver (on Debian: webkit2gtk-driver openssl).',
      ].join('\n'),
    });
  });

  it('is nothing where a variable names a program that is none, because no other would be looked for', () => {
    expect(provision([webkit, { ...firefox, named: '/opt/old/firefox' }], rootOnDebian)).toEqual({
      type: 'refusal',
      message: [
        'Missing: WebKitGTK with its driver, Firefox 153 or newer.',
        'Install WebKitGTK with its driver (on Debian: webkit2gtk-driver openssl).',
        'FIREFOX_PATH is /opt/old/firefox, which is not Firefox 153 or newer: correct it, or unset it.',
      ].join('\n'),
    });
  });

  it('is nothing with NO_INSTALL, and the command that would be run', () => {
    expect(provision([firefox], { ...rootOnDebian, mayInstall: false })).toEqual({
      type: 'refusal',
      message:
        'Missing: Firefox 153 or newer. NO_INSTALL is set, so run it yourself: ' +
        'apt-get update && apt-get install -y --no-install-recommends firefox-esr',
    });
    expect(provision([chromium], { ...user, mayInstall: false })).toEqual({
      type: 'refusal',
      message: 'Missing: Chromium. NO_INSTALL is set, so run it yourself: npx playwright-core install chromium',
    });
  });

  it('is the way out by hand with NO_INSTALL too, where no command would do', () => {
    expect(provision([firefox], { ...user, mayInstall: false })).toEqual(provision([firefox], user));
  });
});
