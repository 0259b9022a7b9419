import { call } from '../../src/endpoints/call';
import { reset } from '../../src/endpoints/reset';
import { NetworkError } from '../../src/model/networkError';
import type { HttpAnswer } from '../../src/platform/platform';
import { json } from '../../src/model/plainJson';
import { settingsOf } from '../../test/support/settings';
import { marbles } from '../support/marbles';

const timedOut = new NetworkError('timeout');
const answers: Readonly<Record<string, HttpAnswer>> = { a: { status: 200, body: 'x' } };

describe('call', () => {
  it('gives up after 5000 ms, and lets the request go', marbles(({ cold, expectObservable, expectSubscriptions }) => {
    const send$ = cold('   -      ', answers);
    const subs = '         ^ 4999ms !';
    const expected = '     5s #   ';
    const http = { send: () => send$, beacon: () => false };
    expectObservable(call(reset, {}, { http, json, setting: settingsOf() })).toBe(expected, undefined, timedOut);
    expectSubscriptions(send$.subscriptions).toBe(subs);
  }));

  it('takes an answer that comes just in time', marbles(({ cold, expectObservable }) => {
    const send$ = cold('   4999ms (a|)', answers);
    const http = { send: () => send$, beacon: () => false };
    expectObservable(call(reset, {}, { http, json, setting: settingsOf() })).toBe('4999ms (x|)');
  }));

  it('takes the time from requestTimeout', marbles(({ cold, expectObservable }) => {
    const http = { send: () => cold('-', answers), beacon: () => false };
    expectObservable(call(reset, {}, { http, json, setting: settingsOf({ requestTimeout: 3 }) })).toBe('---#', undefined, timedOut);
  }));

  it('aborts when unsubscribed', marbles(({ cold, expectObservable, expectSubscriptions }) => {
    const send$ = cold('   -----(a|)', answers);
    const unsub = '        ^--!     ';
    const http = { send: () => send$, beacon: () => false };
    expectObservable(call(reset, {}, { http, json, setting: settingsOf() }), unsub).toBe('-');
    expectSubscriptions(send$.subscriptions).toBe(unsub);
  }));
});
