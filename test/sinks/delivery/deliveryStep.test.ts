import { json } from '../../../src/hardening/plainJson';
import { NetworkError, StatusError } from '../../../src/model/errors';
import {
  type DeliveryCommand,
  type DeliveryInput,
  type DeliveryRequest,
  newDelivery,
} from '../../../src/sinks/delivery/deliveryState';
import { deliveryStep } from '../../../src/sinks/delivery/deliveryStep';
import { refusalStep } from '../../../src/sinks/delivery/refusalStep';
import { onlySent, type UploadItem, uploadItemOf } from '../../../src/sinks/delivery/uploadItem';
import { noon, queuedOf } from '../../support/events';

const itemOf = (id: string, flags = {}, waits = false): UploadItem =>
  uploadItemOf(queuedOf(id, flags), json, { ...onlySent, waits });
const items = (...ids: readonly string[]) => ids.map((id) => itemOf(id));

/** A delivery, step by step, with what its commands have led to. */
const world = (isPaused = false) => {
  const pause = { at: noon, waitMs: 1000, attempts: 1, asked: true };
  let state = newDelivery('page', isPaused ? pause : null);
  const writes: string[] = [];
  /** Of each write, whether the page unloaded. */
  const unloadings: boolean[] = [];
  const records = new Map<string, unknown>();
  const requests: DeliveryRequest[] = [];
  const ends: string[] = [];
  const other: string[] = [];
  const obey = (command: DeliveryCommand): void => {
    if (command.type === 'write') {
      unloadings.push(command.isUnloading);
      writes.push([...command.changes].map(([key, text]) => `${text === null ? '-' : '+'}${key}`).join(' '));
      for (const [key, text] of command.changes)
        if (text === null) records.delete(key);
        else records.set(key, JSON.parse(text));
    } else if (command.type === 'send') requests.push(command.request);
    else if (command.type === 'settle')
      ends.push(command.delivery.error === undefined ? command.delivery.id : command.delivery.id.toUpperCase());
    else if (command.type === 'judge') give({ type: 'judged', request: command.request, judge: refusalStep });
    else other.push(command.type === 'report' ? `report ${command.message}` : command.type);
  };
  const give = (input: DeliveryInput, now = noon): void => {
    const step = deliveryStep(state, input, { now, random: 0 });
    ({ state } = step);
    step.commands.forEach(obey);
  };
  const accept = (...given: readonly UploadItem[]): void => {
    give({ type: 'accepted', items: given, isUrgent: false, isUnloading: false });
  };
  const gathered = (): void => give({ type: 'gathered', state: 'fresh' });
  return {
    give,
    accept,
    gathered,
    tidied: () => give({ type: 'gathered', state: 'settled' }),
    add: (...given: readonly UploadItem[]) => {
      accept(...given);
      gathered();
    },
    goOn: () => give({ type: 'waited', pause: state.waitsFor ?? pause, isOnline: false }),
    answer: (number: number, ...codes: readonly number[]) =>
      give({ type: 'answered', request: number, results: codes.map((code) => ({ code })) }),
    fail: (number: number, error: unknown = new NetworkError('failed')) => {
      give({ type: 'failed', request: number, error });
      give({ type: 'failed', request: number, error });
    },
    records,
    ids: () =>
      Object.fromEntries(
        [...records].map(([key, record]) => [
          key,
          (record as { events: { id: string }[] }).events.map(({ id }) => id).join(''),
        ]),
      ),
    writes,
    unloadings,
    ends: () => ends.join(''),
    other,
    sent: () => requests.map(({ items: each }) => each.map(({ id }) => id).join('')),
    requests,
    states: () => [...state.events.values()].map(({ id, state: each }) => `${id} ${each}`),
    state: () => state,
  };
};

