import { asapScheduler, NEVER, observeOn, of, Subject, throwError } from 'rxjs';

import { AskError, askPage } from '../../src/engineHost/ask';
import { readChunk } from '../../src/engineHost/queriesChunk';
import { remoteStore } from '../../src/engineHost/remoteStore';
import { memoryStorage } from '../../src/fakePlatform/memoryStorage';
import { json } from '../../src/hardening/plainJson';
import type { EngineCommand, EngineMessage } from '../../src/model/engineCommands';
import type { Failure } from '../../src/model/engineQuestions';
import { QuotaError } from '../../src/model/errors';
import { answerEngine } from '../../src/visit/answerEngine';
import { askError } from '../support/askErrors';
import { done } from '../support/database';
import { sourceId } from '../support/events';
import { keyValueStore } from '../support/keyValueStore';
import { reportMock } from '../support/reports';

describe('askPage', () => {
  const world = () => {
    const asked: EngineMessage[] = [];
    const message$ = new Subject<EngineCommand>();
    const ask = askPage((message) => asked.push(message), message$);
    const answer = (request: number, value: unknown, error: Failure | null = null): void =>
      message$.next({ type: 'answer', request, value, error });
    return { asked, ask, answer, message$ };
  };

  it('asks when someone listens, and gives the answer to its own question', () => {
    const { ask, asked, answer } = world();
    const heard: unknown[] = [];
    const first$ = ask('read', { key: 'a' });
    expect(asked).toEqual([]);
    first$.subscribe((value) => heard.push(['first', value]));
    ask('read', { key: 'b' }).subscribe((value) => heard.push(['second', value]));
    expect(asked).toEqual([
      { type: 'ask', request: 1, what: 'read', input: { key: 'a' } },
      { type: 'ask', request: 2, what: 'read', input: { key: 'b' } },
    ]);
    answer(2, 'B');
    answer(1, 'A');
    answer(1, 'again');
    expect(heard).toEqual([
      ['second', 'B'],
      ['first', 'A'],
    ]);
  });

  it('fails where the page fails', () => {
    const { ask, answer } = world();
    const onError = jest.fn();
    ask('write', { key: 'a', text: '1' }).subscribe({ error: onError });
    answer(1, null, { kind: 'quota', status: null, message: 'full' });
    expect(onError.mock.calls).toEqual([[askError('quota', 'full')]]);
    expect(onError.mock.calls).toMatchObject([[{ failure: { kind: 'quota' } }]]);
  });

  it('waits no longer once nobody listens', () => {
    const { ask, message$ } = world();
    ask('read', { key: 'a' }).subscribe().unsubscribe();
    expect(message$.observed).toBe(false);
  });
});

