import { call } from '../../src/endpoints/call';
import { reset } from '../../src/endpoints/reset';
import { json } from '../../src/hardening/plainJson';
import { NetworkError } from '../../src/model/errors';
import type { HttpAnswer } from '../../src/platform/platform';
import { settingsOf } from '../../test/support/settings';
import { marble } from '../support/marbles';

const timedOut = new NetworkError('timeout');
const answers: Readonly<Record<string, HttpAnswer>> = { a: { status: 200, body: 'x' } };

describe('call', () => {
  marble('gives up after 5000 ms, and lets the request go', ({ cold, expectObservable, expectSubscriptions }) => {
    const send$ = cold('   -      ', answers);
    const subs = '         ^ 4999ms !';
    const expected = '     5s #   ';
    const http = { send: () => send$, beacon: () => false };
    expectObservable(call(reset, {}, { http, json, setting: settingsOf() })).toBe(expected, undefined, timedOut);
    expectSubscriptions(send$.subscriptions).toBe(subs);
  });

  marble('takes an answer that comes just in time', ({ cold, expectObservable }) => {
    const send$ = cold('   4999ms (a|)', answers);
    const http = { send: () => send$, beacon: () => false };
    expectObservable(call(reset, {}, { http, json, setting: settingsOf() })).toBe('4999ms (x|)');
  });

  marble('takes the time from requestTimeout', ({ cold, expectObservable }) => {
    const http = { send: () => cold('-', answers), beacon: () => false };
    expectObservable(call(reset, {}, { http, json, setting: settingsOf({ requestTimeout: 3 }) })).toBe(
      '---#',
      undefined,
      timedOut,
    );
  });

  marble('aborts when unsubscribed', ({ cold, expectObservable, expectSubscriptions }) => {
    const send$ = cold('   -----(a|)', answers);
    const unsub = '        ^--!     ';
    const http = { send: () => send$, beacon: () => false };
    expectObservable(call(reset, {}, { http, json, setting: settingsOf() }), unsub).toBe('-');
    expectSubscriptions(send$.subscriptions).toBe(unsub);
  });
});
