import * as fc from 'fast-check';

import { DecodeError } from '../../src/codecs/codecs';
import { ErrorReport } from '../../src/endpoints/reportErrors';
import { sdkVersion } from '../../src/model/clientContext';
import { AnswerSizeError, EngineError, NotJsonError, StatusError } from '../../src/model/errors';
import { noView, sessionAndView } from '../../src/streams/visitor/sessionAndView';
import { errorReport } from '../../src/telemetry/errorReport';
import { eventFactory } from '../../src/visit/eventFactory';
import { noon, noonText } from '../support/events';
import { law } from '../support/laws';
import { worldOf } from '../support/world';

const page = {
  url: () => 'https://www.site.example/article/?email=bob@mail.example#bob',
  host: () => 'www.site.example',
  title: () => 'Bob',
  referrer: () => 'https://bob:secret@other.example/a/bob%40mail.example;jsessionid=bob?q=bob',
  userAgent: () => 'Browser',
};
const reportOf = (message: string, cause?: unknown, userId?: string): ErrorReport =>
  errorReport({ message, cause }, page, noon, userId);
const wordsOf = (message: string, cause?: unknown): string => reportOf(message, cause).error_message;
const withStack = (message: string, ...frames: readonly string[]): Error =>
  Object.assign(new Error(message), { stack: [`Error: ${message}`, ...frames].join('\n') });

