import * as fc from 'fast-check';

import { project } from '../../../demo/project/project';
import { membersAfter } from '../../../project/visits/visits';
import { withRead } from '../../../project/withRead';
import type { Definition } from '../../../src/engine/language/language';
import { tastes, visitorOf } from '../../../studio/page/play/generatedVisitor';
import { explainAt, memberAt, playQuery } from '../../../studio/page/play/playQuery';
import { readQuery } from '../../../studio/page/play/readQuery';
import { readLog } from '../../../studio/page/play/recordedLog';
import { law } from '../../support/laws';

const definitions: readonly Definition[] = project.queries;

/** Long and short windows, sessions, sums, sequences, and negations: what time alone changes too. */
const queries: readonly Definition[] = [
  { id: '1', q: { event: 'Pageview', is: { gte: 3 }, within: { days: 7 } } },
  { id: '2', q: { not: { event: 'Pageview', is: { gte: 4 }, within: { hours: 30 } } } },
  { id: '3', q: { event: 'Pageview', is: { gte: 3 }, within: 'session' } },
  { id: '4', q: { event: 'PageviewEngagement', sum: 'engaged_time', is: { between: [20, 60] }, within: { days: 2 } } },
  { id: '5', q: { and: [{ cohort: '20402' }, { not: { cohort: '20417' } }] } },
  { id: '7', q: { not: { event: 'Pageview', is: { gte: 2 }, within: 'view' } } },
  { id: '8', q: { not: { lookup: 'geo', where: { p: 'country', eq: 'GB' } } } },
  { id: '6', q: { sequence: [{ event: 'LoginStatus' }, { event: 'Pageview' }], within: { days: 3 } } },
];

/** All names of fields in a query, once each. */
const fieldsOf = (node: unknown): readonly string[] =>
  typeof node !== 'object' || node === null
    ? []
    : Object.entries(node).flatMap(([key, value]) => [...(Array.isArray(node) ? [] : [key]), ...fieldsOf(value)]);
/** One of the queries of the sample project that are made of the same fields. */
const kinds = [
  ...new Map(definitions.map((each) => [[...new Set(fieldsOf([each.q, each.sub]))].sort().join(), each])).values(),
];

describe('A played visitor', () => {
  it(
    'is a member at a moment where the explanation of that moment says so',
    law(
      fc.record({
        query: fc.constantFrom(...queries),
        seed: fc.integer({ min: 1, max: 1000 }),
        taste: fc.constantFrom(...tastes),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      ({ query, seed, taste, share }) => {
        const [events, read] = [visitorOf(seed, taste), withRead(query, definitions)];
        const played = playQuery(query.id, read, events);
        const at = played.from + Math.floor(share * (played.to - played.from));
        expect(memberAt(played, at)).toBe(explainAt(query.id, read, events, at)?.result);
        expect(played.errors).toEqual(
          query.id === '8' ? ['Failed to interpret query 8. Got geo lookup has not been provided.'] : [],
        );
        // What the check says of an example that is kept at this moment.
        const past = events.filter(({ time }) => time <= at);
        const members = membersAfter(past, { v: 1, id: 'check', seed: 0, queries: read }, at);
        expect(members.includes(query.id)).toBe(memberAt(played, at));
      },
    ),
  );

  it('plays every kind of query of the sample project', () => {
    const events = visitorOf(7, 'anything');
    const failed = kinds.filter((definition) => {
      const { errors: said, changes } = playQuery(definition.id, withRead(definition, definitions), events);
      // A query that reads other data than events holds for nobody, here as in the check and in the sizes.
      const errors = said.filter((error) => !error.endsWith('lookup has not been provided.'));
      return errors.length > 0 || changes.length === 0;
    });
    expect(failed.map(({ id }) => id)).toEqual([]);
  });

  it('is one of the paper’s readers, whatever an address asks for', () => {
    expect(visitorOf(1, 'nothing of the kind')).toEqual(visitorOf(1, 'anything'));
    expect(visitorOf(-1e300, 'Markets').length).toBeGreaterThan(0);
  });

  it('has no time where there is nothing that happened', () => {
    const { changes, errors, eventUs } = playQuery('1', queries.slice(0, 1), []);
    expect([changes, errors, eventUs]).toEqual([[{ at: -1, isMember: false, by: undefined }], [], 0]);
  });
});

describe('A written query', () => {
  it.each([
    ['{', 'line 1, column 2', 'JSON'],
    ['{"and":[{"event":7}]}', 'and/0/event', 'a list of 1 to 500'],
    ['{"id":"1","q":{"and":[]}}', 'q/and', 'a list of 1 to 500'],
    ['null', '', 'a query node (an object)'],
  ])('%s is wrong at its path', (text, path, expected) => {
    expect(readQuery(text)).toEqual({ type: 'faults', faults: [{ path, expected }] });
  });

  it('has its size told', () => {
    const reading = readQuery(
      '{"and":[{"event":"A","where":{"p":"x","in":["a","b"]}},{"last":{"event":"B"},"is":{"p":"y","is":true}}]}',
    );
    expect(reading).toMatchObject({ type: 'query', query: { cells: 2, operands: 2 } });
  });

  it(
    'never throws, whatever it is',
    law(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(['query', 'faults']).toContain(readQuery(text).type);
    }),
  );
});

describe('A recorded log', () => {
  const line = (data: object): string => JSON.stringify({ t: 0, lane: 'events', type: 'Read', data });
  const event = {
    id: '1',
    name: 'Read',
    time: '2026-01-01T00:00:00.000Z',
    properties: {},
    session_id: 's',
    view_id: 'v',
  };

  it('gives its events, the oldest first, and passes over all else', () => {
    const header = JSON.stringify({ v: 1, sdk: 'v1', project: 'p', clock: 0 });
    const other = JSON.stringify({ t: 0, lane: 'calls', type: 'track', data: null });
    const { events, faults } = readLog(
      [header, other, '', line({ ...event, time: '2026-01-02T00:00:00.000Z' }), line(event)].join('\n'),
    );
    expect([events.map(({ time }) => new Date(time).getUTCDate()), faults]).toEqual([[1, 2], []]);
  });

  it.each([
    ['no JSON', '{', '', 'JSON'],
    ['no lane', '{}', ': lane', 'string'],
    ['an event without properties', line({ ...event, properties: 7 }), ': data/properties', 'UnknownRecord'],
    ['a time that is none', line({ ...event, time: 'soon' }), ': data/time', 'an ISO date from 1970 to 2100'],
    [
      'a time without windows',
      line({ ...event, time: '+275760-09-13T00:00:00.000Z' }),
      ': data/time',
      'an ISO date from 1970 to 2100',
    ],
  ])('has %s told with its line', (_, text, path, expected) => {
    expect(readLog(text)).toEqual({ events: [], faults: [{ path: `line 1${path}`, expected }] });
  });

  it(
    'never throws, whatever it is',
    law(fc.array(fc.oneof(fc.string(), fc.json())), (lines) => {
      expect(readLog(lines.join('\n')).faults.length).toBeLessThanOrEqual(5);
    }),
  );
});
