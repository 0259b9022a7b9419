import { firstValueFrom, lastValueFrom, type Observable, of, throwError } from 'rxjs';

import { memoryStorage } from '../../../src/fakePlatform/memoryStorage';
import { json } from '../../../src/hardening/plainJson';
import type { HttpAnswer, HttpRequest } from '../../../src/platform/platform';
import { keptFields, readKept } from '../../../src/streams/enrichment/kept';
import { askServer } from '../../../src/streams/enrichment/requests';
import { reportMock } from '../../support/reports';
import { settingsOf } from '../../support/settings';

const key = 'permutive-data-enrichers';
const url = 'https://site.example/a';
const geo = { continent: 'Europe', country: 'Germany' };
const place = { geo_info: geo, isp_info: { isp: 'Fibre' }, ip_hash: 'abc', ip_address: '192.0.2.1' };
const content = {
  concepts: [{ text: 'copper', relevance: 1 }],
  sentiment: { document: { label: 'positive', score: 0.5 } },
  taxonomy: [{ label: '/business/metals', score: 0.9 }],
};
const classifications = {
  categories: content.taxonomy,
  concepts: content.concepts,
  emotion: null,
  entities: [],
  keywords: [],
  sentiment: content.sentiment.document,
  taxonomy_labels: ['/business', '/business/metals'],
};
const parts = ['geo', 'isp', 'ip_hash'];

/** A server, and a session that can change. */
const world = (stored?: string, contentOf: object = content) => {
  const local = memoryStorage(stored === undefined ? {} : { [key]: stored });
  const asked: string[] = [];
  let sessionId = 'session';
  let isDown = false;
  const send = ({ url: address }: HttpRequest): Observable<HttpAnswer> => {
    asked.push(address.includes('geoip') ? 'geoip' : 'watson');
    return isDown
      ? throwError(() => new Error('down'))
      : of({ status: 200, body: JSON.stringify(address.includes('geoip') ? place : contentOf) });
  };
  const report = reportMock();
  const deps = {
    local,
    json,
    report,
    http: { send, beacon: () => true },
    setting: settingsOf(),
    sessionId: () => sessionId,
  };
  return {
    asked,
    report,
    local,
    geoip: (include = parts) => firstValueFrom(askServer.geoip(include, deps), { defaultValue: undefined }),
    watson: (address = url) => lastValueFrom(askServer.watson(address, deps), { defaultValue: undefined }),
    fields: (address = url) => keptFields(readKept(sessionId, deps), address),
    newSession: () => void (sessionId = 'other'),
    goDown: () => void (isDown = true),
  };
};

describe('the place', () => {
  it('is asked for once in a session, and again in the next', async () => {
    const { geoip, asked, newSession } = world();
    expect(await geoip()).toEqual(place);
    expect(await geoip()).toMatchObject({ geo_info: geo, isp_info: place.isp_info, ip_hash: 'abc' });
    expect(asked).toEqual(['geoip']);
    newSession();
    await geoip();
    expect(asked).toEqual(['geoip', 'geoip']);
  });

  it('is kept without the address, which is asked for each time', async () => {
    const { geoip, asked, local } = world();
    expect(await geoip([...parts, 'ip'])).toEqual(place);
    expect(local.read(key)).not.toContain(place.ip_address);
    expect(await geoip()).not.toHaveProperty('ip_address');
    expect(await geoip([...parts, 'ip'])).toEqual(place);
    expect(asked).toEqual(['geoip', 'geoip']);
  });

  it('is not kept where there was no answer', async () => {
    const { geoip, goDown, local } = world();
    goDown();
    await expect(geoip()).rejects.toThrow('down');
    expect(local.read(key)).toBeNull();
  });
});

describe('what a page is about', () => {
  it('is asked for each time, and the latest answer is kept as Pageviews carry it', async () => {
    const { watson, fields, asked } = world();
    expect(fields()).toEqual({});
    expect(await watson()).toEqual(content);
    await watson();
    expect(asked).toEqual(['watson', 'watson']);
    expect(fields()).toEqual({ classifications });
    expect(fields('https://site.example/b')).toEqual({});
  });

  it('is known with the place, in the same session', async () => {
    const { geoip, watson, fields, newSession } = world();
    await watson();
    await geoip();
    expect(fields()).toEqual({ classifications, geo_info: geo, isp_info: place.isp_info });
    newSession();
    expect(fields()).toEqual({});
  });

  it('is kept of the last ten pages', async () => {
    const { watson, fields, geoip } = world();
    await geoip();
    for (let i = 0; i < 11; i++) await watson(`${url}${i}`);
    expect(fields(`${url}0`)).not.toHaveProperty('classifications');
    expect(fields(`${url}1`)).toHaveProperty('classifications');
    expect(fields(`${url}10`)).toMatchObject({ classifications, geo_info: geo });
  });

  it('is kept of fewer pages where it is long, and of none where it is too long', async () => {
    const long = (length: number) => ({ concepts: [{ text: 'x'.repeat(length), relevance: 1 }] });
    const { watson, fields, local } = world(undefined, long(14_000));
    for (const address of ['a', 'b', 'c']) await watson(address);
    expect(['a', 'b', 'c'].map((address) => 'classifications' in fields(address))).toEqual([false, true, true]);
    expect(local.read(key)!.length).toBeLessThanOrEqual(30_000);
    const tooLong = world(undefined, long(40_000));
    await tooLong.watson();
    expect(tooLong.fields()).toEqual({});
  });
});

describe('what is stored', () => {
  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['no pages', '{"session_id":"session"}'],
    ['a page without address', '{"session_id":"session","pages":[{"classifications":{}}]}'],
    ['a classification that is none', `{"session_id":"session","pages":[{"url":"${url}","classifications":7}]}`],
    ['a place that is none', '{"session_id":"session","pages":[],"geoip":7}'],
    ['a part of a place that is none', '{"session_id":"session","pages":[],"geoip":{"geo_info":"Europe"}}'],
  ])('is reported and not used where it is broken: %s', async (_, stored) => {
    const { fields, report, geoip, asked } = world(stored);
    expect(fields()).toEqual({});
    expect(report.mock.calls.map(([message]) => message)).toEqual(['Invalid stored page data']);
    await geoip();
    expect(asked).toEqual(['geoip']);
    expect(fields()).toMatchObject({ geo_info: geo });
  });

  it('asks again where the kept place has another shape than the server answers', async () => {
    const stored = '{"session_id":"session","pages":[],"geoip":{"geo_info":{"continent":7}}}';
    const { geoip, asked } = world(stored);
    expect(await geoip()).toEqual(place);
    expect(asked).toEqual(['geoip']);
  });

  it('gives a Pageview no part that is unknown', () => {
    const { fields } = world('{"session_id":"session","pages":[],"geoip":{"geo_info":null,"isp_info":null}}');
    expect(fields()).toEqual({});
  });
});
