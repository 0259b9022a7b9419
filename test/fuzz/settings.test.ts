import * as fc from 'fast-check';

import { ownEntry } from '../../src/hardening/ownFields';
import { type ConfigName, configTable, settingsFrom } from '../../src/model/config';
import { overridesFromQuery, overridesFromStore } from '../../src/streams/visitor/overrides';
import { brokenJson, fuzz, hostile } from './support/hostile';
import { expectClean, openPage } from './support/stage';

const names = Object.keys(configTable) as ConfigName[];
const configs = fc.oneof(
  hostile,
  fc.dictionary(fc.constantFrom(...names, '__proto__', 'toString'), hostile, { maxKeys: 6 }),
);
const read = (config: unknown, overrides: object = {}): void => {
  const setting = settingsFrom({ page: () => config, overrides, project: {}, report: () => undefined });
  for (const name of names) {
    const value = setting(name);
    if (configTable[name].codec(value).length > 0) throw new Error(`${name} is of the wrong type`);
  }
};

const parameter = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...names, '__proto__', '__proto__[polluted]', 'constructor.prototype.polluted', 'inspector'),
      fc.oneof(fc.string(), fc.constantFrom('true', 'false', '1e309', '-1', 'NaN', '0x10', '1e9', '')),
    )
    .map(([name, value]) => `__permutive.${name}=${encodeURIComponent(value)}`),
  fc.string(),
);
const queries = fc.array(parameter, { maxLength: 6 }).map((parameters) => `?${parameters.join('&')}`);

/** What may be overridden, and its bounds (contract: config; reliability: S5). */
const bounds: Readonly<Record<string, readonly [number, number]>> = {
  requestTimeout: [1000, 30_000],
  metricsSamplingPercentage: [0, 100],
  prebidAuctionsRandomDownsamplingThreshold: [0, 1],
  eventsCacheLimitBytes: [500_000, 10_000_000],
  eventsTTLInDays: [1, 400],
};
const never = [
  'apiHost',
  'cdnBaseUrl',
  'apiProtocol',
  'cdnProtocol',
  'apiKey',
  'workspaceId',
  'projectId',
  'pxidHost',
  'segmentSyncApiHost',
  'secureSignalsApiHost',
  'cookieDomain',
  'cookieName',
  'viewId',
];
const expectAllowed = (overrides: Readonly<Record<string, unknown>>): void => {
  for (const [name, value] of Object.entries(overrides)) {
    if (never.includes(name) || !(typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))))
      throw new Error(`${name} was overridden`);
    // The page may have added a field of that name to all objects.
    const [least, most] = ownEntry(bounds, name) ?? [-Infinity, Infinity];
    const isNone = value === 0 && (name === 'eventsCacheLimitBytes' || name === 'eventsTTLInDays');
    if (typeof value === 'number' && !isNone && (value < least || value > most))
      throw new Error(`${name} is out of bounds`);
  }
  expectClean();
};

describe('Settings', () => {
  it(
    'have the type of the table, whatever the page gives',
    fuzz(configs, (config) => {
      read(config);
      expectClean();
    }),
  );

  it(
    'are overridden by the address within bounds only',
    fuzz(queries, (query) => {
      const overrides = overridesFromQuery(query);
      expectAllowed(overrides);
      read({}, overrides);
    }),
  );

  it(
    'are overridden by what the tab has stored within the same bounds',
    fuzz(
      brokenJson(fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.double(), fc.boolean(), fc.string()))),
      (text) => {
        let stored: unknown;
        try {
          stored = JSON.parse(text);
        } catch {
          return;
        }
        expectAllowed(overridesFromStore(stored));
      },
    ),
  );

  it(
    'never keep the SDK from starting',
    fuzz(
      fc.tuple(configs, queries, brokenJson(fc.dictionary(fc.constantFrom(...names), fc.double()))),
      ([config, query, stored]) => {
        // With the inspector, the start waits for another chunk.
        fc.pre(!asksForInspector(config, query, stored));
        const page = openPage({
          config: safe(config),
          session: { __permutiveConfigQueryParams: stored },
          page: { url: () => `https://www.site.example/${query}` },
        });
        page.expectWell();
        page.stop();
      },
      10,
    ),
  );
});

const asksForInspector = (...given: readonly unknown[]): boolean =>
  given.some((one) => {
    try {
      return (typeof one === 'string' ? one : JSON.stringify(one)).includes('inspector');
    } catch {
      return true;
    }
  });

/** Consent that is required is another matter, and so is a name for the state that another key has. */
const safe = (config: unknown): unknown => {
  if (typeof config !== 'object' || config === null) return config;
  try {
    return { ...config, consentRequired: false };
  } catch {
    return config;
  }
};