describe('deliveryStep, for the journal', () => {
  it('puts what is accepted together into one record, a hundred at most', () => {
    const { accept, ids, writes } = world();
    accept(...items('a', 'b'));
    accept(...items('c'));
    accept(...items(...Array.from({ length: 201 }, (_, i) => `x${i}`)));
    expect(ids()).toMatchObject({ 'page/1': 'ab', 'page/2': 'c', 'page/5': 'x200' });
    expect(writes).toEqual(['+page/1', '+page/2', '+page/3 +page/4 +page/5']);
  });

  it('keeps events apart that are treated differently', () => {
    const { accept, records } = world();
    accept(
      itemOf('a', { requiresEnrichment: true }),
      itemOf('b', { sdkProcessed: false }),
      itemOf('c', { sdkProcessed: false }),
    );
    expect([...records.values()]).toMatchObject([
      { enrich: true, sdkProcessed: true, events: [{ id: 'a' }] },
      { enrich: false, sdkProcessed: false, events: [{ id: 'b' }, { id: 'c' }] },
    ]);
  });

  it('puts an event that is put again in place of its earlier form, in one step', () => {
    const { accept, gathered, answer, tidied, ids, writes, records } = world();
    accept(itemOf('a', { requiresEnrichment: true }, true), itemOf('b', { requiresEnrichment: true }, true));
    accept(...items('a'));
    expect(ids()).toEqual({ 'page/1': 'b', 'page/2': 'a' });
    accept(...items('b'));
    expect(ids()).toEqual({ 'page/2': 'a', 'page/3': 'b' });
    expect(writes.map((each) => each.split(' ').sort().join(' '))).toEqual([
      '+page/1',
      '+page/1 +page/2',
      '+page/3 -page/1',
    ]);
    gathered();
    answer(1, 200, 200);
    tidied();
    expect(records.size).toBe(0);
  });

  it('says of a write whether the page unloads, from the task in which it does', () => {
    const { give, unloadings } = world();
    const accept = (id: string, isUnloading: boolean): void =>
      give({ type: 'accepted', items: items(id), isUrgent: false, isUnloading });
    accept('a', false);
    accept('b', true);
    accept('c', false);
    give({ type: 'returned' });
    accept('d', false);
    expect(unloadings).toEqual([false, true, true, false]);
  });

  it('writes nothing for nothing', () => {
    const { accept, tidied, writes } = world();
    accept();
    tidied();
    expect(writes).toEqual([]);
  });

  it('removes a record with its last event, and puts it again with what remains', () => {
    const { accept, gathered, answer, tidied, ids, writes } = world();
    accept(...items('a', 'b', 'c'));
    accept(...items('d'));
    gathered();
    answer(1, 500, 200, 500, 200);
    tidied();
    expect(ids()).toEqual({ 'page/1': 'ac' });
    expect(writes).toEqual(['+page/1', '+page/2', '+page/1 -page/2']);
  });
});

