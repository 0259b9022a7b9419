import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { declarations } from '../scripts/storedData';
import { init } from '../src/engine/engine';
import { published } from '../src/engine/language/canonical';
import type { Definition } from '../src/engine/language/language';
import { fakePlatform } from '../src/fakePlatform/fakePlatform';
import { json } from '../src/hardening/plainJson';
import { settingsFrom } from '../src/model/config';
import { localKeys, partnerCookies, partnerKeys, storeKeys } from '../src/model/storageKeys';
import { start, stopAll } from './support/bootedPage';
import { visitorId } from './support/events';

const page = readFileSync(resolve(__dirname, '../docs/switching.md'), 'utf8');

interface Row {
  readonly names: readonly string[];
  readonly where: string;
  readonly becomes: string;
}

const namesIn = (text: string): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
/** The lines of the page's table of stored names. */
const rows: readonly Row[] = [...page.matchAll(/^\| (`[^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, names = '', where = '', becomes = '']) => ({ names: namesIn(names), where, becomes }),
);
const rowOf = (name: string): Row => rows.find(({ names }) => names.includes(name))!;

afterEach(stopAll);

describe('the table of stored names of docs/switching.md', () => {
  it('has names that the SDK has, each once', () => {
    const names = rows.flatMap((row) => row.names);
    expect(new Set(names).size).toBe(names.length);
    const known = [localKeys, partnerKeys, storeKeys].flatMap((keys) => Object.values<string>(keys));
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
    // Ad servers and partners read all of these.
    expect(names).toEqual(expect.arrayContaining(Object.values(partnerKeys)));
  });

  it('says of each name where it is', () => {
    for (const { names, where } of rows)
      for (const name of names)
        expect([name, where.startsWith('encrypted store')]).toEqual([
          name,
          Object.values<string>(storeKeys).includes(name),
        ]);
    expect(rowOf(localKeys.userId).where).toBe('cookie and local storage');
    const { where } = rowOf(partnerKeys.all);
    expect([...namesIn(where)].sort()).toEqual([...partnerCookies].sort());
  });

  it('says which key is only erased', () => {
    const erased = rows.filter(({ becomes }) => becomes.startsWith('erased')).flatMap(({ names }) => names);
    const isOnlyErased = ([name]: readonly [string, string]): boolean =>
      declarations[name as keyof typeof declarations].purpose === 'none: it is only erased';
    expect(erased).toEqual(
      Object.entries(partnerKeys)
        .filter(isOnlyErased)
        .map(([, key]) => key),
    );
  });

  it('has the defaults of the settings that change a name', () => {
    const setting = settingsFrom({ page: () => ({}), overrides: {}, project: {} } as never);
    expect([setting('cookieName'), setting('stateNamespace')]).toEqual([localKeys.userId, localKeys.appState]);
    for (const name of ['cookieName', 'cookieDomain', 'stateNamespace']) expect(page).toContain(`\`${name}\``);
  });
});

describe('what an older version has stored', () => {
  const session = '0e7a52f4-3f0b-4b0e-9a4f-6a1f0f7f3c11';
  const minutesAgo = (minutes: number): string =>
    json.stringify({
      session_id: session,
      last_updated: new Date(fakePlatform({}).now() - minutes * 60_000).toISOString(),
    });
  const contextOf = (local: Readonly<Record<string, string>>, cookies = {}): object => {
    const { tag, initialise } = start([], { local, cookies });
    initialise();
    return tag['context'] as object;
  };

  it('goes on: id, and session of less than 30 minutes', () => {
    const local = { [localKeys.userId]: visitorId };
    expect(contextOf({ ...local, [localKeys.session]: minutesAgo(29) })).toMatchObject({
      user_id: visitorId,
      session_id: session,
    });
    const later = contextOf({ ...local, [localKeys.session]: minutesAgo(31) });
    expect(later).toMatchObject({ user_id: visitorId });
    expect(later).not.toMatchObject({ session_id: session });
    expect(contextOf({}, { [localKeys.userId]: visitorId })).toMatchObject({ user_id: visitorId });
    expect(contextOf({ [localKeys.userId]: 'reader-17' })).not.toMatchObject({ user_id: 'reader-17' });
  });

  it('goes on: the answer about consent', () => {
    const answered = (answer: object) =>
      start([], { config: { consentRequired: true }, local: { [localKeys.consent]: json.stringify(answer) } });
    expect(answered({ opt_in: true, token: 't' }).platform.engines).toHaveLength(1);
    expect(answered({ opt_in: false }).platform.engines).toHaveLength(0);
  });

  it.each([0, 1, 2])('goes on: a count of version %d', (version) => {
    const day = 86_400_000;
    const now = Date.UTC(2026, 10, 24);
    const source = 'c5d2b1a0-9f8e-4d7c-8b6a-5e4f3d2c1b0a';
    const width = (7 * day) / 100;
    const definition: Definition = { id: '1', q: { event: 'Pageview', is: { gte: 3 }, within: { days: 7 } } };
    const { checksum } = published(definition);
    const bucket = Math.floor((now - day) / width);
    const result = { checksum, activations: [] };
    const state = {
      0: {
        query_states: {
          1: { checksum, state: { 0: { [bucket * width]: 2 } }, result: { result: false }, activations: {} },
        },
      },
      1: { migration_version: 1, internal_query_states: { 1: { ...result, state: [[[bucket, 2]]], result: false } } },
      2: { migration_version: 2, internal_query_states: { 1: { ...result, state: [[bucket, 2]], result: false } } },
    }[version];
    const engine = init({
      ...{ event_source_id: source, now, context: { session: null, view: null }, lookups: {}, pending: [] },
      bundle: { v: 1, id: 'w', seed: 0, queries: [definition] },
      state: { 'event-source-id': source, ...state },
    });
    engine.bootstrap();
    engine.replay([]);
    expect(engine.members()).toEqual([]);
    engine.process([{ name: 'Pageview', time: now, properties: {} }], now);
    expect(engine.members()).toEqual(['1']);
  });
});
