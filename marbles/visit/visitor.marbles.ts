import { of } from 'rxjs';

import type { UnreadIdentifyCall } from '../../src/model/identity';
import { ownerOf } from '../../src/visit/owner';
import { visitorOf } from '../../src/visit/visitor';
import { visitorId } from '../../test/support/events';
import { lateParts } from '../../test/support/project';
import { worldOf } from '../../test/support/world';
import { marble, type MarbleHelpers } from '../support/marbles';

/**
 * Plays `a` and `b`, calls of `identify`, and `x`, a call that makes no sense, for a server that answers after 4 ms.
 * Answers what the callers are told: the call, and whether it was the visitor's id.
 */
const told = (
  { hot, cold, schedule, effect }: MarbleHelpers,
  { calls, chunk, stop }: { readonly calls: string; readonly chunk: string; readonly stop: string },
) => {
  const done = effect<[answer: string]>();
  const answer = { status: 200, body: JSON.stringify({ user_id: visitorId }) };
  const world = worldOf({
    local: { 'permutive-id': visitorId },
    deferredParts$: cold(chunk, { c: lateParts() }),
    send: () => cold('----(a|)', { a: answer }),
  });
  const call = (id: string, given: unknown = [{ tag: 'reader', id }]): UnreadIdentifyCall => ({
    given,
    done: (userId) => done(`${id} ${userId === null ? 'null' : userId === visitorId}`),
  });
  schedule(calls, {
    a: () => world.calls.identify(call('a')),
    b: () => world.calls.identify(call('b')),
    x: () => world.calls.identify(call('x', {})),
  });
  visitorOf(ownerOf(world), of(null), hot(stop)).identities$.subscribe();
  return { done, report: world.report, requests: () => world.requests.length };
};

describe('Calls of identify', () => {
  marble('that are made before the deferred chunk is there wait for it, in their order', (helpers) => {
    const { done } = told(helpers, { calls: 'ab', chunk: '-----c', stop: '-' });
    helpers.expectObservable(done.call$).toBe('---------a---b', { a: ['a true'], b: ['b true'] });
  });

  marble('are made at once when it is there', (helpers) => {
    const { done } = told(helpers, { calls: '---a', chunk: 'c', stop: '-' });
    helpers.expectObservable(done.call$).toBe('-------a', { a: ['a true'] });
  });

  marble('that make no sense are reported and answered once it is there, and the others go on', (helpers) => {
    const { done, report } = told(helpers, { calls: 'axb', chunk: '-----c', stop: '-' });
    helpers.schedule('----a', { a: () => expect(report).not.toHaveBeenCalled() });
    helpers.expectObservable(done.call$).toBe('-----x---a---b', { x: ['x null'], a: ['a true'], b: ['b true'] });
    helpers.flush();
    expect(report.mock.calls).toEqual([
      ['Identify must be passed a non-empty string or list of { tag, id, priority? } tuples.'],
    ]);
  });

  marble('are left to the next visit where this one ends before: no caller is told, nor is the server', (helpers) => {
    const { done, requests } = told(helpers, { calls: 'ab', chunk: '-----c', stop: '---s' });
    helpers.expectObservable(done.call$).toBe('-');
    helpers.flush();
    expect(requests()).toBe(0);
  });

  marble('are left to the next visit where this one ends before the server has answered', (helpers) => {
    const { done } = told(helpers, { calls: 'ab', chunk: 'c', stop: '---s' });
    helpers.expectObservable(done.call$).toBe('-');
  });

  marble('are answered with null where the chunk cannot be loaded, before and after that is known', (helpers) => {
    const { done } = told(helpers, { calls: 'a---b', chunk: '--|', stop: '-' });
    helpers.expectObservable(done.call$).toBe('--a-b', { a: ['a null'], b: ['b null'] });
  });
});
