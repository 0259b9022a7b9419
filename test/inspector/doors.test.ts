import { of } from 'rxjs';

import { json } from '../../src/hardening/plainJson';
import { type Doors, watchedBy } from '../../src/inspector/doors/door';
import { partsDoors } from '../../src/inspector/doors/partsDoors';
import { watchedWorld, worldDoors } from '../../src/inspector/doors/worldDoors';
import { openLog } from '../../src/inspector/log';
import { recorderOf } from '../../src/inspector/recorder';
import type { Platform } from '../../src/platform/platform';
import type { DeferredParts, World } from '../../src/visit/world';
import { lateParts } from '../support/project';
import { type WorldFacts, worldOf } from '../support/world';

const watch = (facts: WorldFacts) => {
  const world = worldOf(facts);
  const header = { sdk: 'v1', project: 'p', clock: world.now(), complete: true };
  const log = openLog({ json, elapsed: () => 0, now: world.now, salt: 0, header });
  const recorder = recorderOf(log, Object.is);
  return { world, log, recorder, doors: watchedWorld(world, { log, recorder, json, stored: () => of({}) }) };
};

it('notes what is read at first and where it has changed, and how many reads came before', () => {
  const { world, log, doors } = watch({ local: { a: '1' } });
  expect([doors.local.read('a'), doors.local.read('a'), doors.local.read('b')]).toEqual(['1', '1', null]);
  world.local.write('a', '2');
  expect(doors.local.read('a')).toBe('2');
  doors.local.write('a', '3');
  expect(doors.local.read('a')).toBe('3');
  expect(
    log
      .entries()
      .filter(({ type }) => type === 'read')
      .map(({ data }) => data),
  ).toEqual([
    { door: 'local', key: 'a', value: '1', after: 1 },
    { door: 'local', key: 'b', value: null, after: 1 },
    { door: 'local', key: 'a', value: '2', after: 3 },
    { door: 'local failure', key: 'a', value: null, after: 1 },
  ]);
});

it('notes no stored id by which others know the visitor', () => {
  const notes = json.stringify({ identities: { crm: { id: 'customer-7', priority: 0, expiry: 1 } } });
  const { log, doors } = watch({ local: { 'permutive-data-misc': notes } });
  expect(doors.local.read('permutive-data-misc')).toBe(notes);
  expect(log.text()).toContain('permutive-data-misc');
  expect(log.text()).not.toContain('customer-7');
});

it('has a door for each member, and the compiler misses one that is forgotten', () => {
  const { fromTcf, ...parts } = partsDoors;
  const { journal, calls, ...world } = worldDoors;
  // @ts-expect-error -- a stream of the deferred chunk
  const partsWithoutTcf: Doors<DeferredParts> = parts;
  // @ts-expect-error -- a part of the browser, and the page's calls
  const worldWithoutCalls: Doors<World> = world;
  // @ts-expect-error -- the journal
  const platformWithoutJournal: Pick<Doors<Platform>, 'journal'> = world;
  expect([fromTcf, journal, calls]).not.toContain(undefined);
  expect([partsWithoutTcf, worldWithoutCalls, platformWithoutJournal]).not.toContain(worldDoors);
  expect(Object.keys(partsDoors).sort()).toEqual(Object.keys(lateParts()).sort());
});

it('leaves what has no door as it is', () => {
  const { world, log, recorder } = watch({});
  const extra = { hold: world.hold, more: () => 7 };
  const watched = watchedBy<Pick<World, 'hold'>>({ hold: worldDoors.hold }, extra, {
    ...{ log, recorder, json, world },
    stored: () => of({}),
  });
  expect((watched as typeof extra).more()).toBe(7);
});
