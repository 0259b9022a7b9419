import { mergeMap, of, throwError } from 'rxjs';

import { takeOver } from '../../src/engineHost/takeOver';
import { json } from '../../src/hardening/plainJson';
import type { EventStore } from '../../src/platform/platform';
import { done, newDatabase, storeOf } from '../support/database';
import { keyValueStore } from '../support/keyValueStore';

const before = 'permutive-events-cache';
const thisPage = 'permutive-events-for-page';
const state = 'permutive-data-queries';
const chunk = (source: string, rev: number): string => JSON.stringify({ 'event-source-id': source, rev });

beforeEach(newDatabase);

describe('takeOver', () => {
  it('brings both lists of events, beside those that are there, and removes them', async () => {
    const [local, home] = [keyValueStore({ [before]: '["b"]', [thisPage]: '["c"]' }), storeOf()];
    await done(home.replace([], [[before, '["a"]']]));
    await done(takeOver(local, home, json));
    const records = (await done(home.records()))!;
    expect(records.map(({ text }) => text)).toEqual(['["a"]', '["b"]', '["c"]']);
    expect(records.slice(1).every(({ key }) => key.startsWith(thisPage))).toBe(true);
    expect([...local.texts]).toEqual([]);
  });

  it.each([
    ['none is here', undefined, chunk('a', 1), 'there'],
    ['what is here cannot be read', 'broken', chunk('a', 1), 'there'],
    ['it goes on from the one here', chunk('a', 3), chunk('a', 4), 'there'],
    ['the one here has gone on', chunk('a', 5), chunk('a', 4), 'here'],
    ['it began anew', chunk('a', 1), chunk('b', 4), 'here'],
    ['it cannot be read', chunk('a', 1), 'broken', 'here'],
    ['it is a note only', chunk('a', 1), '{"unread_since":1}', 'here'],
  ])('keeps one state and removes the other: %s', async (_, here, there, kept) => {
    const [local, home] = [keyValueStore({ [state]: there, other: 'x' }), storeOf()];
    if (here !== undefined) await done(home.write(state, here));
    await done(takeOver(local, home, json));
    await expect(done(home.read(state))).resolves.toBe(kept === 'here' ? here : there);
    expect([...local.texts.keys()]).toEqual(['other']);
  });

  it('takes no note of an unread store for a state', async () => {
    const [local, home] = [keyValueStore({ [state]: '{"group_id":"u","unread_since":1}' }), storeOf()];
    await done(takeOver(local, home, json));
    await expect(done(home.read(state))).resolves.toBeNull();
    expect([...local.texts]).toEqual([]);
  });

  it('removes only what it has moved: a page may write until it finds its state gone', async () => {
    const [local, home] = [keyValueStore({ [state]: chunk('a', 1) }), storeOf()];
    const meanwhile: EventStore = {
      ...home,
      swap: (key, version, text) => {
        const swapped$ = home.swap(key, version, text);
        if (text === chunk('a', 1)) local.texts.set(state, chunk('a', 2));
        return swapped$;
      },
    };
    await done(takeOver(local, meanwhile, json));
    await expect(done(home.read(state))).resolves.toBe(chunk('a', 2));
    expect([...local.texts]).toEqual([]);
  });

  it('replaces no state that was written meanwhile', async () => {
    const [local, home] = [keyValueStore({ [state]: chunk('a', 2) }), storeOf()];
    const meanwhile: EventStore = {
      ...home,
      swap: (key, version, text) => home.write(key, chunk('a', 3)).pipe(mergeMap(() => home.swap(key, version, text))),
    };
    await done(takeOver(local, meanwhile, json));
    await expect(done(home.read(state))).resolves.toBe(chunk('a', 3));
    expect([...local.texts]).toEqual([]);
  });

  it('gives up where others write without a pause, and removes nothing', async () => {
    const [local, home] = [keyValueStore({ [state]: chunk('a', 2) }), storeOf()];
    const swap = jest.fn(() => of(false));
    await done(takeOver(local, { ...home, swap }, json));
    expect(swap).toHaveBeenCalledTimes(5);
    expect([...local.texts.keys()]).toEqual([state]);
  });

  it('does nothing where there is nothing', async () => {
    const home = storeOf();
    await done(home.write(state, chunk('a', 1)));
    await done(takeOver(keyValueStore(), home, json));
    await expect(done(home.records())).resolves.toEqual([]);
    await expect(done(home.read(state))).resolves.toBe(chunk('a', 1));
  });

  it('removes nothing that could not be brought', async () => {
    const local = keyValueStore({ [before]: '["b"]', [state]: chunk('a', 1) });
    const broken = {
      ...storeOf(),
      replace: () => throwError(() => new Error('broken')),
      swap: () => throwError(() => new Error('broken')),
    };
    await expect(done(takeOver(local, broken, json))).rejects.toThrow('broken');
    expect([...local.texts.keys()]).toEqual([before, state]);
  });
});
