import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Visitor } from './support/visitor';

/**
 * Fields of requests, drafts, identities and consent, each of which changed what was sent before they were read as own
 * fields. The unit test of the same name takes all optional fields of the sources: here, some of them break the tool
 * that drives the browser.
 */
const names = [
  'prefix host url method body query params credentials keepalive edgeOnly requiresEnrichment sdkProcessed view',
  'title referrer token priority expiry cookie field cohorts upload taken left auto_init follow forget ip_address',
  'identityProviders storageKeys lookups windowKey',
].flatMap((line) => line.split(' '));

/** What a merge of foreign JSON may leave on `Object.prototype`. */
const values = { text: '.evil.test', flag: true, object: { url: 'https://evil.test/', method: 'POST' } };

/** Adds the fields to all objects of the page, right before the SDK's script runs. */
const openPolluted = async (visitor: Visitor, path: string, value: unknown): Promise<void> => {
  await visitor.page.route('**/*-web.js', async (route) => {
    const response = await route.fetch();
    const fields = JSON.stringify(Object.fromEntries(names.map((name) => [name, value])));
    await route.fulfill({ response, body: `Object.assign(Object.prototype, ${fields});${await response.text()}` });
  });
  await visitor.open(path);
};

/** Requests to anything but the page, by method, host, path and the fields of their bodies that do not vary. */
const requestsOf = (visitor: Visitor): ReadonlySet<string> => {
  const seen = new Set<string>();
  visitor.context.on('request', (request) => {
    const url = new URL(request.url());
    // Each visitor has an id of their own.
    const path = url.pathname.replace(/[^/]{36}$/, 'USER');
    if (request.resourceType() === 'fetch') seen.add(`${request.method()} ${url.host}${path}`);
  });
  return seen;
};

describe('A page on which foreign data has added fields to Object.prototype', () => {
  const stage = stageForTests();

  const eventsOf = async (path: string, value?: unknown) => {
    // The page's own scripts and partners may stumble; the SDK must not.
    const visitor = await stage.visitor({ expected: /./ });
    const requests = requestsOf(visitor);
    if (value === undefined) await visitor.open(path);
    else await openPolluted(visitor, path, value);
    await visitor.ready();
    await visitor.ask((permutive) => void permutive.identify([{ tag: 'crm', id: 'c1' }]));
    await visitor.track('Polluted', { a: { b: 1 } });
    const [polluted] = await stage.untilArrived('Polluted');
    const [pageview] = await stage.untilArrived('Pageview');
    await stage.untilArrived('SegmentEntry');
    await until(async () => ((await stage.requests('/identify')).length > 0 ? true : undefined), 'identify');
    await stage.untilQuiet();
    const shown = [polluted, pageview].map((event) => ({
      name: event?.name,
      fields: Object.keys(event ?? {}).sort(),
      properties: Object.keys(event?.properties ?? {}).sort(),
      client: event?.properties['client'],
    }));
    await stage.endVisits();
    return { shown, requests: [...requests].sort() };
  };

  test.each(Object.entries(values))('with the value %s is sent to the same hosts as any other', async (_, value) => {
    const control = await eventsOf('/blank');
    expect(await eventsOf('/blank', value)).toEqual(control);
  });

  test.each(Object.entries(values))('with the value %s sends nothing without consent', async (_, value) => {
    const visitor = await stage.visitor({ expected: /./ });
    await openPolluted(visitor, '/blank?consent=required', value);
    await visitor.untilWarned('No consent to run on the page');
    await stage.untilQuiet();
    expect(await stage.requests()).toEqual([]);
    expect(await visitor.cookies()).toEqual({});
  });
});
