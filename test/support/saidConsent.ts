import fc from 'fast-check';
import { NEVER } from 'rxjs';

import { queuedConsent } from '../../src/api/tag';
import { fakePlatform } from '../../src/fakePlatform/fakePlatform';
import { memoryStorage } from '../../src/fakePlatform/memoryStorage';
import type { AnswerPlaces } from '../../src/gate/consentSeen';
import { json } from '../../src/hardening/plainJson';
import { settingsFrom } from '../../src/model/config';
import type { Consent } from '../../src/model/consent';
import { fromConsent } from '../../src/streams/visitor/fromConsent';

const key = 'permutive-consent';

/** What a page and its visitor have said of consent. */
export interface Said {
  /** The page's setting; undefined where the page has none. */
  readonly setting: unknown;
  readonly byProject: boolean;
  readonly queue: unknown;
  readonly cookie: string | undefined;
  /** In local storage. */
  readonly stored: string | null;
}

export const tagOf = ({ setting, queue }: Said): AnswerPlaces['tag'] => ({
  config: setting === undefined ? {} : { consentRequired: setting },
  q: queue,
});

export const placesOf = (said: Said): AnswerPlaces => ({
  tag: tagOf(said),
  consentRequired: said.byProject,
  cookie: (name) => (name === key ? said.cookie : undefined),
  local: () => ({ getItem: (name) => (name === key ? said.stored : null) }),
});

/** The state that the main part begins with. */
export const stateOf = (said: Said): Consent => {
  const tag = tagOf(said);
  const platform = fakePlatform(said.cookie === undefined ? {} : { cookies: { [key]: said.cookie } });
  const report = (): undefined => undefined;
  const consent = fromConsent(queuedConsent(tag), NEVER, {
    ...platform,
    local: memoryStorage(said.stored === null ? {} : { [key]: said.stored }),
    json,
    report,
    recheck$: NEVER,
    beforeRequest$: NEVER,
    setting: settingsFrom({
      page: () => tag['config'],
      overrides: {},
      project: { consentRequired: said.byProject },
      report,
    }),
  });
  return consent.current();
};

const record = fc.oneof(
  fc.constantFrom<unknown>(
    { opt_in: true },
    { opt_in: true, token: 't' },
    { opt_in: true, token: '' },
    { opt_in: true, token: null },
    { opt_in: true, token: undefined },
    { opt_in: 'yes', token: 't' },
    { opt_in: false },
    Object.create({ opt_in: true, token: 't' }),
  ),
  fc.anything(),
);
const call = fc.oneof(
  fc.record({ functionName: fc.constantFrom('consent', 'track', 'addon'), arguments: fc.array(record) }),
  fc.record({
    functionName: fc.constant('consent'),
    arguments: fc.record(
      { 0: record, length: fc.constantFrom<unknown>(0, 1, 2, '1', NaN, undefined) },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ functionName: fc.constantFrom('consent', 'track') }),
  // An object of a page may be of any kind.
  fc.constantFrom<unknown>(
    Object.assign([], { functionName: 'consent', arguments: [{ opt_in: true }] }),
    Object.assign(() => undefined, { functionName: 'consent' }),
    Object.create({ functionName: 'consent', arguments: [{ opt_in: true }] }),
  ),
  fc.anything(),
);
const answer = fc.oneof(
  fc.constantFrom('{"opt_in":true,"token":"t"}', '{"opt_in":false}', '{"opt_in":true,"token":""}', '', 'no JSON'),
  record.map((given) => JSON.stringify([given]).slice(1, -1)),
  fc.string(),
);
export const anySaid: fc.Arbitrary<Said> = fc.record({
  setting: fc.oneof(fc.constantFrom(undefined, true, false), fc.anything()),
  byProject: fc.boolean(),
  queue: fc.oneof(fc.constant([]), fc.array(call, { maxLength: 3 }), fc.anything()),
  cookie: fc.oneof(fc.constant(undefined), answer),
  stored: fc.oneof(fc.constant(null), answer),
});
