import { json } from '../../../src/model/plainJson';
import { tabOverrides } from '../../../src/streams/visitor/tabOverrides';
import { fakePlatform } from '../../support/fakePlatform';
import { reportMock } from '../../support/reports';

const overridesOn = (page: object): object => {
  const session = { __permutiveConfigQueryParams: '{"requestTimeout":2000}' };
  const url = (): string => 'https://www.site.example/?__permutive.eventsTTLInDays=2';
  return tabOverrides(fakePlatform({ session, page: { url, ...page } }), json, reportMock());
};

describe('Settings that an address overrides', () => {
  it('are those of the tab and of the address', () => {
    expect(overridesOn({})).toEqual({ requestTimeout: 2000, eventsTTLInDays: 2 });
  });

  it('are those of the address alone where what the tab keeps cannot be read, and that is reported', () => {
    const url = (): string => 'https://www.site.example/?__permutive.eventsTTLInDays=2';
    const report = reportMock();
    const overridesOver = (kept: string): object =>
      tabOverrides(fakePlatform({ session: { __permutiveConfigQueryParams: kept }, page: { url } }), json, report);
    expect(overridesOver('{"requestTimeout":')).toEqual({ eventsTTLInDays: 2 });
    expect(report.mock.calls).toEqual([['Failed to parse query params']]);
    expect(overridesOver('[]')).toEqual({ eventsTTLInDays: 2 });
  });

  it('are none in a frame of another site, which has chosen the address', () => {
    expect(overridesOn({ isEmbedded: () => true })).toEqual({});
  });
});
