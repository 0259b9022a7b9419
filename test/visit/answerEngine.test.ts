import { type Observable, of, Subject, throwError } from 'rxjs';

import { lateMs } from '../../src/endpoints/lateFailures';
import { memoryStorage } from '../../src/fakePlatform/memoryStorage';
import { json } from '../../src/hardening/plainJson';
import type { EngineCommand, EngineMessage } from '../../src/model/engineCommands';
import type { Failure } from '../../src/model/engineQuestions';
import { NetworkError } from '../../src/model/errors';
import type { HttpAnswer, HttpRequest } from '../../src/platform/platform';
import { answerEngine } from '../../src/visit/answerEngine';
import { serverCalls } from '../../src/visit/serverCalls';
import { settingsOf } from '../support/settings';

type Question = Extract<EngineMessage, { type: 'ask' }>;

const world = (send: (request: HttpRequest) => Observable<HttpAnswer> = () => of({ status: 200, body: '{}' })) => {
  const local = memoryStorage({ a: '1' });
  const question$ = new Subject<Question>();
  const answers: EngineCommand[] = [];
  const requests: HttpRequest[] = [];
  const http = {
    send: (request: HttpRequest) => {
      requests.push(request);
      return send(request);
    },
    beacon: () => false,
  };
  answerEngine(question$, {
    local,
    callServer: (what, input) => serverCalls[what](input, { http, json, setting: settingsOf() }),
  }).subscribe((answer) => answers.push(answer));
  const ask = (request: number, what: Question['what'], input: unknown): void =>
    question$.next({ type: 'ask', request, what, input });
  return { local, answers, requests, ask };
};
const answer = (request: number, value: unknown, error: Failure | null = null): EngineCommand => ({
  type: 'answer',
  request,
  value,
  error,
});

describe('answerEngine', () => {
  it('reads and writes local storage', () => {
    const { ask, answers, local } = world();
    ask(1, 'read', { key: 'a' });
    ask(2, 'read', { key: 'unknown' });
    ask(3, 'write', { key: 'b', text: '2' });
    expect(answers).toEqual([answer(1, '1'), answer(2, null), answer(3, true)]);
    expect(local.read('b')).toBe('2');
    ask(4, 'write', { key: 'b', text: null });
    expect(answers.at(-1)).toEqual(answer(4, true));
    expect(local.read('b')).toBeNull();
  });

  it.each(['quota', 'unavailable'] as const)('says why a write failed: %s', (failure) => {
    const { ask, answers, local } = world();
    local.failure = failure;
    ask(1, 'write', { key: 'b', text: '2' });
    expect(answers).toEqual([answer(1, null, { kind: failure, status: null, message: expect.any(String) as string })]);
  });

  it('calls the server', () => {
    const { ask, answers, requests } = world(() => of({ status: 200, body: '{"state":"{}","state_offset":3}' }));
    ask(1, 'stateSync', {
      query: [['fetch_unseen', 'true']],
      body: { group_id: 'g', event_source_id: 's', state: '{}', last_seen_offset: 0 },
    });
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://api.permutive.com/v1.0/state?fetch_unseen=true&k=key',
    ]);
    expect(answers).toEqual([answer(1, { state: '{}', state_offset: 3 })]);
  });

  it.each([
    [
      'with a status of 400 or above',
      413,
      'no',
      { kind: 'status', status: 413 },
      'Failed ajax request. Status code was 413. no',
    ],
    [
      'with a text that is not JSON',
      200,
      '<',
      { kind: 'unreadable', status: null },
      'Failed to parse response as JSON. Response was <',
    ],
    [
      'with JSON that makes no sense',
      200,
      '{"state":7,"state_offset":3}',
      { kind: 'unreadable', status: null },
      'state: expected string',
    ],
  ] as const)('says why a call failed: the server answers %s', (_, status, body, failure, message) => {
    const { ask, answers } = world(() => of({ status, body }));
    ask(1, 'stateSync', { body: { group_id: 'g', event_source_id: 's', state: '{}', last_seen_offset: 0 } });
    expect(answers).toEqual([answer(1, null, { ...failure, message })]);
  });

  it.each([
    ['failed', 'Network request failed'],
    ['timeout', 'Network request timed out'],
  ] as const)('says that the network has failed and how, a while later, and goes on: %s', (kind, message) => {
    jest.useFakeTimers();
    const { ask, answers } = world(() => throwError(() => new NetworkError(kind)));
    ask(1, 'stateSync', { body: { group_id: 'g', event_source_id: 's', state: '{}', last_seen_offset: 0 } });
    ask(2, 'read', { key: 'a' });
    jest.advanceTimersByTime(lateMs - 1);
    expect(answers).toEqual([answer(2, '1')]);
    jest.advanceTimersByTime(1);
    expect(answers.at(-1)).toEqual(answer(1, null, { kind, status: null, message }));
    jest.useRealTimers();
  });

  it('answers a question that makes no sense with an error', () => {
    const { ask, answers } = world();
    ask(1, 'read', null);
    ask(2, 'write', 'x');
    ask(3, 'read', { key: 'a' });
    expect(answers.map((each) => (each.type === 'answer' ? each.request : 0))).toEqual([1, 2, 3]);
    expect(answers[0]).toMatchObject({ error: { kind: 'other', message: expect.stringContaining('null') as string } });
  });
});
