import * as fc from 'fast-check';

import { json } from '../../src/hardening/plainJson';
import type { LogEntry } from '../../src/inspector/logEntry';
import { replayLog } from '../../src/inspector/replay/replayLog';
import type { Transition } from '../../src/model/engineCommands';
import { lawOf } from '../support/laws';
import { type Act, type Answer, recordedProject, type RecordedVisit, recordVisit } from './support/recordedVisit';

const results = (entries: readonly LogEntry[]) =>
  entries
    .filter(
      ({ lane, type }) => lane === 'transitions' || (lane === 'uploads' && ['request', 'delivered'].includes(type)),
    )
    .map(({ t, lane, type, data }) => ({
      t,
      lane,
      type,
      // The time of a cohort that ends by itself is of the engine's clock, which is in no log.
      data: lane === 'transitions' ? { ...(data as Transition), time: undefined } : data,
    }));

it('replays a plain visit', () => {
  const log = recordVisit({
    engineMs: 3.125,
    answers: [{ kind: 'taken', ms: 20.25 }],
    acts: [
      { at: 200, act: ({ calls }) => calls.startAddon('web', { page: { type: 'article' } }) },
      { at: 1200.5, act: ({ track }) => track('Click', { properties: { a: 1 } }) },
      { at: 4200.5, act: ({ track }) => track('Pageview') },
    ],
  });
  expect(results(replayLog(log.text(), recordedProject, json))).toEqual(results(log.entries()));
});

it('replays whom a page has identified by a hash, which the log does not have', () => {
  const hash = 'a0'.repeat(32);
  const log = recordVisit({
    engineMs: 1,
    answers: [{ kind: 'taken', ms: 20 }],
    acts: [
      {
        at: 200,
        act: ({ calls }) => calls.identify({ given: [{ tag: 'email_sha256', id: hash }], done: () => undefined }),
      },
    ],
  });
  expect(log.text()).not.toContain(hash);
  const told = results(log.entries());
  expect(JSON.stringify(told)).toContain('/identify');
  expect(results(replayLog(log.text(), recordedProject, json))).toEqual(told);
});

it.each([1e13, 86_400_001, -1, null])('refuses a log with a line at %p ms, by the number of the line', (t) => {
  const [header = ''] = recordVisit({ engineMs: 1, answers: [], acts: [] }).text().split('\n');
  const late = JSON.stringify({ t, lane: 'signals', type: 'window focus', data: { n: 1, value: null } });
  expect(() => replayLog(`${header}\n${late}\n`, recordedProject, json)).toThrow(
    'Line 2 of the log: t: expected a time within 86400000 ms',
  );
});

it('replays a log of a whole day', () => {
  const { text } = recordVisit({ engineMs: 1, answers: [], acts: [] });
  const last = JSON.stringify({ t: 86_400_000, lane: 'signals', type: 'window focus', data: { n: 1, value: null } });
  expect(() => replayLog(`${text().trimEnd()}\n${last}\n`, recordedProject, json)).not.toThrow();
});

const acts: fc.Arbitrary<Act['act']> = fc.oneof(
  fc.constantFrom('Pageview', 'Click', 'Other').map(
    (name): Act['act'] =>
      ({ track }) =>
        track(name),
  ),
  fc.constant<Act['act']>(({ calls }) => calls.startAddon('web', { page: { type: 'article' } })),
  fc.constantFrom('click', 'mousemove', 'scroll').map(
    (type): Act['act'] =>
      ({ fire }) =>
        fire('document', type),
  ),
  fc.boolean().map((hidden): Act['act'] => ({ setHidden, fire }) => {
    setHidden(hidden);
    fire('document', 'visibilitychange');
  }),
  fc.boolean().map(
    (isOnline): Act['act'] =>
      ({ setOnline }) =>
        setOnline(isOnline),
  ),
  fc.integer({ min: -100_000, max: 100_000 }).map((ms): Act['act'] => ({ stepClock, track }) => {
    stepClock(ms);
    // A log learns of the step when something happens.
    track('Other');
  }),
  fc.uuid().map(
    (id): Act['act'] =>
      ({ calls }) =>
        calls.identify({ given: [{ tag: 'crm', id, priority: 0 }], done: () => undefined }),
  ),
  fc.boolean().map(
    (isGiven): Act['act'] =>
      ({ giveConsent }) =>
        giveConsent(isGiven),
  ),
  fc.constant<Act['act']>(({ calls }) => calls.reset(() => undefined)),
  fc.constant<Act['act']>(({ fire }) => fire('window', 'pagehide')),
  fc.constant<Act['act']>(({ fire }) => fire('window', 'pageshow', { persisted: true })),
);
const answers: fc.Arbitrary<Answer> = fc.record({
  kind: fc.constantFrom('taken', 'taken', 'refused', 'failed'),
  ms: fc.integer({ min: 1, max: 900 }),
});
const visits: fc.Arbitrary<RecordedVisit> = fc.record({
  acts: fc.array(fc.record({ at: fc.integer({ min: 60, max: 12_000 }), act: acts }), { maxLength: 20 }),
  answers: fc.array(answers, { minLength: 1, maxLength: 6 }),
  engineMs: fc.integer({ min: 1, max: 300 }),
});

it(
  'gives the transitions and uploads of any visit',
  lawOf(200)(visits, (visit) => {
    const log = recordVisit(visit);
    expect(results(replayLog(log.text(), recordedProject, json))).toEqual(results(log.entries()));
  }),
);
