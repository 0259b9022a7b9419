import type { Metric, RequestFacts } from '../model/metric';

/**
 * The metrics of one request; none for requests that carry metrics themselves, which would otherwise cause further ones
 * without end (spec C§7).
 */
export const requestMetrics = ({ method, url, status, ms }: RequestFacts): readonly Metric[] => {
  const path = metricPath(url);
  if (path.includes('metrics')) return [];
  return [
    { name: 'sdk_http_request_count_total', value: 1, labels: { method, path, status } },
    // The clock may have been set back meanwhile.
    ...(path.endsWith('/watson')
      ? [{ name: 'sdk_http_watson_seconds', value: Math.max(0, ms) / 1000, labels: { status } }]
      : []),
  ];
};

const uuidsInPath = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/**
 * The path of a call to the provider with ids replaced by `:id`, so that a metric has few values and names nobody.
 * `other` for calls to other servers, because their addresses belong to the page. Calls to the provider are recognised
 * by the parameter `k`.
 */
const metricPath = (url: string): string => {
  const [address = '', query = ''] = url.split('?');
  return /(?:^|&)k=/.test(query) ? address.replace(/^\w+:\/\/[^/]*/, '').replace(uuidsInPath, ':id') : 'other';
};
