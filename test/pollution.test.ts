import { config as rxjsConfig, of } from 'rxjs';

import { web } from '../src/addons/web/web';
import type { Tag } from '../src/api/tag';
import { boot } from '../src/boot';
import { type Experiment, experimentOf, noExperiment } from '../src/contracts/experiment';
import { uuid } from '../src/fakePlatform/countedIds';
import { fakePlatform } from '../src/fakePlatform/fakePlatform';
import { ownFields } from '../src/hardening/ownFields';
import { json } from '../src/hardening/plainJson';
import type { PageProject, ServiceDefinition } from '../src/model/project';
import { overriding } from '../src/streams/visitor/tabOverrides';
import { optionalReads } from './support/optionalReads';
import { hostileValues, inheritedReads, polluted } from './support/pollution';
import { lateParts, projectOf } from './support/project';

const { stringify } = JSON;
const never = (): Promise<never> => new Promise(() => undefined);
const place = { ip_address: '192.0.2.7', geo_info: { continent: 'Europe', country: 'Malta' } };

interface Facts {
  /** The argument of a call of `consent` in the page's queue. */
  readonly consent: unknown;
  readonly required: boolean;
  readonly project?: Partial<PageProject>;
  readonly experiment?: Experiment;
  readonly local?: Readonly<Record<string, string>>;
}

/** All that a visit leaves behind: requests, texts in the stores, and what the engine is told. */
const visit = ({ consent, required, project, experiment = noExperiment, local: stored = {} }: Facts): string => {
  const platform = fakePlatform({
    page: {},
    local: stored,
    cookies: { known: 'cookie-id' },
    globals: { gigya: { UID: 'gigya-id' } },
    send: ({ url }) =>
      of({
        status: 200,
        body: url.includes('/identify')
          ? '{"user_id":"00000000-0000-4000-8000-000000000001"}'
          : url.includes('/geoip')
            ? stringify(place)
            : url.includes('/batch/')
              ? '[{"code":200}]'
              : '{"uid":"of-the-provider"}',
      }),
  });
  const logged: string[] = [];
  const tag: Tag = {
    q: [
      { functionName: 'consent', arguments: [consent] },
      { functionName: 'identify', arguments: [[{ tag: 'crm', id: 'c1' }]] },
      { functionName: 'track', arguments: ['Queued', { a: { b: [1] }, place: '$ip_geo_info' }] },
      {
        functionName: 'addon',
        arguments: ['web', { page: { title: 'own', from: '$ip_address' }, track_form_submission: true }],
      },
    ],
    config: { consentRequired: required },
  };
  const stop = boot({
    wasUnasked: false,
    closeWorker: () => undefined,
    waitFor: () => undefined,
    deferredAddons: [],
    loadDeferred: () => [lateParts({ definition })],
    tag,
    project: projectOf(project),
    experiment,
    addons: [web],
    overriding,
    json,
    warn: (reason) => void logged.push(reason),
    log: (message) => void logged.push(message),
    loadErrorReports: never,
    fileOf: (name) => ({ url: `https://cdn.example/web.${name}.js`, integrity: '' }),
    loadInspector: () => new Promise(() => undefined),
    loadVitals: never,
    platformOf: () => platform,
  });
  const engine = platform.engines.at(-1);
  const membership = { members: ['7'], activations: {} };
  engine?.say({ type: 'initialised', membership, migrated: false, transitions: [] });
  jest.advanceTimersByTime(100);
  engine?.say({ type: 'barrierReached', name: 'realtime' });
  engine?.say({ type: 'transitions', transitions: [{ id: '7', entry: true, time: 0 }] });
  (ownFields(tag)['track'] as ((...args: unknown[]) => unknown) | undefined)?.('Called', { value: 1 }, {});
  jest.advanceTimersByTime(3000);
  platform.fire('window', 'pagehide', { persisted: false });
  jest.advanceTimersByTime(1000);
  stop();
  rxjsConfig.onUnhandledError = null;
  const { requests, local, jar, engines, dispatched, pixels, records } = platform;
  return json.stringify({
    ...{ requests, jar: [...jar], records: [...records], dispatched, pixels, logged },
    local: local.keys().map((key) => [key, local.read(key)]),
    heard: engines.map(({ heard }) => heard),
  });
};