describe('deliveryStep', () => {
  it('writes an event to the journal before it is sent', () => {
    const { add, writes, sent } = world();
    add(...items('a'));
    expect([writes, sent()]).toEqual([['+page/1'], ['a']]);
  });

  it('does not send an event twice that was added twice', () => {
    const { add, goOn, answer, sent, ends } = world(true);
    add(...items('a'));
    add(...items('a'));
    expect(sent()).toEqual([]);
    goOn();
    add(...items('a'));
    answer(1, 200);
    expect([sent(), ends()]).toEqual([['a'], 'a']);
  });

  it('sends again what was put back, first', () => {
    const { add, fail, goOn, sent } = world();
    add(...items('a', 'b'));
    add(...items('c'));
    fail(1);
    goOn();
    expect(sent()).toEqual(['ab', 'abc']);
  });

  it('forgets what is settled, and tells it once', () => {
    const { add, answer, sent, ends } = world();
    add(...items('a', 'b'));
    answer(1, 200, 200);
    answer(1, 200, 200);
    add(...items('c'));
    expect([sent(), ends()]).toEqual([['ab', 'c'], 'ab']);
  });

  it('keeps what the server has for an engine: the newest thousand events, of a megabyte at most', () => {
    const { add, answer, tidied, states, ids, give } = world();
    const placed = (number: number, bytes = 1): UploadItem => ({
      ...{ ...itemOf(`e${number},`), bytes },
      place: { page: 'page', number, isProvisional: false },
    });
    for (let request = 1; request <= 12; request += 1) {
      add(...Array.from({ length: 99 }, (_, i) => placed(99 * (request - 1) + i + 1)));
      answer(request, ...Array.from({ length: 99 }, () => 200));
    }
    tidied();
    expect([states().length, states()[0]]).toEqual([1000, 'e189, uncounted']);
    expect(Object.values(ids()).join('').split(',')).toHaveLength(1001);

    add(placed(1189, 999_990));
    answer(13, 200);
    tidied();
    expect(states().at(-1)).toBe('e1189, uncounted');
    expect(states()).toHaveLength(11);
    give({ type: 'counted', until: { page: 1188 } });
    expect(Object.values(ids())).toEqual(['e1189,']);
    give({ type: 'counted', until: { page: 1189 } });
    expect([states(), ids()]).toEqual([[], {}]);
  });

  it('takes an event again after it was settled', () => {
    const { add, answer, sent } = world();
    add(...items('a'));
    answer(1, 200);
    add(...items('a'));
    expect(sent()).toEqual(['a', 'a']);
  });

  it('drops the oldest that waits when there are too many, and nothing that is under way', () => {
    const { add, ends, other, sent } = world();
    const large = (id: string, bytes: number) => ({ ...itemOf(id), bytes });
    add(large('a', 8_000_000));
    add(large('b', 6_000_000), large('c', 6_000_000));
    expect(ends()).toBe('');
    add(large('d', 1));
    expect([ends(), sent(), other.filter((each) => each.startsWith('report'))]).toEqual([
      'B',
      ['a'],
      ['report Failed to track Pageview'],
    ]);
  });

  /** What follows the first request, of the events a and b, and the states of the events then. */
  it.each<[string, (stage: ReturnType<typeof world>) => void, readonly string[], readonly string[]]>([
    ['an answer that takes both', ({ answer }) => answer(1, 200, 200), ['ab'], ['a settled', 'b settled']],
    ['an answer that refuses one', ({ answer }) => answer(1, 200, 404), ['ab'], ['a settled', 'b settled']],
    ['an answer that fails at one', ({ answer }) => answer(1, 200, 503), ['ab'], ['a settled', 'b resting']],
    ['an answer that fails at both', ({ answer }) => answer(1, 503, 429), ['ab'], ['a waiting', 'b waiting']],
    ['an answer for one only', ({ answer }) => answer(1, 200), ['ab'], ['a settled', 'b sent']],
    ['no answer', ({ fail }) => fail(1), ['ab'], ['a waiting', 'b waiting']],
    ['a status 500', ({ fail }) => fail(1, new StatusError(500, '')), ['ab'], ['a waiting', 'b waiting']],
    ['a refusal', ({ fail }) => fail(1, new StatusError(400, '')), ['ab', 'a'], ['a sent', 'b sent']],
    ['an exit', ({ give }) => give({ type: 'exit', isUnloading: false }), ['ab'], ['a sent', 'b sent']],
    ['an answer to another request', ({ answer }) => answer(7, 200, 200), ['ab'], ['a sent', 'b sent']],
  ])('after %s', (_, happen, sent, states) => {
    const stage = world();
    stage.add(...items('a', 'b'));
    happen(stage);
    expect([stage.sent(), stage.states()]).toEqual([sent, states]);
  });

  it('counts each exit as one of a page that unloads, from when it unloads until it returns', () => {
    const { add, give, fail, goOn, requests } = world();
    const exit = (isUnloading: boolean): void => give({ type: 'exit', isUnloading });
    exit(true);
    add(...items('a'));
    fail(1, new StatusError(503, ''));
    exit(false);
    fail(2, new StatusError(503, ''));
    give({ type: 'returned' });
    exit(false);
    fail(3, new StatusError(503, ''));
    goOn();
    expect(requests.map(({ kind }) => kind)).toEqual(['unload', 'unload', 'exit', 'turn']);
  });

  it('does not let an earlier request give back what a later one has', () => {
    const { add, fail, give, sent, states } = world();
    const large = { ...itemOf('a'), bytes: 40_000 };
    add(large);
    give({ type: 'exit', isUnloading: true });
    expect(sent()).toEqual(['a', 'a']);
    fail(1);
    expect(states()).toEqual(['a sent']);
  });
});

describe('A pause that the server has asked for', () => {
  it('holds though a request that went before is taken meanwhile, also on page exit', () => {
    const { add, give, answer, fail, sent, state } = world();
    add(...items('a'));
    give({ type: 'accepted', items: items('b'), isUrgent: false, isUnloading: false });
    give({ type: 'exit', isUnloading: false });
    fail(1, new StatusError(429, 'Busy', 60_000));
    answer(2, 200);
    add(...items('c'));
    give({ type: 'exit', isUnloading: false });
    expect(sent()).toEqual(['a', 'b']);
    expect(state().pause).toMatchObject({ asked: true, waitMs: 60_000 });
  });
});
