import { EMPTY } from 'rxjs';

import type { PublicApi } from '../../src/api/publicApi';
import { bind, queuedCalls, setMethods, type Tag, tagOf, take, takeFirstCalls } from '../../src/api/tag';
import { linesOf, reportMock } from '../support/reports';

/** A public object that notes its calls. */
const apiOf = () => {
  const called: string[] = [];
  const note =
    (name: string) =>
    (...args: readonly unknown[]): unknown => {
      called.push([name, ...args].join(' '));
      return name;
    };
  const names = ['addon', 'consent', 'identify', 'on', 'ready', 'track', 'trigger'];
  const api: PublicApi = {
    methods: Object.fromEntries(names.map((name) => [name, note(name)])),
    addons: { web: {} },
    context: () => ({ user_id: 'visitor' }),
    streams: { cohorts$: EMPTY, transitions$: EMPTY, events$: EMPTY },
    whileConsent: () => EMPTY,
    whileVisit: () => EMPTY,
  };
  return { api, called };
};
const call = (functionName: string, ...args: readonly unknown[]) => ({ functionName, arguments: args });

describe('tagOf', () => {
  it.each([undefined, null, 7, 'permutive', true])('finds none in %p', (global) => {
    expect(tagOf(global)).toBeUndefined();
  });

  it('finds none in an element of that id, a list of elements, or a window', () => {
    class Element {
      readonly id = 'permutive';
    }
    for (const global of [new Element(), [], new (class extends Element {})(), Object.create(null), () => undefined])
      expect(tagOf(global)).toBeUndefined();
  });

  it('is the object itself', () => {
    const tag = { q: [] };
    expect(tagOf(tag)).toBe(tag);
  });
});

describe('take', () => {
  it('is given once', () => {
    const tag: Tag = { q: [] };
    expect([take(tag, 'v1'), take(tag, 'v2'), tag['version']]).toEqual([true, false, 'v1']);
  });
});

describe('queuedCalls', () => {
  it('gives what can be understood, and reports the rest by place', () => {
    const report = reportMock();
    const q = [call('track', 'A'), null, { functionName: 7, arguments: [] }, call('ready')];
    expect(queuedCalls({ q }, report)).toEqual([call('track', 'A'), call('ready')]);
    expect(linesOf(report).map((line) => line.split(': ').slice(0, 2).join(' '))).toEqual([
      'Invalid queued call q/1',
      'Invalid queued call q/2',
    ]);
  });

  it.each([undefined, null, 'q', {}, { length: 1, 0: call('track') }])('finds none in a queue that is %p', (q) => {
    expect(queuedCalls({ q }, jest.fn())).toEqual([]);
  });
});

describe('setMethods', () => {
  it('sets all methods, or those that are named', () => {
    const { api } = apiOf();
    const [all, one]: [Tag, Tag] = [{}, {}];
    setMethods(all, api.methods);
    setMethods(one, api.methods, ['consent']);
    expect([Object.keys(all).length, Object.keys(one)]).toEqual([7, ['consent']]);
  });
});

describe('bind', () => {
  const bound = (q: unknown, calls = queuedCalls({ q }, jest.fn())) => {
    const { api, called } = apiOf();
    const report = reportMock();
    const tag: Tag = { q, config: { apiKey: 'k' } };
    bind(tag, api, calls, report);
    return { tag, api, called, report };
  };

  it('puts the public object on the tag, with what is live', () => {
    const { tag, api } = bound([]);
    expect(tag).toMatchObject({ config: { apiKey: 'k' }, context: { user_id: 'visitor' } });
    expect(tag['track']).toBe(api.methods['track']);
    expect(tag['addons']).toBe(api.addons);
    expect(tag['events$']).toBe(api.streams.events$);
  });

  it('replays what was called so far, in order of rank, consent left out', () => {
    const { called, tag } = bound([
      call('ready'),
      call('consent'),
      call('track', 'A'),
      call('addon', 'web'),
      call('addon', 'dfp'),
      call('trigger'),
      call('identify', 'i'),
    ]);
    expect(called).toEqual(['identify i', 'trigger', 'addon dfp', 'addon web', 'track A', 'ready']);
    expect(tag['q']).toHaveLength(0);
  });

  it('reports a method that does not exist, and replays the others', () => {
    const { called, report } = bound([call('unknown'), call('constructor'), call('track', 'A')]);
    expect(called).toEqual(['track A']);
    expect(report.mock.calls).toEqual([
      ['Function permutive.unknown caused an error: Does not exist'],
      ['Function permutive.constructor caused an error: Does not exist'],
    ]);
  });

  it('lets calls through that a kept stub still queues', () => {
    const { tag, called } = bound([]);
    const queue = tag['q'] as unknown[];
    expect(queue.push(call('track', 'A'), call('consent', 'c'))).toBe(0);
    queue.push(call('track', 'B'), null);
    expect(called).toEqual(['track A', 'consent c', 'track B']);
    expect(queue).toHaveLength(0);
  });

  it('lets calls through that the stubs of a later tag queue, in queues of their own', () => {
    const { tag, called } = bound([]);
    const kept = tag['q'] as unknown[];
    // A later tag without a guard, which queues one call before it hands its queue over.
    tag['q'] = [call('track', 'A'), null];
    tag['track'] = (name: string) => (tag['q'] as unknown[]).push(call('track', name));
    (tag['track'] as (name: string) => void)('B');
    kept.push(call('track', 'C'));
    tag['q'] = 'no queue';
    (tag['q'] as unknown[]).push(call('track', 'D'));
    expect(called).toEqual(['track A', 'track B', 'track C', 'track D']);
    expect(tag['q']).toHaveLength(0);
  });

  it.each([undefined, null, {}])('needs no queue: %p', (q) => {
    const { called } = bound(q, [call('track', 'A')]);
    expect(called).toEqual(['track A']);
  });
});

describe('takeFirstCalls', () => {
  it('leaves the other calls in the queue, in order, however many the page has made', () => {
    const { api, called } = apiOf();
    const others = Array.from({ length: 200_000 }, () => call('on', 'SegmentEntry'));
    const tag: Tag = { q: [...others, call('track', 'A'), call('ready')] };
    takeFirstCalls(tag, api, reportMock());
    expect(called).toEqual(['track A']);
    expect(tag['q']).toHaveLength(200_001);
    expect((tag['q'] as unknown[]).at(-1)).toEqual(call('ready'));
  });
});