const project: Partial<PageProject> = { lookups: ['geo'] };
const definition: ServiceDefinition = {
  tpdProviders: [],
  identityProviders: {
    vendor: { url: 'https://id.vendor.example/id' },
    known: { cookie: 'known' },
    gigya: { global: 'gigya.UID' },
  },
};
const left = {
  ...{ id: uuid(901), name: 'Left', time: '2020-05-15T12:00:00.000Z', properties: {} },
  ...{ session_id: uuid(902), view_id: uuid(903), user_id: uuid(904), segments: [], cohorts: [] },
};
const local = {
  'permutive-app': stringify({ core: {}, eventPublication: { eventUpload: [[left.id, { event: left }]] } }),
};
const visits: readonly Facts[] = [
  { consent: { opt_in: true, token: 't' }, required: true, project },
  { consent: { opt_in: true }, required: true, local },
  { consent: { opt_in: false }, required: false, project, local },
  { consent: undefined, required: true, project },
  { consent: { opt_in: true, token: 't' }, required: true, experiment: experimentOf({ percent: 100, salt: '' }) },
];

describe('A page that has added a field to Object.prototype', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());
  const reads = optionalReads();
  const names = [...reads.keys()].sort();

  /** Fails with the places that may have read the name of an object that lacks it. */
  const expectSame = (left: string, control: string, name: string): void => {
    if (left !== control)
      throw new Error(
        `A page that has added ${name} to Object.prototype changes what a visit leaves. Read the optional field with ` +
          `\`ownFields\` where the object comes from outside, or may lack it:\n${(reads.get(name) ?? []).join('\n')}`,
      );
  };

  test('is tried with all optional fields of the sources', () => {
    expect(names.length).toBeGreaterThan(100);
    expect(names).toEqual(expect.arrayContaining(['host', 'url', 'method', 'edgeOnly', 'token']));
  });

  test('is not seen by a visit that sends nothing', () => {
    const [asked, answered, refused, missing] = controls.map(([, control]) => control);
    expect(asked).toContain('id.vendor.example');
    expect(answered).toContain('\\"Left\\"');
    expect(refused).toContain('"requests":[]');
    expect(missing).toContain('"requests":[]');
  });

  const inFakeTime = <A>(action: () => A): A => {
    jest.useFakeTimers();
    const told = action();
    jest.useRealTimers();
    return told;
  };
  const controls = visits.map((facts) => [facts, inFakeTime(() => visit(facts))] as const);
  // A name that nothing reads of an object that lacks it is tried with all others; the rest, each alone.
  const tried = visits.map((facts) => inFakeTime(() => inheritedReads(names, () => visit(facts))));
  const read = [...new Set(tried.flatMap((told) => told.read))];

  test('is seen to be read where the sources read a field that an object lacks', () => {
    expect(read).toContain('toJSON');
    expect(tried.map(({ result }) => result)).toEqual(controls.map(([, control]) => control));
  });

  test.each(read)('%s, which is read, changes nothing of what a visit leaves', (name) => {
    for (const [facts, control] of controls)
      for (const value of hostileValues)
        expectSame(
          polluted({ [name]: value }, () => visit(facts)),
          control,
          name,
        );
  });

  test('all of them together, and all that are not read, change nothing either', () => {
    for (const [facts, control] of controls)
      for (const value of hostileValues)
        for (const some of [names, names.filter((name) => !read.includes(name))])
          expect(polluted(Object.fromEntries(some.map((name) => [name, value])), () => visit(facts))).toBe(control);
  });
});
