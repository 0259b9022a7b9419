import { openLog } from '../../src/inspector/log';
import { recorderOf } from '../../src/inspector/recorder';
import { watchedReads } from '../../src/inspector/watchedReads';
import { json } from '../../src/model/plainJson';
import { type WorldFacts, worldOf } from '../support/world';

const watch = (facts: WorldFacts) => {
  const world = worldOf(facts);
  const header = { sdk: 'v1', project: 'p', clock: world.now(), complete: true };
  const log = openLog({ json, elapsed: () => 0, now: world.now, salt: 0, header });
  const recorder = recorderOf(log, Object.is);
  return { world, log, doors: watchedReads(world, { log, recorder, json }) };
};

it('notes what is read where it has changed, and how many reads came before', () => {
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
    { door: 'local', key: 'a', value: '2', after: 3 },
  ]);
});

it('notes no stored id by which others know the visitor', () => {
  const notes = json.stringify({ identities: { crm: { id: 'customer-7', priority: 0, expiry: 1 } } });
  const { log, doors } = watch({ local: { 'permutive-data-misc': notes } });
  expect(doors.local.read('permutive-data-misc')).toBe(notes);
  expect(log.text()).toContain('permutive-data-misc');
  expect(log.text()).not.toContain('customer-7');
});