describe('errorReport', () => {
  it('says what happened where, without what may name a person', () => {
    const report = reportOf('DFP failed to set data');
    expect(report).toEqual({
      platform: 'web',
      sdk_version: sdkVersion,
      ql_runtime_version: 'v14.1.0',
      timestamp: noonText,
      domain: 'site.example',
      url: 'https://www.site.example/article',
      referrer: 'https://other.example/a/*;jsessionid=*',
      user_agent: `Browser PermutiveWebSDK/${sdkVersion}`,
      error_message: 'DFP failed to set data',
      stack_trace: [],
    });
    expect(ErrorReport(report)).toEqual([]);
  });

  it('names the user of a query-language error, and of no other', () => {
    expect(reportOf('Query Language: subquery index out of bounds.', undefined, 'user')).toMatchObject({
      user_id: 'user',
    });
    expect(reportOf('Query Language: subquery index out of bounds.')).not.toHaveProperty('user_id');
    expect(reportOf('Error running custom script', undefined, 'user')).not.toHaveProperty('user_id');
  });

  it.each([
    [
      'a wrong value, by place and type',
      new DecodeError([{ path: 'config/apiHost', expected: 'string' }]),
      'It broke: config/apiHost: expected string',
    ],
    ['the engine', new EngineError('x is not a function'), 'It broke: x is not a function'],
    [
      'an answer that is no JSON',
      new NotJsonError('<html>bob</html>'),
      'It broke: Failed to parse response as JSON. Response was',
    ],
    ['an answer that is too large', new AnswerSizeError(), 'It broke: The answer is larger than 1 MB'],
    [
      'a record, but not whose it is',
      new EngineError('events/previous/5b2f7a3c-1d4e-4f60-9a8b-0c1d2e3f4a5b: expected a list of events'),
      'It broke: events/previous/[id]: expected a list of events',
    ],
    ['an engine that says nothing more', new EngineError(''), 'It broke'],
    [
      'a status, without what the server said',
      new StatusError(400, 'no such bob'),
      'It broke: Failed ajax request. Status code was 400',
    ],
    ['an error of the page', new Error('bob'), 'It broke'],
    ['what is no error', 'bob', 'It broke'],
    ['what cannot be read', Object.create(null), 'It broke'],
  ])('quotes our own errors only: %s', (_, cause, words) => {
    expect(wordsOf('It broke', cause)).toBe(words);
  });

  it('tells no key of a property, which may be the name of a person', () => {
    const deps = worldOf();
    const last = noView();
    const { make } = eventFactory(sessionAndView(deps, undefined, last), last, deps);
    make({ name: 'Order', properties: { customers: { 'John Smith 078-05-1120': () => 1 } } });
    const reports = deps.report.mock.calls.map(([message, cause]) => reportOf(message, cause));
    expect(reports.map(({ error_message }) => error_message)).toEqual(['Event Order: dropped function']);
    expect(JSON.stringify(reports)).not.toContain('John');
  });

  it('takes back what a message quotes of an error that is not ours', () => {
    expect(wordsOf('Exception during initialisation. Got bob', new Error('bob'))).toBe(
      'Exception during initialisation. Got ',
    );
    expect(wordsOf('Got a/b: expected c', new DecodeError([{ path: 'a/b', expected: 'c' }]))).toBe(
      'Got a/b: expected c',
    );
  });

  it.each([
    ['Function permutive.bob@mail.example caused an error', 'Function [email] caused an error'],
    ['dropped function at /jörg.m+x@mail.example/y', 'dropped function at /[email]/y'],
    ['see https://a.example/b?c=bob#d or //e.example/f#bob.', 'see https://a.example/b or //e.example/f'],
    [
      'Failed to parse response as JSON. Response was {"id":"bob"}\nbob',
      'Failed to parse response as JSON. Response was',
    ],
    [`a${'b'.repeat(5000)}`, `a${'b'.repeat(999)}`],
  ])('makes of %j %j', (message, words) => {
    expect(wordsOf(message)).toBe(words);
  });

  it('keeps the places of a stack, not the words', () => {
    const cause = withStack(
      'bob\n  at home:1:1',
      '    at f (https://cdn.example/sdk.js?email=bob:1:2)',
      '    at https://site.example/bob@mail.example/x.js#bob:3:4',
      'g@https://cdn.example/sdk.js:5:6',
      'bob said:',
      '    at eval (eval at h (https://a.example/b.js?bob:1:2), <anonymous>:7:8)',
    );
    expect(reportOf('It broke', cause).stack_trace).toEqual([
      'at f (https://cdn.example/sdk.js:1:2)',
      'at https://site.example/*/x.js:3:4',
      'g@https://cdn.example/sdk.js:5:6',
      'at eval (eval at h (https://a.example/b.js:7:8)',
    ]);
  });

  it('redacts addresses of a stack as those of events', () => {
    const token = 'a1'.repeat(20);
    const cause = withStack(
      'bob',
      `    at https://site.example/reset/${token}:1:2`,
      `    at f (https://site.example/reset/${token};jsessionid=bob/a.html:3:4)`,
      `g@https://bob:secret@site.example/verify/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.s-_G:5:6`,
    );
    expect(reportOf('It broke', cause).stack_trace).toEqual([
      'at https://site.example/reset/*:1:2',
      'at f (https://site.example/reset/*;jsessionid=*/a.html:3:4)',
      'g@https://site.example/verify/*:5:6',
    ]);
  });

  it('keeps 30 places', () => {
    expect(
      reportOf('It broke', withStack('x', ...Array.from({ length: 40 }, (_, i) => `at f (a.js:${i}:1)`))).stack_trace,
    ).toHaveLength(30);
  });

  it('survives errors whose properties throw', () => {
    const hostile = (name: string): Error =>
      Object.defineProperty(new Error('x'), name, {
        get: () => {
          throw new Error('of the page');
        },
      });
    expect(wordsOf('It broke', hostile('message'))).toBe('It broke');
    expect(reportOf('It broke', hostile('stack')).stack_trace).toEqual([]);
    expect(reportOf('It broke', Object.assign(new Error('x'), { stack: 7 })).stack_trace).toEqual([]);
  });

  const local = fc.stringMatching(/^[a-z0-9][a-z0-9.+_-]{0,30}$/);
  const domain = fc.stringMatching(/^[a-z0-9-]{1,20}\.[a-z]{2,6}$/);
  it(
    'lets no email through, wherever it stands',
    law(
      fc.tuple(
        fc.string({ maxLength: 1200 }),
        local,
        domain,
        fc.string({ maxLength: 50 }),
        fc.constantFrom('@', '%40'),
      ),
      ([before, name, host, after, at]) => {
        const text = `${before} ${name}${at}${host} ${after}`;
        const report = errorReport(
          { message: text, cause: withStack(text, `at ${text}:1:2`) },
          { ...page, url: () => `https://x.example/${text}`, referrer: () => text },
          noon,
          undefined,
        );
        const { timestamp, ...said } = report;
        expect(typeof timestamp).toBe('string');
        expect(JSON.stringify(said)).not.toContain(`${name}${at}${host}`);
      },
    ),
  );
});
