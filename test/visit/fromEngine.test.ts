import { Subject } from 'rxjs';

import type { EngineMessage } from '../../src/model/engineCommands';
import { EngineError, NetworkError } from '../../src/model/errors';
import { fromEngine } from '../../src/visit/fromEngine';
import { reportMock } from '../support/reports';

const membership = (...members: string[]) => ({ members, activations: { dfp: members } });

const world = (stored: readonly string[] = []) => {
  const message$ = new Subject<unknown>();
  const sent: unknown[] = [];
  const report = reportMock();
  const engine = fromEngine({ message$, send: (message) => sent.push(message) }, () => stored, report);
  const running = engine.start$.subscribe();
  return { engine, running, sent, report, message$, say: (message: EngineMessage) => message$.next(message) };
};

describe('fromEngine', () => {
  it('starts with the last page’s cohorts; they are this page’s own from the first mark', () => {
    const { engine, say } = world(['1']);
    const states: unknown[] = [];
    engine.cohorts$.subscribe((cohorts) => states.push([cohorts.members.join(), cohorts.isRealtime]));
    say({ type: 'initialised', membership: membership('1', '2'), migrated: false, transitions: [] });
    say({ type: 'changed', membership: membership('2') });
    say({ type: 'barrierReached', name: 'realtime' });
    say({ type: 'changed', membership: membership('2', '3') });
    expect(states).toEqual([
      ['1', false],
      ['1,2', false],
      ['2', false],
      ['2', true],
      ['2,3', true],
    ]);
  });

  it('sorts what the engine says', () => {
    const { engine, say } = world();
    const heard: unknown[] = [];
    engine.initialised$.subscribe(({ migrated, transitions }) => heard.push(['initialised', migrated, transitions]));
    engine.transitions$.subscribe((transitions) => heard.push(transitions));
    engine.barrierReached$.subscribe((mark) => heard.push(mark));
    engine.saved$.subscribe((id) => heard.push(id));
    engine.usage$.subscribe((usage) => heard.push(usage));
    engine.metrics$.subscribe((items) => heard.push(items));
    const transitions = [{ id: '1', entry: true, time: 7 }];
    const items = [{ name: 'sdk_engine_seconds', value: 0.1, labels: { step: 'save' } }];
    say({ type: 'initialised', membership: membership(), migrated: true, transitions });
    say({ type: 'transitions', transitions });
    say({ type: 'barrierReached', name: 'realtime' });
    say({ type: 'saved', until: { page: 7 } });
    say({ type: 'usage', usage: [{ provider: 'acme', id: '7' }] });
    say({ type: 'metrics', items });
    expect(heard).toEqual([
      ['initialised', true, transitions],
      transitions,
      transitions,
      'realtime',
      { page: 7 },
      [{ provider: 'acme', id: '7' }],
      items,
    ]);
  });

  it.each([
    [false, '1,-2,3,5,-6,7'],
    [true, '-2,5,7'],
  ])(
    'tells the transitions of initialisation; where they may be told (%p), those that the last page cannot have told',
    (mayBeTold, expected) => {
      const { engine, say } = world(['1', '2', '3', '4']);
      const heard: unknown[] = [];
      engine.transitions$.subscribe((transitions) =>
        heard.push(transitions.map(({ id, entry }) => (entry ? id : `-${id}`)).join()),
      );
      const transitions = [...['1', '-2', '3', '5', '-6', '7']].map((text, time) => ({
        id: text.replace('-', ''),
        entry: !text.startsWith('-'),
        time,
      }));
      say({
        ...{ type: 'initialised', membership: membership('1', '3', '4', '5', '7'), migrated: false, transitions },
        ...(mayBeTold && { mayBeTold }),
      });
      say({ type: 'transitions', transitions: [{ id: '4', entry: false, time: 20 }] });
      expect(heard).toEqual([expected, '-4']);
    },
  );

  it('passes on questions, and what it is told', () => {
    const { engine, say, sent } = world();
    const heard: unknown[] = [];
    engine.question$.subscribe((question) => heard.push(question));
    say({ type: 'ask', request: 1, what: 'read', input: { key: 'a' } });
    engine.send({ type: 'flush' });
    expect(heard).toEqual([{ type: 'ask', request: 1, what: 'read', input: { key: 'a' } }]);
    expect(sent).toEqual([{ type: 'flush' }]);
  });

  it('explains nothing while the history is unread, and is ready without it', () => {
    const { engine, say } = world(['1']);
    const heard: unknown[] = [];
    engine.ready$.subscribe(({ type }) => heard.push(type));
    engine.cohorts$.subscribe(({ members, isRealtime }) => heard.push([members.join(), isRealtime]));
    engine.explain('7', []).subscribe(({ text }) => heard.push(`early ${text}`));
    say({ type: 'unread', text: 'u' });
    engine.explain('7', []).subscribe(({ text }) => heard.push(`late ${text}`));
    say({ type: 'initialised', membership: membership('1', '2'), migrated: false, transitions: [] });
    engine.explain('7', []).subscribe(() => heard.push('not asked'));
    expect(heard).toEqual([['1', false], 'unread', 'early u', 'late u', 'initialised', ['1,2', false]]);
  });

  it('asks why a query holds, and gives the answer to its own question', () => {
    const { engine, say, sent } = world();
    const heard: unknown[] = [];
    const first$ = engine.explain('7', []);
    expect(sent).toEqual([]);
    first$.subscribe(({ text }) => heard.push(['first', text]));
    engine.explain('8', []).subscribe(({ text }) => heard.push(['second', text]));
    const [first, second] = sent.map((message) => (message as { readonly request: number }).request) as [
      number,
      number,
    ];
    expect(sent).toMatchObject([
      { type: 'explain', id: '7' },
      { type: 'explain', id: '8' },
    ]);
    say({ type: 'explained', request: second, text: null, waiting: 0 });
    say({ type: 'explained', request: first, text: 'because', waiting: 0 });
    expect(heard).toEqual([
      ['second', null],
      ['first', 'because'],
    ]);
  });

  it.each([
    [null, 'because', new EngineError('because')],
    // An error is what its kind says, whatever its words are.
    [null, 'Network request failed', new EngineError('Network request failed')],
    ['failed', 'Network request failed', new NetworkError('failed')],
    ['timeout', 'because', new NetworkError('timeout')],
    ['status', 'because', new EngineError('because')],
  ] as const)('passes on what the engine reports, with its error by kind: %p, %s', (kind, cause, error) => {
    const { engine, say, report } = world();
    engine.reports$.subscribe();
    say({ type: 'report', message: 'Query Language: no', cause, kind });
    expect(report.mock.calls).toEqual([['Query Language: no', error]]);
    expect(report.mock.calls[0]?.[1]).toBeInstanceOf(error.constructor);
  });

  it.each([null, 'text', {}, { type: 'unknown' }, { type: 'changed' }, { type: 'saved', until: 7 }])(
    'reports a message that makes no sense, once, and goes on: %p',
    (message) => {
      const { engine, message$, say, report } = world();
      const saved: unknown[] = [];
      engine.saved$.subscribe((until) => saved.push(until));
      engine.reports$.subscribe();
      message$.next(message);
      say({ type: 'saved', until: { page: 7 } });
      expect(report.mock.calls.map(([text]) => text)).toEqual(['Invalid message from the engine']);
      expect(saved).toEqual([{ page: 7 }]);
    },
  );

  it('listens to the engine from its start to its end', () => {
    const { engine, running, message$ } = world();
    const listening = engine.cohorts$.subscribe();
    expect(message$.observed).toBe(true);
    running.unsubscribe();
    expect([message$.observed, listening.closed]).toEqual([false, false]);
  });
});
