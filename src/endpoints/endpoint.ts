import { type Codec, type Reader, readerOf } from '../codecs/codecs';
import { ownFields } from '../hardening/ownFields';
import type { ConfigName, Settings } from '../model/config';

/**
 * A server call as data. The SDK makes the call, and the reference API of `demo/` serves it, from the same description.
 */
export interface Endpoint<Body, Answer> {
  readonly method: 'GET' | 'POST';
  /** Which of the configured hosts is called. Default: the API. */
  readonly host?: keyof typeof hosts;
  /** `{name}` stands for the setting of that name, which holds a version; `:name` for that param of the input. */
  readonly path: `/${string}`;
  /** Cookies are sent with the request. Without this field, no cookie is sent. */
  readonly credentials?: true;
  /** Writes and reads the body of the request; absent where the request has no body. */
  readonly body?: BodyCodec<Body>;
  /** How the body of the answer is read. */
  readonly responseType: 'json' | 'text' | 'binary';
  readonly answer: Reader<Answer>;
}

/** The body of a request: the SDK encodes it, the server reads it. */
export interface BodyCodec<Body> {
  /** As JSON, or as text that is sent as it is. */
  readonly encode: (body: Body) => unknown;
  readonly read: Reader<Body>;
}

/** A body of a request that is sent as it is. */
export const bodyOf = <Body>(codec: Codec<Body>): BodyCodec<Body> => ({
  encode: (body) => body,
  read: readerOf(codec),
});

/** What differs from call to call. */
export interface Input<Body> {
  /** Values of the path's `:name` parts. A missing value is empty. */
  readonly params?: Readonly<Record<string, string>>;
  /** Query pairs in their order; the API key always follows them. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body?: Body;
}

/** By host, the settings that hold its protocol and its name. */
const hosts = {
  api: ['apiProtocol', 'apiHost'],
  cdn: ['cdnProtocol', 'cdnBaseUrl'],
  sync: ['apiProtocol', 'segmentSyncApiHost'],
  pxid: ['apiProtocol', 'pxidHost'],
  secureSignals: ['apiProtocol', 'secureSignalsApiHost'],
} as const;

/** The path of an endpoint with the present settings, its `:name` parts unreplaced. */
export const endpointPath = ({ path }: Pick<Endpoint<unknown, unknown>, 'path'>, setting: Settings): string =>
  path.replace(/\{(\w+)\}/, (_, name: Extract<ConfigName, `${string}ersion`>) => setting(name));

/**
 * The address of a call: `{protocol}://{host}{path}?{query}&k={apiKey}` (spec C§7). Params and query
 * values are encoded.
 */
export const urlOf = <Body>(
  endpoint: Endpoint<Body, unknown>,
  input: Input<NoInfer<Body>>,
  setting: Settings,
): string => {
  const [protocol, host] = hosts[ownFields(endpoint).host ?? 'api'];
  const { params = {}, query = [] } = ownFields(input);
  const values = ownFields(params);
  const path = endpointPath(endpoint, setting).replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  const pairs = [...query, ['k', setting('apiKey')] as const].map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `${setting(protocol)}://${setting(host)}${path}?${pairs.join('&')}`;
};
