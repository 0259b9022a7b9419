import { type ConfigName, configTable, settingsFrom, type SettingsSources } from '../../src/model/config';
import { linesOf, reportMock } from '../support/reports';

const sourcesOf = (given: Partial<Omit<SettingsSources, 'page' | 'report'>> & { readonly page?: unknown }) => {
  const report = reportMock();
  const setting = settingsFrom({ overrides: {}, project: {}, ...given, page: () => given.page, report });
  return { setting, reported: () => linesOf(report) };
};
const defaultsIn = (page: unknown): Record<string, unknown> => {
  const { setting } = sourcesOf({ page });
  return Object.fromEntries((Object.keys(configTable) as ConfigName[]).map((name) => [name, setting(name)]));
};

const production = {
  apiKey: '',
  workspaceId: '',
  projectId: '',
  environment: 'production',
  apiHost: 'api.permutive.com',
  apiProtocol: 'https',
  apiVersion: 'v2.0',
  cdnBaseUrl: 'cdn.permutive.com',
  cdnProtocol: 'https',
  advertiserApiVersion: 'v4',
  classificationModelsApiVersion: 'v1',
  sdkErrorsApiVersion: 'v2',
  segmentSyncApiHost: 'sync.permutive.com',
  consentRequired: false,
  cookieDomain: '',
  cookieName: 'permutive-id',
  cookieExpiry: '6 months',
  eventsCacheLimitBytes: 2_500_000,
  eventsTTLInDays: null,
  localStorageWriteDelay: 1000,
  localStorageWriteMaxDelay: 1500,
  loggingEnabled: false,
  tracingEnabled: false,
  metricsSamplingPercentage: 20,
  prebidAuctionsRandomDownsamplingThreshold: 0.9,
  requestTimeout: 5000,
  sendClientErrors: true,
  sdkType: 'web',
  stateNamespace: 'permutive-app',
  watson: { enabled: true },
  viewId: '',
  windowKey: 'permutive',
};

describe('the defaults', () => {
  it('are those of the contract', () => {
    expect(defaultsIn({})).toMatchObject(production);
  });

  it('are other protocols, logging and no error reports in development', () => {
    const development = {
      environment: 'development',
      apiProtocol: 'http',
      cdnProtocol: 'http',
      loggingEnabled: true,
      sendClientErrors: false,
    };
    expect(defaultsIn({ environment: 'development' })).toMatchObject({ ...production, ...development });
  });

  it.each([undefined, null, 7, 'config', []])('hold where the page gives %p for a config', (page) => {
    expect(defaultsIn(page)).toMatchObject(production);
  });
});

