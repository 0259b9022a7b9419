import { advertiserSegment } from '../../src/endpoints/advertiserSegment';
import { affinity } from '../../src/endpoints/affinity';
import { ampCohorts } from '../../src/endpoints/ampCohorts';
import { ampQuery } from '../../src/endpoints/ampQuery';
import { audienceMatching } from '../../src/endpoints/audienceMatching';
import { batchEvents } from '../../src/endpoints/batchEvents';
import { binaryModels } from '../../src/endpoints/binaryModels';
import { classificationSegment } from '../../src/endpoints/classificationSegment';
import { contextualSegment } from '../../src/endpoints/contextualSegment';
import { contextualState } from '../../src/endpoints/contextualState';
import { type Endpoint, type Input, urlOf } from '../../src/endpoints/endpoint';
import { geoip } from '../../src/endpoints/geoip';
import { identify } from '../../src/endpoints/identify';
import { jsonModels } from '../../src/endpoints/jsonModels';
import { legacyTpd } from '../../src/endpoints/legacyTpd';
import { liftEvents } from '../../src/endpoints/liftEvents';
import { liftQueries } from '../../src/endpoints/liftQueries';
import { metrics } from '../../src/endpoints/metrics';
import { pxid } from '../../src/endpoints/pxid';
import { reportErrors } from '../../src/endpoints/reportErrors';
import { reset } from '../../src/endpoints/reset';
import { secureSignal } from '../../src/endpoints/secureSignal';
import { segmentSync } from '../../src/endpoints/segmentSync';
import { stateSync } from '../../src/endpoints/stateSync';
import { tpdUsage } from '../../src/endpoints/tpdUsage';
import { watson } from '../../src/endpoints/watson';
import { callDeps } from './support/callDeps';

const url = <Body>(endpoint: Endpoint<Body, unknown>, input: Input<Body> = {}, config = {}): string =>
  urlOf(
    endpoint,
    { params: { workspaceId: 'w' }, ...input },
    callDeps({ pxidHost: 'pxid.example', ...config }).setting,
  );

