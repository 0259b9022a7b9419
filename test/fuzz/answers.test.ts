import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import * as fc from 'fast-check';
import { of } from 'rxjs';

import { call } from '../../src/endpoints/call';
import type { Endpoint } from '../../src/endpoints/endpoint';
import { json } from '../../src/hardening/plainJson';
import { settingsOf } from '../support/settings';
import { brokenJson, fuzz, hostile, plain } from './support/hostile';
import { expectClean, openPage } from './support/stage';

const folder = resolve(__dirname, '../../src/endpoints');
/** Every call of the SDK, found in its folder: a new one is fuzzed too. */
const endpoints = readdirSync(folder).flatMap((file) => {
  const exported = jest.requireActual<Readonly<Record<string, unknown>>>(resolve(folder, file));
  return Object.entries(exported).filter(
    (entry): entry is [string, Endpoint<unknown, unknown>] =>
      typeof entry[1] === 'object' && entry[1] !== null && 'method' in entry[1] && 'answer' in entry[1],
  );
});

/** Names of fields in what servers answer. */
const pieces = [
  'user_id',
  'items',
  'geo_info',
  'isp_info',
  'concepts',
  'emotion',
  'taxonomy',
  'affinity_values',
  'c',
  'ctx',
  'cohorts',
  'groups',
  'types',
  'counts',
  'activations',
  'contextual_data',
  'state',
  'state_offset',
  'result',
  'queries',
  'query',
  'models',
  'pxid',
  'code',
  'body',
  'id',
  '__proto__',
  'constructor',
];
/** Pieces of what servers answer, in wrong places. */
const piece = fc.constantFrom(...pieces);
/** A body that has a value, given as its text, in each field that any server answers. */
const inAllFields = (text: string): string => `{${pieces.map((name) => `"${name}":${text}`).join()}}`;
/** Bodies with more of something than any server has to say. */
const tooMuch: Readonly<Record<string, string>> = {
  'lists in each other': '['.repeat(100_000) + ']'.repeat(100_000),
  'objects in each other': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  'lists in each other in all fields': inAllFields('['.repeat(20_000) + ']'.repeat(20_000)),
  'entries in all fields': inAllFields(JSON.stringify(Array.from({ length: 3000 }, (_, i) => String(i)))),
  'fields in all fields': inAllFields(
    JSON.stringify(Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`field${i}`, i]))),
  ),
};
const { answer } = fc.letrec((tie) => ({
  answer: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, '', 0, -1, 1e21, 'text', true),
    fc.dictionary(piece, tie('answer'), { maxKeys: 4 }),
    fc.array(tie('answer'), { maxLength: 3 }),
  ),
}));
const answers = fc.record({
  status: fc.constantFrom(200, 200, 200, 204, 301, 400, 404, 429, 500, 503, 0, 999),
  body: brokenJson(answer),
});

/** What a call makes of an answer. */
const heardOf = (endpoint: Endpoint<unknown, unknown>, given: { status: number; body: string }): readonly string[] => {
  const { status, body } = given;
  const heard: string[] = [];
  const http = {
    send: () => of({ status, body: endpoint.responseType === 'binary' ? new TextEncoder().encode(body).buffer : body }),
    beacon: () => true,
  };
  call(
    { ...endpoint, body: undefined } as never,
    { params: { id: 'a' } },
    { http, setting: settingsOf(), json },
  ).subscribe({ next: () => heard.push('value'), error: () => heard.push('error') });
  return heard;
};

describe('Answers of servers', () => {
  it('are found for each call', () => {
    expect(endpoints.length).toBeGreaterThanOrEqual(20);
  });

  it.each(endpoints)('of %s give a value of the right type or an error, and throw nothing', (_, endpoint) => {
    fuzz(
      answers,
      (given) => {
        const heard = heardOf(endpoint, given);
        if (heard.length !== 1) throw new Error(`Heard ${heard.join()}`);
        expectClean();
      },
      endpoints.length,
    )();
  });

  it.each(endpoints)('of %s may be too much, and give a value or an error', (_, endpoint) => {
    for (const [what, body] of Object.entries(tooMuch)) {
      const heard = heardOf(endpoint, { status: 200, body });
      if (heard.length !== 1) throw new Error(`Heard ${heard.join()} of too many ${what}`);
    }
    expectClean();
  });

  it(
    'never stop the page that is given them',
    fuzz(
      fc.array(answers, { minLength: 10, maxLength: 10 }),
      (given) => {
        let i = 0;
        const page = openPage({ send: () => of(given[i++ % given.length]!) });
        page.call('track', 'First');
        page.platform.fire('window', 'pagehide');
        page.call('reset');
        page.initialise();
        page.expectWell();
        page.stop();
      },
      10,
    ),
  );
});

describe('Messages', () => {
  const types = fc.constantFrom(
    'initialised',
    'changed',
    'transitions',
    'barrierReached',
    'saved',
    'report',
    'ask',
    'explained',
    'metrics',
    '__proto__',
  );
  // What comes from another thread was cloned: it holds no traps.
  const messages = fc.oneof(
    plain,
    fc
      .tuple(
        types,
        fc.dictionary(
          fc.constantFrom(
            'membership',
            'transitions',
            'name',
            'eventId',
            'message',
            'cause',
            'request',
            'what',
            'input',
            'text',
            'items',
          ),
          plain,
        ),
      )
      .map(([type, rest]) => ({ ...rest, type })),
  );
  it(
    'of an engine that has lost its mind are dropped, and the page goes on',
    fuzz(
      fc.array(messages, { minLength: 10, maxLength: 10 }),
      (said) => {
        const page = openPage();
        for (const message of said) page.platform.engines[0]?.say(message as never);
        page.expectWell();
        page.stop();
      },
      10,
    ),
  );

  const events = fc.tuple(
    fc.constantFrom('storage', 'pageshow', 'pagehide', 'online', 'message', 'mousemove', 'scroll'),
    fc.record({ key: hostile, newValue: hostile, persisted: hostile, data: hostile, origin: hostile }),
  );
  it(
    'and events that the page makes up stop nothing',
    fuzz(
      fc.array(events, { minLength: 10, maxLength: 10 }),
      (fired) => {
        const page = openPage();
        for (const [type, event] of fired) page.platform.fire('window', type, { ...event, isTrusted: false });
        page.call('consent', { opt_in: true });
        page.initialise();
        page.expectWell();
        page.stop();
      },
      10,
    ),
  );
});
