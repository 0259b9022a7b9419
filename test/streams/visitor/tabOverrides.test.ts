import { fakePlatform } from '../../../src/fakePlatform/fakePlatform';
import { json } from '../../../src/hardening/plainJson';
import { tabOverrides } from '../../../src/streams/visitor/tabOverrides';
import { reportMock } from '../../support/reports';
import { settingsOf } from '../../support/settings';

const overridesOn = (page: object): object => {
  const session = { __permutiveConfigQueryParams: '{"requestTimeout":2000}' };
  const url = (): string => 'https://www.site.example/?__permutive.eventsTTLInDays=2';
  return tabOverrides(fakePlatform({ session, page: { url, ...page } }), json, reportMock(), settingsOf());
};

describe('Settings that an address overrides', () => {
  it('are those of the tab and of the address', () => {
    expect(overridesOn({})).toEqual({ requestTimeout: 2000, eventsTTLInDays: 2 });
  });

  it('are those of the address alone where what the tab keeps cannot be read, and that is reported', () => {
    const url = (): string => 'https://www.site.example/?__permutive.eventsTTLInDays=2';
    const report = reportMock();
    const overridesOver = (kept: string): object =>
      tabOverrides(
        fakePlatform({ session: { __permutiveConfigQueryParams: kept }, page: { url } }),
        json,
        report,
        settingsOf(),
      );
    expect(overridesOver('{"requestTimeout":')).toEqual({ eventsTTLInDays: 2 });
    expect(report.mock.calls).toEqual([['Failed to parse query params']]);
    expect(overridesOver('[]')).toEqual({ eventsTTLInDays: 2 });
  });

  it('are none in a frame of another site, which has chosen the address', () => {
    expect(overridesOn({ isEmbedded: () => true })).toEqual({});
  });

  const openedAt = (origin: string, config: Readonly<Record<string, unknown>> = {}, kept = '{}'): unknown => {
    const page = { url: (): string => `${origin}/?__permutive.inspector=true&permutive_debug=true` };
    const platform = fakePlatform({ session: { __permutiveConfigQueryParams: kept }, page });
    return 'inspector' in tabOverrides(platform, json, reportMock(), settingsOf(config));
  };

  it.each(['https://www.site.example', 'https://localhost.evil.example', 'https://127.0.0.1.evil.example'])(
    'open the inspector at %s only where the page or the definition allows it',
    (origin) => {
      expect(openedAt(origin)).toBe(false);
      expect(openedAt(origin, { inspectorByLink: true })).toBe(true);
      expect(openedAt(origin, { loggingEnabled: true })).toBe(true);
    },
  );

  it.each(['http://localhost:8080', 'http://site.localhost', 'http://127.0.0.1:1'])('open it at %s', (origin) => {
    expect(openedAt(origin)).toBe(true);
  });

  it('leave it open where the page’s own code has opened it before', () => {
    expect(openedAt('https://www.site.example', {}, '{"inspector":true}')).toBe(true);
  });
});