describe('urlOf', () => {
  it.each([
    [
      'https://api.permutive.com/v2.0/batch/events?enrich=true&sdkp=true&k=key',
      url(batchEvents, {
        query: [
          ['enrich', 'true'],
          ['sdkp', 'true'],
        ],
      }),
    ],
    ['https://api.permutive.com/v2.0/identify?k=key', url(identify)],
    ['https://api.permutive.com/v2.0/reset?k=key', url(reset)],
    ['https://api.permutive.com/v2.0/internal/metrics?k=key', url(metrics)],
    ['https://api.permutive.com/sdk-errors/v2/errors?k=key', url(reportErrors)],
    [
      'https://api.permutive.com/v2.0/geoip?include=geo&include=isp&k=key',
      url(geoip, {
        query: [
          ['include', 'geo'],
          ['include', 'isp'],
        ],
      }),
    ],
    ['https://api.permutive.com/v2.0/watson?k=key', url(watson)],
    [
      'https://api.permutive.com/audience-matching/v1/id/visitor?k=key',
      url(audienceMatching, { params: { user_id: 'visitor' } }),
    ],
    ['https://api.permutive.com/v2.0/tpd?k=key', url(legacyTpd)],
    ['https://api.permutive.com/v2.0/tpd/usage?k=key', url(tpdUsage)],
    [
      'https://api.permutive.com/standard-audiences/v1/affinity?url=https%3A%2F%2Fa.example%2F%3Fb%26c&k=key',
      url(affinity, { query: [['url', 'https://a.example/?b&c']] }),
    ],
    ['https://api.permutive.com/adv/v4/segment?k=key', url(advertiserSegment)],
    ['https://api.permutive.com/clm/v1/segment?k=key', url(classificationSegment)],
    ['https://api.permutive.com/ctx/v1/state?url=a&k=key', url(contextualState, { query: [['url', 'a']] })],
    ['https://api.permutive.com/ctx/v1/segment?k=key', url(contextualSegment)],
    [
      'https://api.permutive.com/v1.0/state?fetch_unseen=true&k=key',
      url(stateSync, { query: [['fetch_unseen', 'true']] }),
    ],
    ['https://api.permutive.com/cloud-lift/v1/lift?qid=q&k=key', url(liftEvents, { query: [['qid', 'q']] })],
    [
      'https://api.permutive.com/cloud-lift/v1/queries?qid=q&target=javascript&ids=1%2C2&k=key',
      url(liftQueries, {
        query: [
          ['qid', 'q'],
          ['target', 'javascript'],
          ['ids', '1,2'],
        ],
      }),
    ],
    ['https://api.permutive.com/alpha/amp/cohorts?i=visitor&k=key', url(ampCohorts, { query: [['i', 'visitor']] })],
    ['https://cdn.permutive.com/queries/w-amp.json?k=key', url(ampQuery)],
    ['https://cdn.permutive.com/models/v2/w-models.bin?k=key', url(binaryModels)],
    ['https://cdn.permutive.com/models/w-models.json?k=key', url(jsonModels)],
    ['https://sync.permutive.com/sync/key?k=key', url(segmentSync, { params: { key: 'key' } })],
    ['https://pxid.example/v2.0/pxid?k=key', url(pxid)],
  ])('%s', (expected, actual) => expect(actual).toBe(expected));

  it.each([
    ['http://api.permutive.com/v2.0/reset?k=key', url(reset, {}, { environment: 'development' })],
    ['http://api.permutive.com/v2.0/reset?k=key', url(reset, {}, { apiProtocol: 'http' })],
    ['https://cdn.permutive.com/models/w-models.json?k=key', url(jsonModels, {}, { apiProtocol: 'http' })],
    ['http://cdn.permutive.com/models/w-models.json?k=key', url(jsonModels, {}, { cdnProtocol: 'http' })],
    ['https://localhost:8787/v2.0/reset?k=key', url(reset, {}, { apiHost: 'localhost:8787' })],
    ['https://shop.example/collect/p/v2.0/reset?k=key', url(reset, {}, { apiHost: 'shop.example/collect/p' })],
    [
      'https://shop.example/cdn/models/v2/w-models.bin?k=key',
      url(binaryModels, {}, { cdnBaseUrl: 'shop.example/cdn' }),
    ],
    [
      'https://shop.example/collect/adv/v5/segment?k=key',
      url(advertiserSegment, {}, { apiHost: 'shop.example/collect', advertiserApiVersion: 'v5' }),
    ],
    ['https://api.permutive.com/v3.1/reset?k=key', url(reset, {}, { apiVersion: 'v3.1' })],
    ['https://pxid.example/v3.1/pxid?k=key', url(pxid, {}, { apiVersion: 'v3.1' })],
    ['https://api.permutive.com/v1.0/state?k=key', url(stateSync, {}, { apiVersion: 'v3.1' })],
    [
      'https://api.permutive.com/clm/v9/segment?k=key',
      url(classificationSegment, {}, { classificationModelsApiVersion: 'v9' }),
    ],
    ['https://api.permutive.com/sdk-errors/v9/errors?k=key', url(reportErrors, {}, { sdkErrorsApiVersion: 'v9' })],
    ['https://s.example/sync/?k=key', url(segmentSync, {}, { segmentSyncApiHost: 's.example' })],
    ['https://shop.example/s/v1/signal?k=key', url(secureSignal, {}, { secureSignalsApiHost: 'shop.example/s' })],
    ['https://api.permutive.com/v2.0/reset?k=a%26b', url(reset, {}, { apiKey: 'a&b' })],
  ])('%s', (expected, actual) => expect(actual).toBe(expected));

  it('encodes what a path parameter holds', () =>
    expect(url(audienceMatching, { params: { user_id: '../a b?c#d/:e' } })).toBe(
      'https://api.permutive.com/audience-matching/v1/id/..%2Fa%20b%3Fc%23d%2F%3Ae?k=key',
    ));
});
