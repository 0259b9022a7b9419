import * as t from 'io-ts';

import { type Schema, schemaOf } from '../project/schema/ioTsSchema';
import { advertiserSegment, AdvertiserSegmentRequest } from '../src/endpoints/advertiserSegment';
import { affinity, AffinityAnswer } from '../src/endpoints/affinity';
import { audienceMatching, AudienceMatchingRequest, ThirdPartyAnswer } from '../src/endpoints/audienceMatching';
import { batchEvents, UploadedEvent } from '../src/endpoints/batchEvents';
import {
  classificationSegment,
  ClassificationSegmentAnswer,
  ClassificationSegmentRequest,
} from '../src/endpoints/classificationSegment';
import { contextualSegment, ContextualSegmentRequest } from '../src/endpoints/contextualSegment';
import { ContextualAnswer, contextualState } from '../src/endpoints/contextualState';
import { type Endpoint, endpointPath } from '../src/endpoints/endpoint';
import { geoip, GeoipAnswer } from '../src/endpoints/geoip';
import { identify } from '../src/endpoints/identify';
import { liftEvents, LiftEventsAnswer, LiftEventsRequest } from '../src/endpoints/liftEvents';
import { stateSync, StateSyncAnswer, StateSyncRequest } from '../src/endpoints/stateSync';
import { watson, WatsonAnswer, WatsonRequest } from '../src/endpoints/watson';
import { settingsFrom } from '../src/model/config';

/** One call of the SDK, with the types of what is sent and answered. */
interface Call {
  readonly summary: string;
  readonly endpoint: Pick<Endpoint<never, unknown>, 'method' | 'path'>;
  /** Names of query parameters, `k` apart, which every call has. */
  readonly query?: readonly string[];
  readonly body?: t.Mixed;
  readonly answer: t.Mixed;
  /** What the body has to keep to beyond its type. */
  readonly limits?: Schema;
}

// Some codecs of endpoints have no types of io-ts, so these stand for them. A test compares the two.
export const EventResults = t.array(t.type({ code: t.number, body: t.unknown }));
const Alias = t.type({ tag: t.string, id: t.string, priority: t.number });
export const IdentifyBody = t.type({ user_id: t.string, aliases: t.array(Alias) });
export const IdentifyResult = t.type({ user_id: t.string });
const Group = t.refinement(t.number, Number.isInteger, 'an index into types and counts');
/** The cohorts that advertisers have bought. Both lists of `groups` have the same length. */
export const AdvertiserAnswer = t.type({
  c: t.type({
    cohorts: t.array(t.type({ code: t.string, groups: t.array(Group) })),
    groups: t.type({ types: t.array(t.string), counts: t.array(t.number) }),
  }),
  ctx: t.unknown,
});

const calls: readonly Call[] = [
  {
    summary: 'Events of pages. One result for each event, in their order; 200 ends an event.',
    endpoint: batchEvents,
    query: ['enrich', 'sdkp'],
    body: t.array(UploadedEvent),
    limits: { maxItems: 100 },
    answer: EventResults,
  },
  {
    summary: 'The visitor to whom ids belong. With credentials.',
    endpoint: identify,
    body: IdentifyBody,
    answer: IdentifyResult,
  },
  { summary: 'Place and network of the visitor.', endpoint: geoip, query: ['include'], answer: GeoipAnswer },
  { summary: 'What a page is about.', endpoint: watson, body: WatsonRequest, answer: WatsonAnswer },
  {
    summary: 'Third-party segments of the visitor.',
    endpoint: audienceMatching,
    body: AudienceMatchingRequest,
    answer: ThirdPartyAnswer,
  },
  {
    summary: 'How close a page is to standard cohorts.',
    endpoint: affinity,
    query: ['url'],
    answer: AffinityAnswer,
  },
  {
    summary: 'Cohorts of classification models.',
    endpoint: classificationSegment,
    body: ClassificationSegmentRequest,
    answer: ClassificationSegmentAnswer,
  },
  {
    summary: 'Cohorts that advertisers have bought, and how often each may still be used.',
    endpoint: advertiserSegment,
    body: AdvertiserSegmentRequest,
    answer: AdvertiserAnswer,
  },
  { summary: 'Codes that describe a page.', endpoint: contextualState, query: ['url'], answer: ContextualAnswer },
  {
    summary: 'Codes that describe a page with these properties.',
    endpoint: contextualSegment,
    body: ContextualSegmentRequest,
    answer: ContextualAnswer,
  },
  {
    summary: 'Query states of the visitor’s other devices.',
    endpoint: stateSync,
    query: ['fetch_unseen'],
    body: StateSyncRequest,
    answer: StateSyncAnswer,
  },
  {
    summary: 'Counts events of cloud-lifted queries.',
    endpoint: liftEvents,
    query: ['qid'],
    body: LiftEventsRequest,
    answer: LiftEventsAnswer,
  },
];

const setting = settingsFrom({ page: () => ({}), overrides: {}, project: {}, report: () => undefined });

/** The path of a call, with `{name}` where the endpoint has `:name`. */
const pathOf = ({ endpoint }: Call): string => endpointPath(endpoint, setting).replace(/:(\w+)/g, '{$1}');

const parameter = (name: string, where: 'query' | 'path'): Schema => ({
  name,
  in: where,
  required: where === 'path' || name === 'k',
  schema: { type: 'string' },
});

const retryAfter: Schema = {
  'Retry-After': {
    description: 'Seconds after which the call may be made again; an hour at most counts.',
    schema: { type: 'integer' },
  },
};

const operation = (call: Call): Schema => {
  const { summary, query = [], body, answer, limits } = call;
  const inPath = [...pathOf(call).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameter(name, 'path'));
  return {
    summary,
    parameters: [...inPath, ...[...query, 'k'].map((name) => parameter(name, 'query'))],
    // JSON, sent as text so that browsers ask for no permission first.
    ...(body && {
      requestBody: { required: true, content: { 'text/plain': { schema: { ...schemaOf(body), ...limits } } } },
    }),
    responses: {
      200: { description: 'Answered.', content: { 'application/json': { schema: schemaOf(answer) } } },
      429: { description: 'Busy.', headers: retryAfter },
      503: { description: 'Not able to answer now. A batch of events is sent again.', headers: retryAfter },
    },
  };
};

/** What a collector serves, as OpenAPI 3.1: made of the codecs by which the SDK writes bodies and reads answers. */
export const openApi = (): Schema => ({
  openapi: '3.1.0',
  info: {
    title: 'Collector of the Permutive Web SDK',
    // The version of the wire format, not of the SDK.
    version: '2.0',
  },
  paths: Object.fromEntries(
    calls.map((call) => [pathOf(call), { [call.endpoint.method.toLowerCase()]: operation(call) }]),
  ),
});