describe('remoteStore', () => {
  it('asks the page to read', () => {
    const ask = jest.fn(() => of<unknown>('text'));
    const heard: unknown[] = [];
    remoteStore(ask)
      .read('a')
      .subscribe((text) => heard.push(text));
    expect(ask.mock.calls).toEqual([['read', { key: 'a' }]]);
    expect(heard).toEqual(['text']);
  });

  it.each([null, undefined, 7, {}])('has nothing where the page answers %p', (value) => {
    const heard: unknown[] = [];
    remoteStore(() => of(value))
      .read('a')
      .subscribe((text) => heard.push(text));
    expect(heard).toEqual([null]);
  });

  it('asks the page to write', () => {
    const ask = jest.fn(() => of<unknown>(null));
    const heard: unknown[] = [];
    remoteStore(ask)
      .write('a', 'text')
      .subscribe((done) => heard.push(done));
    expect(ask.mock.calls).toEqual([['write', { key: 'a', text: 'text' }]]);
    expect(heard).toEqual([undefined]);
  });

  it.each([
    ['quota', QuotaError],
    ['other', AskError],
  ] as const)('says that a write failed: %s', (kind, expected) => {
    const onError = jest.fn<undefined, [unknown]>();
    remoteStore(() => throwError(() => askError(kind, 'no')))
      .write('a', 'text')
      .subscribe({ error: onError });
    expect(onError.mock.calls[0]?.[0]).toBeInstanceOf(expected);
  });

  describe('over the page’s local storage', () => {
    /** Two pages of one origin, each with an engine that asks it. */
    const origin = (start: Readonly<Record<string, string>> = {}) => {
      const local = memoryStorage(start);
      const engineOf = () => {
        const message$ = new Subject<EngineCommand>();
        const question$ = new Subject<EngineMessage & { readonly type: 'ask' }>();
        const store = remoteStore(
          askPage((message) => question$.next(message as EngineMessage & { readonly type: 'ask' }), message$),
        );
        // An answer never comes within the question.
        answerEngine(question$.pipe(observeOn(asapScheduler)), { local, callServer: () => NEVER }).subscribe((answer) =>
          message$.next(answer),
        );
        return store;
      };
      return { local, one: engineOf(), other: engineOf() };
    };

    it('writes on the version that was read', async () => {
      const { local, one } = origin({ a: '1' });
      const read = await done(one.readVersion('a'));
      expect(read).toMatchObject({ text: '1' });
      await expect(done(one.swap('a', read?.version, '2'))).resolves.toBe(true);
      expect(local.all()).toEqual({ a: '2' });
    });

    it('writes what was absent', async () => {
      const { local, one } = origin();
      const read = await done(one.readVersion('a'));
      expect(read).toMatchObject({ text: null });
      await expect(done(one.swap('a', read?.version, '1'))).resolves.toBe(true);
      expect(local.all()).toEqual({ a: '1' });
    });

    it.each([[{ a: '1' }], [{}]])('writes nothing where another page has written meanwhile, from %p on', async (at) => {
      const { local, one, other } = origin(at);
      const version = (await done(one.readVersion('a')))?.version;
      await done(other.write('a', '2'));
      await expect(done(one.swap('a', version, '3'))).resolves.toBe(false);
      expect(local.all()).toEqual({ a: '2' });
      await expect(done(one.swap('a', (await done(one.readVersion('a')))?.version, '3'))).resolves.toBe(true);
      expect(local.all()).toEqual({ a: '3' });
    });

    it('writes nothing where another page has removed it meanwhile', async () => {
      const { local, one, other } = origin({ a: '1' });
      const version = (await done(one.readVersion('a')))?.version;
      await done(other.remove('a'));
      await expect(done(one.swap('a', version, '3'))).resolves.toBe(false);
      expect(local.all()).toEqual({});
    });

    it('says that there is no room', async () => {
      const { local, one } = origin({ a: '1' });
      local.failure = 'quota';
      await expect(done(one.swap('a', '1', '2'))).rejects.toBeInstanceOf(QuotaError);
      expect(local.all()).toEqual({ a: '1' });
    });
  });

  it('waits for an answer', () => {
    const next = jest.fn();
    remoteStore(() => NEVER)
      .read('a')
      .subscribe(next);
    expect(next).not.toHaveBeenCalled();
  });
});

describe('readChunk', () => {
  const read = (stored?: string) => {
    const report = reportMock();
    const chunks: unknown[] = [];
    readChunk(keyValueStore(stored === undefined ? {} : { 'permutive-data-queries': stored }), json, report).subscribe(
      (chunk) => chunks.push(chunk),
    );
    return { chunk: chunks[0], messages: report.mock.calls.map(([message]) => message) };
  };

  it('is nothing on the first page', () => {
    expect(read()).toMatchObject({ chunk: { state: null }, messages: [] });
  });

  it('has what the host added', () => {
    expect(read(`{"group_id":"g","event-source-id":"${sourceId}","internal_query_states":{}}`)).toMatchObject({
      chunk: { groupId: 'g', eventSourceId: sourceId, state: { internal_query_states: {} } },
      messages: [],
    });
  });

  it('leaves out what is of the wrong type', () => {
    expect(read('{"group_id":7,"event-source-id":null}')).toMatchObject({
      chunk: { groupId: undefined, eventSourceId: undefined },
      messages: ['Error fetching data from store'],
    });
  });

  it.each(['', '{', 'null', '7', '[]'])('counts %p as nothing, and says so', (stored) => {
    expect(read(stored)).toMatchObject({ chunk: { state: null }, messages: ['Error fetching data from store'] });
  });
});