describe('settingsFrom', () => {
  it.each([
    ['the default', {}, 5000],
    ['the project', { project: { requestTimeout: 1 } }, 1],
    ['the page over the project', { project: { requestTimeout: 1 }, page: { requestTimeout: 2 } }, 2],
    [
      'overrides over all',
      { project: { requestTimeout: 1 }, page: { requestTimeout: 2 }, overrides: { requestTimeout: 3 } },
      3,
    ],
    [
      'the project where the page says undefined',
      { project: { requestTimeout: 1 }, page: { requestTimeout: undefined } },
      1,
    ],
  ])('takes %s', (_, given, expected) => {
    expect(sourcesOf(given).setting('requestTimeout')).toBe(expected);
  });

  it('reads the page at each use', () => {
    const page = { apiHost: 'one.example' };
    const { setting } = sourcesOf({ page });
    expect(setting('apiHost')).toBe('one.example');
    page.apiHost = 'two.example/path';
    expect(setting('apiHost')).toBe('two.example/path');
  });

  it.each<readonly [ConfigName, unknown, unknown]>([
    ['consentRequired', false, false],
    ['metricsSamplingPercentage', 0, 0],
    ['apiHost', '', ''],
    ['eventsTTLInDays', null, null],
    ['eventsTTLInDays', 180, 180],
    ['requestTimeout', 0.5, 0.5],
    ['cookieExpiry', '1 day', '1 day'],
    ['cookieExpiry', '9999 months', '9999 months'],
  ])('takes %s: %p for an answer', (name, value, expected) => {
    expect(sourcesOf({ page: { [name]: value }, project: { [name]: 7 } }).setting(name)).toBe(expected);
  });

  it.each<readonly [ConfigName, unknown, string]>([
    ['apiHost', 7, 'config/apiHost: expected string'],
    ['apiHost', null, 'config/apiHost: expected string'],
    ['sendClientErrors', 'true', 'config/sendClientErrors: expected boolean'],
    ['requestTimeout', '5000', 'config/requestTimeout: expected positive number'],
    ['requestTimeout', NaN, 'config/requestTimeout: expected'],
    ['requestTimeout', Infinity, 'config/requestTimeout: expected'],
    ['requestTimeout', 0, 'config/requestTimeout: expected positive number'],
    ['requestTimeout', -1, 'config/requestTimeout: expected positive number'],
    ['watson', true, 'config/watson: expected'],
    ['watson', { enabled: 'yes' }, 'config/watson/enabled: expected boolean'],
    ['localStorageDebouncedKeys', ['a', 1], 'config/localStorageDebouncedKeys/1: expected string'],
    ['eventsTTLInDays', 'forever', 'config/eventsTTLInDays: expected'],
    ['cookieExpiry', '1 year', 'config/cookieExpiry: expected number of days or months'],
    ['cookieExpiry', '', 'config/cookieExpiry: expected number of days or months'],
    ['cookieExpiry', 30, 'config/cookieExpiry: expected number of days or months'],
  ])('replaces %s: %p by the default, and reports it by path', (name, value, expected) => {
    const { setting, reported } = sourcesOf({ page: { [name]: value } });
    expect(setting(name)).toEqual((production as Record<string, unknown>)[name] ?? configTable[name].fallback);
    expect(reported()).toHaveLength(1);
    expect(reported()[0]).toContain(`Invalid config: ${expected}`);
  });

  it('takes the next source’s value for a wrong one', () => {
    expect(sourcesOf({ page: { requestTimeout: 'x' }, project: { requestTimeout: 1 } }).setting('requestTimeout')).toBe(
      1,
    );
  });

  it('reports a wrong value once, however often it is read', () => {
    const { setting, reported } = sourcesOf({ page: { apiHost: 7, cookieName: 8 } });
    for (const name of ['apiHost', 'cookieName', 'apiHost', 'cookieName'] as const) setting(name);
    expect(reported()).toHaveLength(2);
  });

  it('never reports the value itself', () => {
    const { setting, reported } = sourcesOf({ page: { cookieName: { secret: 'reader@site.example' } } });
    setting('cookieName');
    expect(reported().join()).not.toContain('reader');
  });

  it('reads own properties only', () => {
    expect(sourcesOf({ page: Object.create({ apiHost: 'inherited.example' }) }).setting('apiHost')).toBe(
      'api.permutive.com',
    );
  });

  it('is not misled by names that every object has', () => {
    const { setting } = sourcesOf({ page: JSON.parse('{"__proto__":{"apiHost":"polluted.example"}}') });
    expect(setting('apiHost')).toBe('api.permutive.com');
  });

  it('takes a getter that throws for nothing given', () => {
    const page = {
      get apiHost(): string {
        throw new Error('of the page');
      },
    };
    expect(sourcesOf({ page, project: { apiHost: 'project.example' } }).setting('apiHost')).toBe('project.example');
  });
});

describe('consentRequired', () => {
  it.each(['true', 1, {}, null, 'false', 0, []])('is true where it is %p, which is no boolean', (consentRequired) => {
    const { setting, reported } = sourcesOf({ page: { consentRequired }, project: { consentRequired: false } });
    expect(setting('consentRequired')).toBe(true);
    expect(reported()).toEqual([expect.stringContaining('Invalid config: config/consentRequired: expected boolean')]);
  });

  it('is true where its getter throws', () => {
    const page = {
      get consentRequired(): boolean {
        throw new Error('of the page');
      },
    };
    expect(sourcesOf({ page, project: { consentRequired: false } }).setting('consentRequired')).toBe(true);
  });

  it('is as the page says, else as the project says', () => {
    expect(sourcesOf({ page: { consentRequired: false } }).setting('consentRequired')).toBe(false);
    expect(sourcesOf({ page: {}, project: { consentRequired: true } }).setting('consentRequired')).toBe(true);
  });
});
