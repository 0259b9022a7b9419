import * as fc from 'fast-check';

import { type QueuedCall, queuedCallOf, replayOrder } from '../../src/api/queuedCalls';
import { DecodeError } from '../../src/codecs/codecs';
import { law } from '../support/laws';

const call = (functionName: string, ...args: readonly unknown[]): QueuedCall => ({ functionName, arguments: args });
const orderOf = (calls: readonly QueuedCall[]): string[] =>
  replayOrder(calls).map(({ functionName, arguments: args }) => [functionName, ...args].join(' '));

describe('replayOrder', () => {
  it('puts identify, trigger, addon and track first', () => {
    const calls = [
      call('ready'),
      call('track'),
      call('on'),
      call('addon'),
      call('trigger'),
      call('identify'),
      call('segments'),
    ];
    expect(orderOf(calls)).toEqual(['identify', 'trigger', 'addon', 'track', 'ready', 'on', 'segments']);
  });

  it('puts dfp, appnexus_adserver and web first among addons', () => {
    const calls = ['video', 'web', 'prebid', 'appnexus_adserver', 'dfp'].map((name) => call('addon', name));
    expect(orderOf(calls)).toEqual([
      'addon dfp',
      'addon appnexus_adserver',
      'addon web',
      'addon video',
      'addon prebid',
    ]);
  });

  it('does not mistake other arguments for addons', () => {
    expect(orderOf([call('track', 'b'), call('track', 'web'), call('ready', 'x'), call('ready', 'dfp')])).toEqual([
      'track b',
      'track web',
      'ready x',
      'ready dfp',
    ]);
  });

  it('leaves consent out', () => {
    expect(orderOf([call('consent'), call('track'), call('consent')])).toEqual(['track']);
  });

  it('has nothing to order', () => {
    expect(orderOf([])).toEqual([]);
    expect(orderOf([call('addon')])).toEqual(['addon']);
  });

  const anyCall = fc.tuple(
    fc.constantFrom('identify', 'trigger', 'addon', 'track', 'ready', 'on', 'consent'),
    fc.constantFrom('dfp', 'appnexus_adserver', 'web', 'video'),
  );

  it(
    'keeps every other call, and the order of those that rank alike',
    law(fc.array(anyCall), (pairs) => {
      const calls = pairs.map(([name, addon], i) => call(name, addon, i));
      const replayed = replayOrder(calls);
      expect([...replayed].sort((a, b) => Number(a.arguments[1]) - Number(b.arguments[1]))).toEqual(
        calls.filter(({ functionName }) => functionName !== 'consent'),
      );
      for (const name of ['identify', 'trigger', 'track', 'ready', 'on']) {
        const places = (list: readonly QueuedCall[]): unknown[] =>
          list
            .filter(({ functionName }) => functionName === name && !['ready', 'on'].includes(name))
            .map(({ arguments: [, place] }) => place);
        expect(places(replayed)).toEqual(places(calls));
      }
      const others = (list: readonly QueuedCall[]): unknown[] =>
        list
          .filter(({ functionName }) => ['ready', 'on'].includes(functionName))
          .map(({ arguments: [, place] }) => place);
      expect(others(replayed)).toEqual(others(calls));
    }),
  );
});

describe('queuedCallOf', () => {
  // oxlint-disable-next-line typescript/no-unused-vars -- taken by `arguments`
  const argumentsOf = function (..._args: readonly unknown[]): unknown {
    // oxlint-disable-next-line prefer-rest-params -- older tags queue this object
    return arguments;
  };

  it.each([
    ['an array', { functionName: 'track', arguments: ['a', 1] }, ['a', 1]],
    ['an arguments object', { functionName: 'track', arguments: argumentsOf('a', 1) }, ['a', 1]],
    ['no arguments', { functionName: 'track', arguments: [] }, []],
  ])('takes %s', (_, queued, expected) => {
    expect(queuedCallOf(queued)).toEqual({ functionName: 'track', arguments: expected });
  });

  it.each([
    null,
    7,
    'track',
    {},
    { functionName: 7, arguments: [] },
    { functionName: 'track' },
    { functionName: 'track', arguments: 'ab' },
  ])('does not take %p', (queued) => {
    expect(queuedCallOf(queued)).toBeInstanceOf(DecodeError);
  });
});
