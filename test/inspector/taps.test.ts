import { NEVER, noop } from 'rxjs';

import { json } from '../../src/hardening/plainJson';
import { openLog } from '../../src/inspector/log';
import { lateTaps } from '../../src/inspector/taps';
import { linesOf } from '../support/reports';
import { worldOf } from '../support/world';

/** A page whose inspector has opened late. Answers what its log has of calls of `identify`. */
const opened = () => {
  const world = worldOf();
  const log = openLog({
    json,
    elapsed: () => 0,
    now: () => 0,
    salt: 0.5,
    header: { sdk: 'v1', project: 'workspace', clock: 0, complete: false },
  });
  lateTaps({ world, measured$: NEVER, tag: {}, isRunning: () => true, fileOf: () => ({}) as never }, log).subscribe();
  const identified = () => log.entries().filter(({ type }) => type === 'identify');
  return { world, log, identified };
};

describe('An inspector that opens late', () => {
  it('notes calls of identify without their ids, and leaves answers and reports to the visit', () => {
    const { world, log, identified } = opened();
    const done = jest.fn();
    const id = 'a0'.repeat(32);
    world.calls.identify({ given: [{ tag: 'email_sha256', id }], done });
    world.calls.identify({ given: {}, done });
    expect(identified()).toMatchObject([{ lane: 'calls', data: [{ tag: 'email_sha256', priority: 0 }] }]);
    expect(log.text()).not.toContain(id);
    expect(done).not.toHaveBeenCalled();
    expect(linesOf(world.report)).toEqual([]);
  });

  it('notes no call of identify without consent', () => {
    const { world, identified } = opened();
    world.giveConsent(false);
    world.calls.identify({ given: 'reader', done: noop });
    expect(identified()).toEqual([]);
    world.giveConsent(true);
    world.calls.identify({ given: 'reader', done: noop });
    expect(identified().length).toBeGreaterThan(0);
  });
});
