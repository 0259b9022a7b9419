import { beginsHistory, standIn, type StandInDeps } from '../../src/engineHost/standIn';
import { json } from '../../src/hardening/plainJson';
import type { Failure } from '../../src/model/engineQuestions';
import { askError } from '../support/askErrors';
import { done } from '../support/database';
import { noon, sourceId, visitorId } from '../support/events';
import { keyValueStore } from '../support/keyValueStore';

const state = 'permutive-data-queries';
const [page, other] = ['page', 'other'];
const dayMs = 86_400_000;
const hung = new Error('No answer in time');
const chunk = (user?: string): string => JSON.stringify({ 'event-source-id': sourceId, group_id: user, rev: 1 });
const note = (since: number, user = visitorId): string => JSON.stringify({ group_id: user, unread_since: since });

const world = (stored?: string, changes: Partial<StandInDeps> = {}) => {
  const local = keyValueStore(stored === undefined ? {} : { [state]: stored });
  const deps = {
    userId: visitorId,
    page,
    isNew: false,
    canExist: true,
    json,
    now: () => noon,
    report: () => undefined,
  };
  const mayStandIn = standIn(local, { ...deps, ...changes });
  return { local, ask: (cause: unknown = hung) => done(mayStandIn(cause)), stored: () => local.texts.get(state) };
};

describe('standIn', () => {
  it.each<readonly [string, ReturnType<typeof world>, Error]>([
    ['for a new visitor', world(undefined, { isNew: true }), hung],
    ['where there can be no encrypted store', world(undefined, { canExist: false }), hung],
    ['where the browser refuses it', world(), Object.assign(new Error(), { name: 'SecurityError' })],
    ['where the browser has no IndexedDB', world(), new ReferenceError('indexedDB is not defined')],
    ['where it has the visitor’s state', world(chunk(visitorId)), hung],
    ['where it has a state of an older version', world(chunk()), hung],
  ])('lets local storage stand in %s', async (_, { ask, stored }, cause) => {
    const before = stored();
    await expect(ask(cause)).resolves.toBe(true);
    expect(stored()).toBe(before);
  });

  it('lets no second history of a new visitor begin beside that of another page', async () => {
    const { local, ask } = world(undefined, { isNew: true });
    await expect(done(beginsHistory(local, { page: other }))).resolves.toBe(true);
    await expect(ask()).resolves.toBe(false);
    local.texts.delete(state);
    // Another page may have gone on in local storage since.
    local.texts.set(state, chunk(visitorId));
    await expect(ask()).resolves.toBe(true);
  });

  it('is known to the page that begins one in the encrypted store', async () => {
    const { local, ask } = world(undefined, { isNew: true });
    await expect(ask()).resolves.toBe(true);
    // Several operations may fail at once.
    await expect(ask()).resolves.toBe(true);
    await expect(done(beginsHistory(local, { page }))).resolves.toBe(true);
    await expect(done(beginsHistory(local, { page: other }))).resolves.toBe(false);
  });

  it.each([
    ['nothing', undefined],
    ['the state of another user', chunk(sourceId)],
    ['the note of another user', note(noon - 2 * dayMs, sourceId)],
    ['what cannot be read', 'broken'],
    ['a note of a time that is still to come', note(noon + 1)],
  ])('keeps the time where local storage has %s', async (_, before) => {
    const { ask, stored } = world(before);
    await expect(ask()).resolves.toBe(false);
    expect(stored()).toBe(note(noon));
  });

  it('gives the encrypted store up after a day, and forgets the note', async () => {
    const early = world(note(noon - dayMs + 1));
    await expect(early.ask()).resolves.toBe(false);
    expect(early.stored()).toBe(note(noon - dayMs + 1));
    const late = world(note(noon - dayMs));
    await expect(late.ask()).resolves.toBe(true);
    expect(late.stored()).toBeUndefined();
  });

  const denied = Object.assign(new Error(), { name: 'UnknownError' });

  it.each<readonly [answer: boolean, of: string, isNew: boolean, cause: Error, failure: Failure['kind']]>([
    [true, 'keeps nothing, for a new visitor', true, hung, 'unavailable'],
    [true, 'keeps nothing, nor does the encrypted store', false, denied, 'unavailable'],
    [false, 'keeps nothing, while the encrypted store is late', false, hung, 'unavailable'],
    [false, 'is full, for a new visitor', true, denied, 'quota'],
    [false, 'is full', false, denied, 'quota'],
    [false, 'fails otherwise, for a new visitor', true, denied, 'other'],
  ])('says %p where local storage %s', async (answer, _, isNew, cause, failure) => {
    const { local, ask } = world(undefined, { isNew });
    local.refuse = () => askError(failure, 'refused');
    await expect(ask(cause)).resolves.toBe(answer);
    expect(local.texts.size).toBe(0);
  });
});
