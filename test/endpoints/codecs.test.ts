import { DecodeError } from '../../src/codecs/codecs';
import { advertiserSegment } from '../../src/endpoints/advertiserSegment';
import { audienceMatching } from '../../src/endpoints/audienceMatching';
import { binaryModels } from '../../src/endpoints/binaryModels';
import { contextualState } from '../../src/endpoints/contextualState';
import type { Endpoint } from '../../src/endpoints/endpoint';
import { geoip } from '../../src/endpoints/geoip';
import { identify } from '../../src/endpoints/identify';
import { jsonModels } from '../../src/endpoints/jsonModels';
import { liftQueries } from '../../src/endpoints/liftQueries';
import { reportErrors } from '../../src/endpoints/reportErrors';
import { secureSignal } from '../../src/endpoints/secureSignal';
import { segmentSync } from '../../src/endpoints/segmentSync';
import { watson } from '../../src/endpoints/watson';

/** What an endpoint makes of an answer: the value, or the message. */
const read = <Answer>(
  { answer }: Endpoint<never, Answer> | Pick<Endpoint<unknown, Answer>, 'answer'>,
  content: unknown,
): unknown => {
  const found = answer(content);
  return found instanceof DecodeError ? found.message : found;
};

describe('answers', () => {
  const geo = { continent: 'EU', country: 'GB', city: null, province: null, postal_code: null };

  it.each([
    { geo_info: geo, isp_info: null, ip_hash: null },
    { geo_info: null },
    {},
    { geo_info: { country: 'GB' }, isp_info: { autonomous_system_number: null } },
  ])('any part of geo may be null or missing: %j', (content) => expect(read(geoip, content)).toEqual(content));
  it('geo that is no text', () => expect(read(geoip, { geo_info: { ...geo, country: 44 } })).toContain('geo_info'));

  it('a classification without emotion', () => {
    const content = {
      keywords: [{ text: 'bonds', relevance: 0.9 }],
      emotion: null,
      taxonomy: [{ label: '/finance', score: 1 }],
    };
    expect(read(watson, content)).toEqual(content);
  });

  it('fields that are new to us do not hurt', () => {
    const content = { items: [{ provider: 'a', segments: ['1'], new: true }], next: null };
    expect(read(audienceMatching, content)).toEqual(content);
  });
  it('segments that are no text', () =>
    expect(read(audienceMatching, { items: [{ provider: 'a', segments: [1] }] })).toBe(
      'items/0/segments/0: expected string',
    ));

  it('a contextual answer without classifications', () => {
    const content = { activations: { dfp: ['abc'] }, cohorts: ['abc'] };
    expect(read(contextualState, content)).toEqual(content);
  });
  it.each([
    [
      { signal: 'sealed', expires_in: 60 },
      { signal: 'sealed', expires_in: 60 },
    ],
    [{ expires_in: 60 }, 'signal: expected string'],
    [{ signal: 'sealed', expires_in: 'soon' }, 'expires_in: expected number'],
    [null, expect.stringContaining('expected')],
  ])('a secure signal: %j', (content, expected) => expect(read(secureSignal, content)).toEqual(expected));
  it('definitions of any shape', () =>
    expect(read(liftQueries, { queries: [null, 1, {}] })).toEqual({ queries: [null, 1, {}] }));
  it('models of any shape', () =>
    expect(read(jsonModels, { models: { m: { '1p': { const: 'x' } } } })).toEqual({
      models: { m: { '1p': { const: 'x' } } },
    }));
  it('no models but by id', () => expect(read(jsonModels, { models: 'x' })).toBe('models: expected UnknownRecord'));
  it('a buffer', () => expect(read(binaryModels, new ArrayBuffer(3))).toHaveProperty('byteLength', 3));
  it('text where a buffer is expected', () => expect(read(binaryModels, 'text')).toBe('(root): expected ArrayBuffer'));
});

describe('advertiser cohorts', () => {
  const answer = (cohorts: unknown, types: unknown = ['frequency', 'budget'], counts: unknown = [3, 9]) => ({
    c: { cohorts, groups: { types, counts } },
    ctx: 'opaque',
  });

  it('accepts groups that are there', () =>
    expect(
      read(
        advertiserSegment,
        answer([
          { code: 'abcd', groups: [0, 1] },
          { code: 'efgh', groups: [] },
        ]),
      ),
    ).toHaveProperty('c.cohorts.length', 2));
  it.each([
    [answer([], ['frequency'], [3, 9]), 'Non matching counts'],
    [answer([{ code: 'abcd', groups: [2] }]), 'Non matching group types'],
    [answer([{ code: 'abcd', groups: [-1] }]), 'Non matching group types'],
    [answer([{ code: 7, groups: [0] }]), 'c/cohorts/0/code: expected a cohort code'],
    [answer([{ code: 'abcd', groups: ['0'] }]), 'c/cohorts/0/groups: expected an array of groups'],
    [answer([{ code: 'abcd', groups: [0.5] }]), 'c/cohorts/0/groups: expected an array of groups'],
  ])('refuses %j', (content, message) => expect(read(advertiserSegment, content)).toBe(message));
});

describe('requests', () => {
  it('identify sends tag, id and priority', () => {
    const alias = { tag: 'default', id: '7', priority: 0, expiry: 1 };
    expect(identify.body?.encode({ user_id: 'u', aliases: [alias] })).toEqual({
      user_id: 'u',
      aliases: [{ tag: 'default', id: '7', priority: 0 }],
    });
  });

  it('an error report has a user id only with query-language errors', () => {
    const report = {
      platform: 'web',
      sdk_version: 'v',
      ql_runtime_version: 'v',
      timestamp: 't',
      domain: 'd',
      url: 'u',
      referrer: '',
      user_agent: 'a',
      error_message: 'm',
      stack_trace: [],
    } as const;
    expect(reportErrors.body?.encode([report])).toEqual([report]);
    expect(reportErrors.body?.encode([{ ...report, user_id: 'u' }])).toEqual([{ ...report, user_id: 'u' }]);
  });

  it.each([[['101', '10000001']], [['a&b=c', 'é']], [[]]])('segment sync is a form: %j', (segments) => {
    const form = segmentSync.body?.encode({ segments });
    expect(form).toMatch(/^segments=[^&=]*$/);
    expect(segmentSync.body?.read(form)).toEqual({ segments });
  });
  it.each(['', 'other=1', null, {}])('a form without segments is refused: %j', (form) =>
    expect(segmentSync.body?.read(form)).toBeInstanceOf(DecodeError),
  );
});
