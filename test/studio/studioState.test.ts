import { firstValueFrom, of, throwError, toArray } from 'rxjs';

import type { Definition } from '../../src/engine/language/language';
import { Refused } from '../../studio/page/state/ask';
import type { Draft } from '../../studio/page/state/drafts';
import { draftIn, openStudio, type Studio } from '../../studio/page/state/studio';
import { type MemoryServer, memoryServer } from './support/memoryServer';

const first: Definition = { id: '1', name: 'First', q: { event: 'Pageview' } };
const second: Definition = { id: '2', name: 'Second', q: { event: 'LinkClick' } };
const named = (definition: Definition, name: string): Definition => ({ ...definition, name });

/** Studio on a server in memory, and the drafts that it stores. */
const opened = (
  drafts: Readonly<Record<string, Draft>> = {},
): { readonly server: MemoryServer; readonly studio: Studio; readonly stored: Map<string, Draft> } => {
  const server = memoryServer([first, second]);
  const stored = new Map(Object.entries(drafts));
  return { server, studio: studioOn(server, stored), stored };
};
const studioOn = (server: MemoryServer, stored: Map<string, Draft>): Studio =>
  openStudio({
    server,
    store: {
      read: () => Object.fromEntries(stored),
      write: (cohort, draft) => {
        if (draft === undefined) stored.delete(cohort);
        else stored.set(cohort, draft);
      },
      others$: of([]),
    },
    project: server.project(),
    vocabulary: { events: [] },
    now: () => 1000,
  });
const names = (server: MemoryServer): readonly (string | undefined)[] =>
  server.project().cohorts.map(({ definition }) => definition.name);
const done = (studio: Studio, id: string | undefined): Promise<readonly string[]> =>
  firstValueFrom(studio.save(id).pipe(toArray()), { defaultValue: [] });

describe('Studio in the page', () => {
  test('stores each change of a draft at once, and puts it away when it is saved', async () => {
    const { server, studio, stored } = opened();
    studio.edit('1', JSON.stringify(named(first, 'Mine')), 'name');
    expect(JSON.parse(stored.get('cohort/1')!.text)).toEqual(named(first, 'Mine'));
    expect(await done(studio, '1')).toEqual(['1']);
    expect([names(server), stored.size]).toEqual([['Mine', 'Second'], 0]);
  });

  test('saves over a change of another cohort without a question', async () => {
    const { server, studio } = opened();
    studio.edit('1', JSON.stringify(named(first, 'Mine')), 'name');
    server.changeOutside(([a, b]) => [a!, named(b!, 'Theirs')]);
    expect(await done(studio, '1')).toEqual(['1']);
    expect(names(server)).toEqual(['Mine', 'Theirs']);
  });

  test('never saves over a change of the same cohort before the person has chosen', async () => {
    const { server, studio } = opened();
    studio.edit('1', JSON.stringify(named(first, 'Mine')), 'name');
    server.changeOutside(([a, b]) => [named(a!, 'Theirs'), b!]);
    expect(await done(studio, '1')).toEqual([]);
    expect(await done(studio, '1')).toEqual([]);
    expect(names(server)).toEqual(['Theirs', 'Second']);
    studio.keepMine('1');
    expect(await done(studio, '1')).toEqual(['1']);
    expect(names(server)).toEqual(['Mine', 'Second']);
  });

  test('takes the file’s version where the person says so', () => {
    const { server, studio, stored } = opened();
    studio.follow$.subscribe();
    studio.edit('1', JSON.stringify(named(first, 'Mine')), 'name');
    server.changeOutside(([a, b]) => [named(a!, 'Theirs'), b!]);
    expect(draftIn(studio.current(), '1')?.text).toContain('Mine');
    expect(studio.current().status).toContain('Your drafts are kept.');
    studio.discard('1');
    expect(draftIn(studio.current(), '1')?.text).toContain('Theirs');
    expect(stored.size).toBe(0);
  });

  test('has the words that were recorded once the visits are read', () => {
    const { server, studio } = opened();
    studio.follow$.subscribe();
    expect(studio.current().vocabulary.events).toEqual([]);
    server.readVisits();
    expect(studio.current().vocabulary.events.length).toBeGreaterThan(0);
    expect(server.asked.filter((name) => name === 'vocabulary')).toHaveLength(1);
    expect(studio.current().status).toBe('');
  });

  test('has the drafts that were stored before, each on the version that the file has now', async () => {
    const { stored, studio: before } = opened();
    before.edit('2', JSON.stringify(named(second, 'Kept')), 'name');
    const { studio, server } = opened(Object.fromEntries(stored));
    expect(draftIn(studio.current(), '2')?.text).toContain('Kept');
    expect(await done(studio, '2')).toEqual(['2']);
    expect(names(server)).toEqual(['First', 'Kept']);
  });

  test('saves nothing that is no JSON, and says so', async () => {
    const { studio, server } = opened();
    studio.edit('1', '{ "id": ', 'text');
    expect(await done(studio, '1')).toEqual([]);
    expect([studio.current().status, server.asked]).toEqual(['The text is no JSON yet. Nothing was saved.', []]);
  });

  test('adds a cohort under an id that no other has, and removes one', async () => {
    const { studio, server } = opened();
    studio.edit(undefined, draftIn(studio.current(), undefined)!.text.replace('New cohort', 'Third'), 'name');
    const [id] = await done(studio, undefined);
    expect([id, names(server)]).toEqual(['1001', ['First', 'Second', 'Third']]);
    studio.remove('1').subscribe();
    expect(names(server)).toEqual(['Second', 'Third']);
  });

  test('gives a cohort an entry and takes it away, and keeps the drafts', () => {
    const { studio, server } = opened();
    studio.edit('1', JSON.stringify(named(first, 'Mine')), 'name');
    const entry = { segtax: 4, id: '607' };
    const entries = () => studio.current().project.cohorts.map(({ buyers }) => buyers.entries);
    studio.setEntry({ id: '1', entry, isWanted: true }).subscribe();
    expect([entries(), studio.current().drafts['cohort/1']?.version]).toEqual([
      [[entry], []],
      server.project().version,
    ]);
    studio.setEntry({ id: '1', entry, isWanted: false }).subscribe();
    expect(entries()).toEqual([[], []]);
  });

  test('says why an entry was refused', () => {
    const answer$ = throwError(() => new Refused(400, { message: 'No such cohort.' }));
    const studio = studioOn({ ...memoryServer([first]), ask: () => answer$ }, new Map());
    const told = jest.fn();
    studio.setEntry({ id: '1', entry: { segtax: 4, id: '607' }, isWanted: true }).subscribe(told);
    expect([studio.current().status, told.mock.calls]).toEqual(['No such cohort.', []]);
  });

  test.each([
    ['a condition alone', '{"event":"Login"}', 'New cohort'],
    ['a definition with the id of another', '{"id":"1","name":"First","q":{"event":"Login"}}', 'First'],
  ])('makes %s the draft of a new cohort, with the one before a step back', async (_, text, name) => {
    const { studio, server } = opened();
    studio.edit(undefined, '{ "half": ', 'text');
    studio.editNew(text);
    expect(JSON.parse(draftIn(studio.current(), undefined)!.text)).toEqual({ id: '1001', name, q: { event: 'Login' } });
    expect(studio.current().status).toContain('is one step back');
    studio.undo(undefined);
    expect(draftIn(studio.current(), undefined)!.text).toBe('{ "half": ');
    studio.redo(undefined);
    expect(await done(studio, undefined)).toEqual(['1001']);
    expect(names(server)).toEqual(['First', 'Second', name]);
  });
});
